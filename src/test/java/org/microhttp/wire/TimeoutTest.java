package org.microhttp.wire;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.testing.*;

/** R14: a client that keeps us waiting is cut off, not early, and not for ever. */
class TimeoutTest {

    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration SHORT = Duration.ofMillis(300);

    private final MovedClock clock = new MovedClock();
    private final long began = System.nanoTime();
    private TestServer server;

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private RawClient serve(Duration socketTimeout, Duration requestTimeout) throws IOException {
        var options = TestServer.options().withSocketTimeout(socketTimeout)
                .withRequestTimeout(requestTimeout);
        server = new TestServer(clock.in(options), TestServer::echoBody);
        return server.connect();
    }

    private void assertNotEarly() {
        long elapsed = (System.nanoTime() - began) / 1_000_000;
        assertTrue(elapsed >= SHORT.toMillis() && elapsed < 20_000, "after " + elapsed + " ms");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET / HTTP/1.1\r\nHost: ",
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10000\r\n\r\n"})
    void cutsOffWhatTricklesInWith408(String begun) throws Exception {
        try (var trickle = new Trickle(serve(LONG, SHORT).send(begun))) {
            trickle.client.expectRefusal(408, "request_timeout");
            assertNotEarly();
        }
        assertEquals("408", server.awaitEvent("request_timeout").value("status"));
        assertTrue(server.log.count("read_bytes") > 2, "bytes did trickle in");
    }

    @Test
    void givesEveryRequestItsOwnTime() throws Exception {
        RawClient client = serve(LONG.multipliedBy(3), LONG);
        for (int i = 0; i < 4; i++) {
            client.send("GET / HTTP/1.1\r\n");
            server.awaitEvent("read_bytes", 2 * i + 1);
            clock.pass(server.itself, LONG.dividedBy(2));
            client.send("Host: x\r\n\r\n").expectOk("");
        }
        clock.pass(server.itself, LONG.multipliedBy(2));
        client.send(RawClient.GET).expectOk("");
    }

    @Test
    void says408WhenARequestHasBegunAndNothingComes() throws Exception {
        serve(SHORT, LONG).send("GET / HTTP/1.1\r\n").expectRefusal(408, "socket_timeout");
        assertNotEarly();
        assertEquals("408", server.awaitEvent("socket_timeout").value("status"));
    }

    @Test
    void letsABeginningClientLiveWhileBytesCome() throws Exception {
        RawClient client = serve(LONG, LONG.multipliedBy(10)).send("GET / HTTP/1.1\r\nX: ");
        for (int i = 1; i <= 6; i++) {
            server.awaitEvent("read_bytes", i);
            clock.pass(server.itself, LONG.dividedBy(2));
            client.send("x");
        }
        client.send("\r\nHost: x\r\n\r\n").expectOk("");
    }

    @Test
    void closesAnIdleConnectionSilently() throws Exception {
        serve(SHORT, LONG).expectEnd();
        assertNotEarly();
        server.awaitEvent("close");
        assertEquals(List.of("accept", "socket_timeout", "close"), server.log.story(0));
    }

    @Test
    void closesAConnectionThatIsIdleBetweenRequestsSilently() throws Exception {
        serve(SHORT, LONG).send(RawClient.GET).expectOk("").expectEnd();
        assertNotEarly();
        server.awaitEvent("socket_timeout");
    }

    @Test
    void doesNotCloseAConnectionThatIsUsedNowAndThen() throws Exception {
        RawClient client = serve(LONG, LONG);
        for (int i = 0; i < 6; i++) {
            client.send(RawClient.GET).expectOk("");
            clock.pass(server.itself, LONG.dividedBy(2));
        }
        assertEquals(0, server.log.count("close"));
    }

    @Test
    void cutsOffAClientThatReadsNothing() throws Exception {
        var options = TestServer.options().withSocketTimeout(SHORT);
        server = new TestServer(options, (request, callback) ->
                callback.accept(TestServer.ok("x".repeat(1 << 24))));
        RawClient client = server.connect(4096).send(RawClient.GET);
        server.awaitEvent("socket_timeout");
        assertNotEarly();
        server.awaitEvent("close");
        // a reset: the kernel does not go on offering what it holds
        assertThrows(SocketException.class, client::readToEnd);
        server.assertServes();
    }

    @Test
    void servesAClientThatReadsSlowlyButReads() throws Exception {
        var options = TestServer.options().withSocketTimeout(LONG).withSendBufferSize(1 << 14);
        server = new TestServer(clock.in(options), (request, callback) ->
                callback.accept(TestServer.ok("x".repeat(1 << 18))));
        RawClient client = server.connect(1 << 12).send(RawClient.GET);
        int received = 0;
        for (int i = 0; i < 4; i++) {
            int writes = server.log.count("write");
            received += client.read(1 << 15);
            server.awaitEvent("write", writes + 1);
            clock.pass(server.itself, LONG.dividedBy(2));
        }
        assertEquals(1 << 18, received + client.read((1 << 18) - received), "all of it");
        assertEquals(0, server.log.count("socket_timeout"));
    }
}
