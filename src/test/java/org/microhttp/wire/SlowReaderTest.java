package org.microhttp.wire;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.microhttp.testing.*;

/** R14: clients that read slowly or not at all, which no row of wire.txt can say. */
class SlowReaderTest {

    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration SHORT = Duration.ofMillis(300);

    private final ManualClock clock = new ManualClock();
    private final long began = System.nanoTime();
    private TestServer server;

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private void assertNotEarly() {
        long elapsed = (System.nanoTime() - began) / 1_000_000;
        assertTrue(elapsed >= SHORT.toMillis() && elapsed < 20_000, "after " + elapsed + " ms");
    }

    @Test
    void clientThatReadsNothingIsCutOff() throws Exception {
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
    void clientThatReadsSlowlyIsServed() throws Exception {
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

    @Test
    void resetIsNoticedDuringAWrite() throws Exception {
        server = new TestServer((request, callback) ->
                callback.accept(TestServer.ok("x".repeat(1 << 24))));
        RawClient client = server.connect(4096).send(RawClient.GET);
        server.awaitEvent("write");
        client.reset();
        server.awaitEvent("write_error");
        server.awaitEvent("close");
    }
}
