package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.microhttp.testing.*;

/**
 * A turn that takes too long is reported once, with the stack of its thread; nothing else is. Time passes
 * only when a test says so: on a busy machine any turn may take long.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WatchdogTest {

    private static final long LIMIT = 20_000_000;

    /** Below zero, as a clock may be. */
    private final AtomicLong time = new AtomicLong(-1_000_000_000_000L);

    /** How often a watchdog has looked at the clock. */
    private final AtomicInteger looks = new AtomicInteger();
    private ScriptedLoop loop;

    @AfterEach
    void stop() throws IOException {
        if (loop == null) return;
        loop.context.end.done.complete(null);
        loop.close();
    }

    private Options watched() {
        return Inside.withClock(TestServer.options().withWatchdog(Duration.ofNanos(LIMIT)), () -> {
            if (Thread.currentThread().getName().endsWith("-watchdog")) looks.incrementAndGet();
            return time.get();
        }, System::currentTimeMillis);
    }

    /** Watches a loop whose turns this thread runs. */
    private void watch() throws IOException {
        loop = new ScriptedLoop(watched(), TestServer::echoTarget);
        new Watchdog(loop.context, Duration.ofNanos(LIMIT));
    }

    /** A turn that takes so long, and in which the watchdog looks at least twice after that. */
    private void turn(long nanos) {
        loop.context.clock.beginTurn();
        time.addAndGet(nanos);
        awaitLooks();
        loop.context.clock.endTurn();
    }

    private void awaitLooks() {
        // the first of these may have begun before
        int enough = looks.get() + 3;
        while (looks.get() < enough) {
            Thread.onSpinWait();
        }
    }

    @Test
    void eachLongTurnIsReportedOnceAndWhereItIs() throws Exception {
        watch();
        for (int i = 1; i <= 3; i++) {
            turn(LIMIT - 1);
            turn(LIMIT + i * 1_000_000);
            assertEquals(i, loop.log.count("loop_blocked"));
            var event = loop.log.await("loop_blocked", i);
            assertEquals("" + (20 + i), event.value("millis"));
            assertTrue(Arrays.stream(event.cause().getStackTrace())
                    .anyMatch(frame -> frame.getMethodName().equals("awaitLooks")));
        }
        turn(LIMIT);
        assertEquals(4, loop.log.count("loop_blocked"));
    }

    @Test
    void aLoopThatWaitsIsNotReported() throws Exception {
        watch();
        for (int longTurns = 0; longTurns < 2; longTurns++) {
            time.addAndGet(100 * LIMIT);
            awaitLooks();
            assertEquals(longTurns, loop.log.count("loop_blocked"));
            turn(LIMIT);
        }
    }

    /** An interrupt in the middle of a report would close the file that a logger writes it to. */
    @Test
    void endsAfterItsLoopWithoutAnInterruptIfALoggerTakesLong() throws Exception {
        watch();
        var interrupted = new AtomicBoolean();
        var ended = new CountDownLatch(1);
        loop.log.hook = event -> {
            loop.context.end.done.complete(null);
            while (ended.getCount() > 0) {
                Thread.onSpinWait();
            }
            interrupted.set(Thread.interrupted());
        };
        Thread dog = TestServer.threads(Thread.currentThread().getName() + "-watchdog").get(0);
        assertTrue(dog.isDaemon());
        loop.context.clock.beginTurn();
        time.addAndGet(LIMIT);
        loop.context.end.done.join();
        ended.countDown();
        TestServer.join(dog);
        assertFalse(interrupted.get());
    }

    /** A turn that goes on with a batch calls a handler before anything is read or sent. */
    @Test
    void aTurnThatBeginsWithAHandlerIsReported() throws Exception {
        var log = RecordingLogger.of("loop_blocked");
        try (var server = new TestServer(watched(), log, (request, callback) -> {
            if (request.target().equals("/128")) {
                time.addAndGet(LIMIT);
                log.await("loop_blocked");
            }
            callback.accept(TestServer.ok(request.target()));
        })) {
            var batch = new StringBuilder();
            for (int i = 0; i < 130; i++) {
                batch.append("GET /" + i + " HTTP/1.1\r\nHost: x\r\n\r\n");
            }
            server.connect().send(batch.toString()).expectOks(130, i -> "/" + i);
            assertEquals(1, log.count("loop_blocked"));
        }
    }

    @Test
    void eachLoopOfAServerHasOneOnlyIfItIsWanted() throws Exception {
        try (var server = new TestServer(TestServer::echoTarget)) {
            server.assertServes();
            assertEquals(List.of(), TestServer.threads(server.thread.getName() + "-watchdog"));
        }
        try (var server = new TestServer(ServerKind.GROUP, watched(), TestServer::echoTarget, 3)) {
            for (String name : List.of(server.thread.getName(), "microhttp-1", "microhttp-2")) {
                awaitWatchdogs(name, 1);
            }
            server.stop();
        }
        awaitWatchdogs("microhttp-1", 0);
        awaitWatchdogs("microhttp-2", 0);
    }

    private static void awaitWatchdogs(String watched, int count) {
        while (TestServer.threads(watched + "-watchdog").size() != count) {
            Thread.onSpinWait();
        }
    }

    @Test
    void endsWithALoopThatFails() throws Exception {
        var server = new TestServer(watched(), TestServer::echoTarget);
        server.assertServes();
        Thread dog = TestServer.threads(server.thread.getName() + "-watchdog").get(0);
        Inside.of(server.loop, Selector.class).close();
        server.join();
        TestServer.join(dog);
    }
}
