package org.microhttp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.microhttp.EventLoop;
import org.microhttp.tools.HoldingHandler;
import org.microhttp.tools.HookedLogger;
import org.microhttp.tools.RawClient;
import org.microhttp.tools.RecordingLogger;
import org.microhttp.tools.Stopping;
import org.microhttp.tools.TestGroup;
import org.microhttp.tools.TestServer;

/**
 * A loop that leaves lets in who waits in the kernel's queue, but no more than its backlog, no more at once
 * than its limit of connections, and nobody when its time is over.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class LeavingBoundsTest {

    private static final Duration LONG = Duration.ofSeconds(40);

    /** As many as are let in before the loop looks at the time again, and the one that blocks it. */
    private static final int ONE_TURN = 65;

    private final HoldingHandler handler = new HoldingHandler();
    private final CountDownLatch released = handler.released;
    private final List<RawClient> clients = new ArrayList<>();

    @AfterEach
    void closeClients() throws IOException {
        for (RawClient client : clients) {
            client.close();
        }
    }

    private RawClient connect(int port) {
        try {
            var client = new RawClient(port);
            clients.add(client);
            return client;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Has a handler block the loop, and then so many wait in the kernel's queue, each with a request. */
    private void fillQueue(int port, int count) throws IOException {
        connect(port).get("/block");
        TestServer.await(handler.blocks);
        for (int i = 0; i < count; i++) {
            connect(port).get("/waiting");
        }
    }

    @Test
    void neverHasMoreConnectionsThanItMay() throws Exception {
        try (var server = new TestServer(TestServer.options().withMaxConnections(10), handler)) {
            fillQueue(server.port(), 40);
            var stopping = new Stopping(server.loop, LONG).awaitWaiting();
            released.countDown();
            for (RawClient client : clients) {
                assertEquals(200, client.response().status());
                client.close();
            }
            assertEquals(0, stopping.dropped());
            int most = mostOpen(server.log.events());
            assertTrue(most <= 10, most + " connections at once");
        }
    }

    private static int mostOpen(List<RecordingLogger.Event> events) {
        int open = 0;
        int most = 0;
        for (var event : events) {
            open += event.name().equals("accept") ? 1 : event.name().equals("close") ? -1 : 0;
            most = Math.max(most, open);
        }
        return most;
    }

    /** For each that is let in another comes: without an end there would be none. */
    @Test
    void letsInNoMoreThanMayWait() throws Exception {
        var port = new AtomicInteger();
        var more = new AtomicInteger(300);
        var logger = new HookedLogger(event -> {
            boolean comes = event.equals("accept") && released.getCount() == 0;
            if (comes && more.decrementAndGet() >= 0) connect(port.get());
        });
        var options = TestServer.options().withAcceptLength(5);
        try (var loop = new EventLoop(options, logger, handler)) {
            port.set(loop.getPort());
            var thread = new Thread(loop::start);
            thread.start();
            fillQueue(loop.getPort(), 3);
            var stopping = new Stopping(loop, LONG).awaitWaiting();
            released.countDown();
            stopping.dropped();
            TestGroup.join(thread);
            int letIn = logger.log.count("accept") - 1;
            assertTrue(letIn >= 3 && letIn <= 5, letIn + " were let in");
        }
    }

    @Test
    void letsNobodyInWhenItsTimeIsOver() throws Exception {
        try (var server = new TestServer(handler)) {
            fillQueue(server.port(), 400);
            var stopping = new Stopping(server.loop, Duration.ZERO).awaitWaiting();
            released.countDown();
            stopping.dropped();
            assertLetInAtMostOneTurn(server);
        }
    }

    @Test
    void letsNobodyInAfterAStop() throws Exception {
        try (var server = new TestServer(handler)) {
            fillQueue(server.port(), 400);
            var stopping = new Stopping(server.loop, LONG).awaitWaiting();
            server.loop.stop();
            released.countDown();
            stopping.dropped();
            assertLetInAtMostOneTurn(server);
        }
    }

    private static void assertLetInAtMostOneTurn(TestServer server) {
        server.join();
        int count = server.log.count("accept");
        assertTrue(count <= ONE_TURN, count + " were let in");
        assertEquals(0, server.log.count("accept_error"));
    }
}
