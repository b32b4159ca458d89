package org.microhttp.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.microhttp.tools.RawClient;
import org.microhttp.tools.TestServer;
import org.microhttp.wire.tools.Trickle;

/** R14: a client that keeps us waiting is cut off, not early, and not for ever. */
class TimeoutTest {

    private static final Duration LONG = Duration.ofMinutes(10);

    private final long began = System.nanoTime();
    private TestServer server;

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private RawClient serve(Duration socketTimeout, Duration requestTimeout) throws IOException {
        var options = TestServer.options().withSocketTimeout(socketTimeout)
                .withRequestTimeout(requestTimeout);
        server = new TestServer(options, TestServer::echoBody);
        return server.connect();
    }

    private void assertNotEarly(int millis) {
        long elapsed = (System.nanoTime() - began) / 1_000_000;
        assertTrue(elapsed >= millis, "after " + elapsed + " ms");
        assertTrue(elapsed < millis + 20_000, "after " + elapsed + " ms");
    }

    @Test
    void cutsOffAHeadThatTricklesInWith408() throws Exception {
        RawClient client = serve(LONG, Duration.ofMillis(600)).send("GET / HTTP/1.1\r\nHost: ");
        try (var trickle = new Trickle(client, "x", 20)) {
            trickle.client.expectRefusal(408, "request_timeout");
            assertNotEarly(600);
        }
        assertEquals("408", server.awaitEvent("request_timeout").value("status"));
        assertTrue(server.log.count("read_bytes") > 2, "bytes did trickle in");
    }

    @Test
    void cutsOffABodyThatTricklesInWith408() throws Exception {
        RawClient client = serve(LONG, Duration.ofMillis(600))
                .send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10000\r\n\r\n");
        try (var trickle = new Trickle(client, "x", 20)) {
            trickle.client.expectRefusal(408, "request_timeout");
            assertNotEarly(600);
        }
    }

    @Test
    void givesEveryRequestItsOwnTime() throws Exception {
        RawClient client = serve(LONG, Duration.ofMillis(800));
        for (int i = 0; i < 4; i++) {
            client.send("GET / HTTP/1.1\r\n");
            assertEquals("", client.readWithin(300));
            client.send("Host: x\r\n\r\n").expectOk("");
        }
        assertEquals("", client.readWithin(1000));
        client.send(RawClient.GET).expectOk("");
    }

    @Test
    void says408WhenARequestHasBegunAndNothingComes() throws Exception {
        RawClient client = serve(Duration.ofMillis(300), LONG).send("GET / HTTP/1.1\r\n");
        client.expectRefusal(408, "socket_timeout");
        assertNotEarly(300);
        assertEquals("408", server.awaitEvent("socket_timeout").value("status"));
    }

    @Test
    void letsABeginningClientLiveWhileBytesCome() throws Exception {
        RawClient client = serve(Duration.ofMillis(500), LONG).send("GET / HTTP/1.1\r\nX: ");
        for (int i = 0; i < 6; i++) {
            assertEquals("", client.readWithin(150));
            client.send("x");
        }
        client.send("\r\nHost: x\r\n\r\n").expectOk("");
    }

    @Test
    void closesAnIdleConnectionSilently() throws Exception {
        RawClient client = serve(Duration.ofMillis(300), LONG);
        client.expectEnd();
        assertNotEarly(300);
        server.awaitEvent("close");
        assertEquals(List.of("accept", "socket_timeout", "close"), server.log.story(0));
    }

    @Test
    void closesAConnectionThatIsIdleBetweenRequestsSilently() throws Exception {
        RawClient client = serve(Duration.ofMillis(300), LONG).send(RawClient.GET).expectOk("");
        client.expectEnd();
        assertNotEarly(300);
        server.awaitEvent("socket_timeout");
    }

    @Test
    void doesNotCloseAConnectionThatIsUsedNowAndThen() throws Exception {
        RawClient client = serve(Duration.ofMillis(600), LONG);
        for (int i = 0; i < 6; i++) {
            client.send(RawClient.GET).expectOk("");
            assertEquals("", client.readWithin(200));
        }
    }

    @Test
    void cutsOffAClientThatReadsNothing() throws Exception {
        var options = TestServer.options().withSocketTimeout(Duration.ofMillis(300));
        server = new TestServer(options, (request, callback) ->
                callback.accept(TestServer.ok("x".repeat(1 << 24))));
        RawClient client = server.connect(4096).send(RawClient.GET);
        server.awaitEvent("socket_timeout");
        assertNotEarly(300);
        server.awaitEvent("close");
        // a reset: the kernel does not go on offering what it holds
        assertThrows(SocketException.class, client::readToEnd);
        server.assertServes();
    }

    @Test
    void servesAClientThatReadsSlowlyButReads() throws Exception {
        var options = TestServer.options().withSocketTimeout(Duration.ofMillis(900))
                .withSendBufferSize(1 << 14);
        server = new TestServer(options, (request, callback) ->
                callback.accept(TestServer.ok("x".repeat(1 << 18))));
        RawClient client = server.connect(1 << 12).send(RawClient.GET);
        int received = 0;
        for (int pause = 0; pause < 8; pause++) {
            assertEquals(0, server.log.count("socket_timeout"));
            received += client.readAfter(200, 1 << 14);
        }
        assertNotEarly(1500);
        assertTrue(received + client.countToEnd() > 1 << 18, "all of it");
    }
}
