package org.microhttp.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.Header;
import org.microhttp.Response;
import org.microhttp.testing.*;

/** R15: a client that is still sending gets its answer, and cannot keep us for ever. */
class LingeringTest {

    private static final byte[] MEBIBYTE = new byte[1 << 20];

    private final MovedClock clock = new MovedClock();

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void givesTheWhole413ToAClientThatSends10MegabytesAndOnlyThenReads(boolean chunked) throws Exception {
        give413(10, chunked);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tier.Gate
    void givesTheWhole413AHundredTimes(boolean chunked) throws Exception {
        give413(100, chunked);
    }

    private static void give413(int runs, boolean chunked) throws Exception {
        String framing = chunked ? "Transfer-Encoding: chunked" : "Content-Length: " + 10 * MEBIBYTE.length;
        try (var server = new TestServer(TestServer::echoBody)) {
            for (int run = 0; run < runs; run++) {
                try (var client = new RawClient(server.port())) {
                    client.send("POST / HTTP/1.1\r\nHost: x\r\n" + framing + "\r\n\r\n");
                    for (int i = 0; i < 10; i++) {
                        client.send(chunked ? "100000\r\n" : "").send(MEBIBYTE).send(chunked ? "\r\n" : "");
                    }
                    client.expectRefusal(413, "request_too_large");
                }
            }
            assertEquals("413", server.awaitEvent("exceed_request_max_close").value("status"));
        }
    }

    @Test
    void givesTheWholeAnswerWhenTheHandlerClosesWithInputUnread() throws Exception {
        var closing = new Response(200, "OK", List.of(new Header("Connection", "close")), new byte[300_000]);
        try (var server = new TestServer((request, callback) -> callback.accept(closing))) {
            for (int run = 0; run < 10; run++) {
                RawClient client = server.connect().send(RawClient.GET);
                for (int i = 0; i < 5; i++) {
                    client.send(MEBIBYTE);
                }
                assertEquals(300_000, client.response().body().length);
                client.expectEnd();
            }
            assertEquals(10, server.log.count("read_request"));
        }
    }

    @Test
    void endsWhenTheClientDoes() throws Exception {
        try (var server = new TestServer(TestServer::echoBody)) {
            RawClient client = server.connect().send("wrong\r\n");
            client.expectRefusal(400, "bad_request_line");
            assertEquals(0, server.log.count("close"));
            client.close();
            server.awaitEvent("close");
            assertTrue(server.log.story(0).contains("linger"));
        }
    }

    @Test
    void endsAfter5SecondsOfSilence() throws Exception {
        try (var server = new TestServer(clock.in(TestServer.options()), TestServer::echoBody)) {
            server.connect().send("wrong\r\n").expectRefusal(400, "bad_request_line");
            clock.pass(server.itself, Duration.ofSeconds(4));
            assertEquals(0, server.log.count("close"));
            clock.pass(server.itself, Duration.ofMillis(1_100));
            server.awaitEvent("close");
        }
    }

    @Test
    void endsAfter30SecondsWhateverTheClientSends() throws Exception {
        try (var server = new TestServer(clock.in(TestServer.options()), TestServer::echoBody)) {
            RawClient client = server.connect().send("wrong\r\n");
            client.expectRefusal(400, "bad_request_line");
            for (int second = 1; second < 30; second++) {
                clock.pass(server.itself, Duration.ofSeconds(1));
                assertEquals(0, server.log.count("close"), "after " + second + " s");
                client.send("x");
            }
            clock.pass(server.itself, Duration.ofMillis(1_100));
            server.awaitEvent("close");
        }
    }

    @Test
    void endsAfter64Mebibytes() throws Exception {
        try (var server = new TestServer(TestServer::echoBody)) {
            RawClient client = server.connect().send("wrong\r\n");
            int sent = 0;
            try {
                for (; sent < 200; sent++) {
                    client.send(MEBIBYTE);
                }
            } catch (IOException e) {
                assertTrue(sent >= 64, "ended after " + sent + " MiB");
            }
            assertTrue(sent < 200, "still open after " + sent + " MiB");
            server.awaitEvent("close");
        }
    }
}
