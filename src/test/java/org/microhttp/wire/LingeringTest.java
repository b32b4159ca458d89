package org.microhttp.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.microhttp.Header;
import org.microhttp.Response;
import org.microhttp.tools.RawClient;
import org.microhttp.tools.TestServer;
import org.microhttp.wire.tools.Trickle;

/** R15: a client that is still sending gets its answer, and cannot keep us for ever. */
class LingeringTest {

    private static final boolean FULL = Boolean.getBoolean("microhttp.full");
    private static final byte[] MEBIBYTE = new byte[1 << 20];

    @Test
    void givesTheWhole413ToAClientThatSends10MegabytesAndOnlyThenReads() throws Exception {
        try (var server = new TestServer(TestServer::echoBody)) {
            for (int run = 0; run < (FULL ? 100 : 20); run++) {
                try (var client = new RawClient(server.port())) {
                    client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + 10 * MEBIBYTE.length
                            + "\r\n\r\n");
                    for (int i = 0; i < 10; i++) {
                        client.send(MEBIBYTE);
                    }
                    client.expectRefusal(413, "request_too_large");
                }
            }
            assertEquals("413", server.awaitEvent("exceed_request_max_close").value("status"));
        }
    }

    @Test
    void givesTheWhole413ToAClientThatSendsTooManyChunks() throws Exception {
        try (var server = new TestServer(TestServer::echoBody)) {
            for (int run = 0; run < (FULL ? 100 : 10); run++) {
                try (var client = new RawClient(server.port())) {
                    client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
                    for (int i = 0; i < 100; i++) {
                        client.send("10000\r\n").send(new byte[0x10000]).send("\r\n");
                    }
                    client.expectRefusal(413, "request_too_large");
                }
            }
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
        try (var server = new TestServer(TestServer::echoBody)) {
            RawClient client = server.connect().send("wrong\r\n");
            client.expectRefusal(400, "bad_request_line");
            long began = System.nanoTime();
            server.awaitEvent("close");
            assertTrue(System.nanoTime() - began > 4_000_000_000L, "too early");
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

    @Test
    void endsAfter30SecondsWhateverTheClientSends() throws Exception {
        assumeTrue(FULL);
        try (var server = new TestServer(TestServer::echoBody)) {
            RawClient client = server.connect().send("wrong\r\n");
            client.expectRefusal(400, "bad_request_line");
            long began = System.nanoTime();
            try (var trickle = new Trickle(client, "x", 500)) {
                trickle.awaitFailure(60);
            }
            long seconds = (System.nanoTime() - began) / 1_000_000_000;
            assertTrue(seconds >= 29 && seconds < 45, "ended after " + seconds + " s");
        }
    }
}
