package org.microhttp.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.util.function.Consumer;
import org.junit.jupiter.api.*;
import org.microhttp.Response;
import org.microhttp.testing.*;

/** R20: a client that ends its side gets what it asked for; one that leaves is noticed. */
class HalfCloseTest {

    private static final String LATER = "GET /later HTTP/1.1\r\nHost: x\r\n\r\n";

    private final HoldingHandler handler = new HoldingHandler();
    private TestServer server;

    @BeforeEach
    void start() throws IOException {
        server = new TestServer(handler);
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    @Test
    void answersARequestThatIsFollowedByTheEnd() throws Exception {
        server.connect().send(RawClient.GET).halfClose().expectOk("/").expectEnd();
        server.awaitEvent("read_close");
        server.awaitEvent("close");
    }

    @Test
    void answersPipelinedRequestsThatAreFollowedByTheEnd() throws Exception {
        RawClient client = server.connect().get("/a").get("/b").get("/c").halfClose();
        client.expectOk("/a").expectOk("/b").expectOk("/c").expectEnd();
    }

    @Test
    void answersARequestWhoseClientEndedWhileItWasHandled() throws Exception {
        RawClient client = server.connect().send(LATER);
        Consumer<Response> callback = handler.pending.take();
        client.halfClose();
        server.awaitEvent("read_close");
        callback.accept(TestServer.ok("later"));
        client.expectOk("later").expectEnd();
        server.awaitEvent("close");
    }

    @Test
    void answersEarlyDataThatIsFollowedByTheEnd() throws Exception {
        RawClient client = server.connect().send(LATER);
        Consumer<Response> callback = handler.pending.take();
        client.get("/a").get("/b").halfClose();
        server.awaitEvent("read_close");
        callback.accept(TestServer.ok("later"));
        client.expectOk("later").expectOk("/a").expectOk("/b").expectEnd();
    }

    @Test
    void saysThatARequestIsTruncated() throws Exception {
        for (String part : new String[] {"G", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: x\r\n",
            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhell",
            "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n"}) {
            server.connect().send(part).halfClose().expectRefusal(400, "truncated");
        }
        RawClient client = server.connect().send(RawClient.GET + "GET").halfClose();
        client.expectOk("/").expectRefusal(400, "truncated");
    }

    @Test
    void saysNothingToAClientThatEndsBetweenRequests() throws Exception {
        server.connect().halfClose().expectEnd();
        server.connect().send(RawClient.GET).expectOk("/").halfClose().expectEnd();
        server.awaitEvent("close", 2);
        assertEquals(0, server.log.count("refuse"));
    }

    @Test
    void noticesAResetWhileTheHandlerWorks() throws Exception {
        RawClient client = server.connect().send(LATER);
        handler.pending.take();
        client.reset();
        server.awaitEvent("read_error");
        server.awaitEvent("close");
        assertFalse(server.log.count("read_close") > 0);
        server.assertServes();
    }

    @Test
    void noticesAResetWhileItWaitsForARequest() throws Exception {
        server.connect().send("GET").reset();
        server.awaitEvent("close");
        server.assertServes();
    }

    @Test
    void noticesAResetWhileItWrites() throws Exception {
        try (var large = new TestServer((request, callback) ->
                callback.accept(TestServer.ok("x".repeat(1 << 24))))) {
            RawClient client = large.connect(4096).send(RawClient.GET);
            large.awaitEvent("write");
            client.reset();
            large.awaitEvent("write_error");
            large.awaitEvent("close");
        }
    }
}
