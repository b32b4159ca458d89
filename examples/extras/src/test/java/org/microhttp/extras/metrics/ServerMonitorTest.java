package org.microhttp.extras.metrics;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.*;
import org.microhttp.testing.*;

/** What balancers and Prometheus are answered while a server begins, serves, drains and ends. */
@Tier.Program
final class ServerMonitorTest {

    private static final Duration LONG = Duration.ofHours(1);

    private final ServerMonitor monitor = new ServerMonitor();
    private final CountDownLatch slow = new CountDownLatch(1);
    private Server server;

    @AfterEach
    void end() {
        slow.countDown();
        if (server != null) {
            server.close();
        }
    }

    private void handle(Request request, Consumer<Response> callback) {
        switch (request.path()) {
            case "/ready" -> callback.accept(monitor.ready());
            case "/metrics" -> callback.accept(monitor.metrics());
            case "/slow" -> new Thread(() -> {
                TestServer.await(slow);
                callback.accept(TestServer.ok("slow"));
            }).start();
            default -> callback.accept(TestServer.ok("other"));
        }
    }

    private void watch(ServerKind kind, Options options) throws IOException {
        server = monitor.watch(options, o -> kind.make(o, new NoopLogger(), this::handle, kind.loops));
    }

    private RawClient connect() throws IOException {
        return RawClient.to(server.getAddress());
    }

    private static int ready(RawClient client) throws IOException {
        RawResponse response = client.get("/ready").response();
        assertEquals("no-store", response.header("Cache-Control"));
        return response.status();
    }

    private static void awaitNotReady(RawClient client) throws IOException {
        while (ready(client) == 200) {
            Thread.onSpinWait();
        }
    }

    @Test
    void withoutAServerItIsNeverReady() {
        assertEquals(503, monitor.ready().status());
        assertEquals(503, monitor.metrics().status());
        assertEquals(0, monitor.stop(LONG, LONG));
    }

    /** A second stop, of another thread, ends the wait of the first. */
    @ParameterizedTest
    @EnumSource
    void aServerIsStoppedAfterBalancersHaveNoticed(ServerKind kind) throws Exception {
        var told = new CountDownLatch(1);
        watch(kind, TestServer.options().withOnStopping(told::countDown));
        server.startAsync().join();
        try (RawClient balancer = connect(); RawClient waiting = connect()) {
            assertEquals(200, ready(balancer));
            var stopping = new PendingStop(() -> monitor.stop(LONG, LONG));
            awaitNotReady(balancer);
            // others have not noticed: all is served as before, and streams are not told yet
            assertEquals(1, told.getCount());
            waiting.get("/slow");
            try (RawClient late = connect()) {
                assertEquals("other", late.get("/").response().text());
            }
            var noticed = new PendingStop(() -> monitor.stop(Duration.ZERO, LONG));
            TestServer.await(told);
            slow.countDown();
            assertEquals("slow", waiting.response().text());
            assertEquals(0, stopping.dropped() + noticed.dropped());
        }
        server.ended().join();
    }

    /** When the options' own action runs, it says so already. */
    @Test
    void isNotReadyAfterAStopThatDidNotAskIt() throws Exception {
        var told = new AtomicInteger();
        watch(ServerKind.LOOP, TestServer.options().withOnStopping(() -> told.set(monitor.ready().status())));
        server.startAsync().join();
        assertEquals(200, monitor.ready().status());
        assertEquals(0, server.stop(LONG));
        assertEquals(503, told.get());
    }

    @Test
    void saysHowManyRequestsWereDropped() throws Exception {
        watch(ServerKind.LOOP, TestServer.options());
        server.startAsync().join();
        try (RawClient waiting = connect(); RawClient other = connect()) {
            waiting.get("/slow");
            other.get("/").response();
            assertEquals(1, monitor.stop(Duration.ZERO, Duration.ofMillis(10)));
            assertEquals(0, waiting.readUntilItFails().length());
        }
    }

    /** The numbers are those of the server that is made after the handler. */
    @Test
    void countsForPrometheus() throws Exception {
        var seen = new AtomicInteger();
        watch(ServerKind.LOOP, TestServer.options().withExchangeListener(exchange -> seen.incrementAndGet()));
        server.startAsync().join();
        try (RawClient client = connect()) {
            client.get("/").response();
            RawResponse response = client.get("/metrics").response();
            assertEquals("text/plain; version=0.0.4; charset=utf-8", response.header("Content-Type"));
            String text = response.text();
            assertTrue(text.contains("microhttp_connections 1\n"), text);
            assertTrue(text.contains("microhttp_response_duration_seconds_count 1\n"), text);
        }
        assertTrue(seen.get() >= 1, "the options' own listener gets the exchanges, too");
    }

    /** They are else measured only for a listener. */
    @Test
    void durationsAreCountedWithoutAListener() throws Exception {
        watch(ServerKind.LOOP, TestServer.options());
        server.startAsync().join();
        try (RawClient client = connect()) {
            client.get("/").response();
            String text = client.get("/metrics").response().text();
            assertTrue(text.contains("microhttp_response_duration_seconds_count 1\n"), text);
        }
    }

    @Test
    void aServerThatHasFailedIsNotReadyNorWaitedFor() throws Exception {
        watch(ServerKind.LOOP, TestServer.options());
        assertEquals(200, monitor.ready().status());
        assertThrows(RuntimeException.class, () -> server.start(() -> {
            throw new IllegalStateException("planned");
        }));
        assertEquals(503, monitor.ready().status());
        assertEquals(0, monitor.stop(LONG, LONG));
    }

    @Test
    void theWaitBeginsWhenItLeaves() {
        monitor.leave();
        long now = System.nanoTime();
        monitor.leave();
        assertTrue(monitor.drainLeft(Duration.ofNanos(5), now + 5) <= 0);
        assertTrue(monitor.drainLeft(LONG, now) > 0);
    }

    @Test
    void anInterruptEndsTheWait() throws Exception {
        watch(ServerKind.LOOP, TestServer.options());
        server.startAsync().join();
        try (RawClient balancer = connect()) {
            var kept = new CountDownLatch(1);
            var thread = new Thread(() -> {
                monitor.stop(LONG, Duration.ZERO);
                if (Thread.currentThread().isInterrupted()) {
                    kept.countDown();
                }
            });
            thread.start();
            awaitNotReady(balancer);
            thread.interrupt();
            TestServer.await(kept);
        }
        server.ended().join();
    }

    @Test
    void aServerThatWasNotMadeIsNotWatched() throws Exception {
        assertThrows(IOException.class, () -> monitor.watch(new Options(), options -> {
            throw new IOException("planned");
        }));
        assertEquals(503, monitor.ready().status());
        watch(ServerKind.LOOP, TestServer.options());
        assertEquals(200, monitor.ready().status());
        assertThrows(IllegalStateException.class, () -> watch(ServerKind.LOOP, TestServer.options()));
    }

    @Test
    void timesHaveLimits() throws Exception {
        watch(ServerKind.LOOP, TestServer.options());
        for (Duration wrong : List.of(Duration.ofNanos(-1), Duration.ofDays(365).plusNanos(1))) {
            assertThrows(IllegalArgumentException.class, () -> monitor.stop(wrong, LONG));
            assertThrows(IllegalArgumentException.class, () -> monitor.stop(LONG, wrong));
        }
        assertEquals(200, monitor.ready().status());
    }
}
