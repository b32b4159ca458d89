package org.microhttp.lifecycle;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.microhttp.Handler;
import org.microhttp.Response;
import org.microhttp.tools.*;

/** A logger that wants messages gets them octet by octet, and one that does not has no such entry. */
class MessagesTest {

    private static TestServer serve(Handler handler) throws Exception {
        var server = new TestServer(handler);
        server.log.messages = true;
        return server;
    }

    private static String request(TestServer server, int number) {
        return server.awaitEvent("read_request", number).value("message");
    }

    private static String response(TestServer server, int number) {
        return server.awaitEvent("write_response", number).value("message");
    }

    @Test
    void areNoEntriesUnlessTheyAreWanted() throws Exception {
        try (var server = new TestServer(TestServer::echoTarget)) {
            server.connect().get("/").expectOk("/");
            assertEquals(List.of("id", "request"),
                    List.copyOf(server.awaitEvent("read_request").values().keySet()));
            assertEquals(List.of("id", "status"),
                    List.copyOf(server.awaitEvent("write_response").values().keySet()));
            assertEquals("200", server.awaitEvent("write_response").value("status"));
        }
    }

    @Test
    void areWhatCameAndWhatWent() throws Exception {
        var octets = new StringBuilder();
        for (int i = 0; i < 256; i++) octets.append((char) i);
        String first = "POST /a[0]=| HTTP/1.0\r\nHost:x\r\nHOST-2:  \u0080 \u00FF\t\r\n"
                + "Connection: keep-alive\r\nContent-Length: 256\r\n\r\n" + octets;
        String second = "OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
        try (var server = serve(TestServer::echoBody)) {
            RawClient client = server.connect().send(first + second);
            for (int number = 1; number <= 2; number++) {
                assertEquals(number == 1 ? first : second, request(server, number));
                RawResponse response = client.response();
                assertEquals(response.head() + response.text(), response(server, number));
            }
        }
    }

    @Test
    void areWithoutChunkFramingAndTrailers() throws Exception {
        String head = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
        try (var server = serve(TestServer::echoBody)) {
            server.connect().send(head + "2;x=y\r\nab\r\n1\r\nc\r\n0\r\nA: b\r\n\r\n").expectOk("abc");
            assertEquals(head + "abc", request(server, 1));
        }
    }

    @Test
    void haveNoBodyWhereNoneIsSent() throws Exception {
        var unchanged = new Response(304, "Not Modified", List.of(), "body".getBytes(ISO_8859_1));
        Handler handler = (request, callback) ->
                callback.accept(request.uri().equals("/304") ? unchanged : TestServer.ok("body"));
        try (var server = serve(handler)) {
            RawClient client = server.connect().send("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n");
            assertEquals(client.response(true).head(), response(server, 1));
            assertEquals(client.get("/304").response().head(), response(server, 2));
        }
    }

    /** It goes through the write buffer in pieces, and the socket takes a part at a time. */
    @Test
    void areWholeEvenIfTheyAreLarge() throws Exception {
        String body = "0123456789abcdef".repeat(1 << 16);
        try (var server = serve((request, callback) -> callback.accept(TestServer.ok(body)))) {
            RawResponse response = server.connect(4096).get("/").response();
            assertEquals(response.head() + body, response(server, 1));
        }
    }

    @Test
    void areThereOfRefusals() throws Exception {
        try (var server = serve(TestServer::echoTarget)) {
            RawResponse refusal = server.connect().send("wrong\r\n\r\n").response();
            assertEquals(refusal.head() + refusal.text(), response(server, 1));
        }
    }

    @Test
    void areLeftOutWhereTheLoggerFailsToSay() throws Exception {
        var server = new TestServer(TestServer::echoTarget);
        server.log.messages = null;
        try (server) {
            server.connect().get("/").expectOk("/");
            assertNull(request(server, 1));
            assertNull(response(server, 1));
        }
    }
}
