package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;
import static org.microhttp.testing.TestServer.await;

import java.nio.channels.Selector;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.testing.*;

/**
 * A loop that is closed frees all it has, whatever throws. A thread that closes a server that does not end
 * gives up after ten seconds, which pass here as soon as it waits.
 */
class EventLoopCloseTest {

    /** For one thread, all but the first look at it is later. */
    private static final class PatienceClock extends Options.Clock {

        private volatile Thread waiting;
        private boolean looked;

        @Override
        long nanoTime() {
            long now = super.nanoTime();
            if (Thread.currentThread() != waiting) return now;
            long later = looked ? TimeUnit.SECONDS.toNanos(11) : 0;
            looked = true;
            return now + later;
        }
    }

    private final PatienceClock clock = new PatienceClock();
    private final RecordingLogger log = new RecordingLogger();
    private CountDownLatch blocked;
    private final CountDownLatch released = new CountDownLatch(1);
    private final Handler blocking = (request, callback) -> {
        blocked.countDown();
        await(released);
        callback.accept(TestServer.ok("too late"));
    };

    private Options options() {
        return TestServer.options().withClock(clock);
    }

    /** Has a thread of its own close it, and waits for that. */
    private void close(Runnable action) throws Exception {
        var closer = Executors.newSingleThreadExecutor();
        try {
            closer.submit(() -> {
                clock.waiting = Thread.currentThread();
                action.run();
            }).get(8, TimeUnit.SECONDS);
        } finally {
            closer.shutdown();
        }
    }

    /** Where a failure strikes while a loop is freed. */
    enum Step { PORT, CLOCK, TASK }

    @ParameterizedTest
    @EnumSource
    void releasesEverythingElseIfAStepThrows(Step step) throws Exception {
        var failing = new AtomicBoolean();
        Options options = Inside.withClock(TestServer.options(), () -> {
            if (failing.getAndSet(false)) throw new IllegalStateException("wanted");
            return System.nanoTime();
        }, System::currentTimeMillis);
        var loop = new EventLoop(options, log, TestServer::echoTarget);
        var context = loop.context;
        try (var client = new RawClient(loop.getPort())) {
            int port = loop.getPort();
            Inside.acceptor(context).onReady();
            switch (step) {
                case PORT -> Inside.set(loop, Acceptor.class, null);
                case CLOCK -> failing.set(true);
                case TASK -> context.tasks.add(() -> {
                    throw new IllegalStateException("wanted");
                });
            }
            loop.leave(System.nanoTime());
            // what is registered is closed without the acceptor
            String event = step == Step.TASK ? "turn_error" : "loop_error";
            assertEquals(step == Step.PORT ? 0 : 1, log.count(event));
            assertTrue(context.tasks.ended, "tasks");
            assertTrue(loop.stop(Duration.ZERO) == 0 && log.count("leave_timeout") == 0, "the end");
            assertFalse(Inside.of(loop, Selector.class).isOpen(), "the selector");
            assertEquals("", client.readUntilItFails());
            Leaks.bind(port);
        }
    }

    /** Once for all of its loops. */
    @ParameterizedTest
    @EnumSource
    void stopsWaitingForALoopThatDoesNotEnd(ServerKind kind) throws Exception {
        blocked = new CountDownLatch(kind.loops);
        var server = kind.make(options(), log, blocking, kind.loops);
        var thread = new Thread(server::start);
        thread.start();
        List<RawClient> clients = new ArrayList<>();
        try {
            // one on each loop, as the emptiest gets the next, before one of them is blocked
            for (int i = 1; i <= kind.loops; i++) {
                clients.add(new RawClient(server.getPort()));
                log.await("accept", i);
            }
            for (RawClient client : clients) {
                client.get("/");
            }
            blocked.await();
            close(server::close);
            assertTrue(thread.isAlive());
            assertEquals(kind.loops, log.count("leave_timeout"));
            assertEquals("1", log.await("leave_timeout").value("requests"));
        } finally {
            released.countDown();
        }
        TestServer.join(thread);
        for (RawClient client : clients) {
            client.close();
        }
        Leaks.bind(server.getPort());
    }

    /** Who starts a server that is being closed has to wait: only then its port is free. */
    @ParameterizedTest
    @EnumSource
    void startWaitsForAnotherThreadThatCloses(ServerKind kind) throws Exception {
        Server server = kind.make(options(), log, TestServer::echoTarget, kind.loops);
        var closing = new CountDownLatch(1);
        Inside.execute(Inside.loops(server).get(0), () -> {
            closing.countDown();
            await(released);
        });
        var closer = new Thread(server::close);
        closer.start();
        closing.await();
        var starters = List.of(new Thread(server::start), new Thread(server::start));
        starters.forEach(Thread::start);
        starters.forEach(EventLoopCloseTest::awaitWaiting);
        released.countDown();
        for (Thread starter : starters) {
            TestServer.join(starter);
        }
        Leaks.bind(server.getPort());
        TestServer.join(closer);
    }

    private static void awaitWaiting(Thread starter) {
        while (starter.getState() != Thread.State.WAITING) {
            assertTrue(starter.isAlive(), "it returns before all is closed");
            Thread.onSpinWait();
        }
    }

    /** It has begun to end, though its loops go on for a while. */
    @ParameterizedTest
    @EnumSource
    void startWaitsForTheEndOfAGracefulStop(ServerKind kind) throws Exception {
        var handler = new HoldingHandler();
        try (var server = new TestServer(kind, handler)) {
            RawClient client = server.connect().get("/later");
            Consumer<Response> callback = handler.pending.take();
            PendingStop stopping = server.beginGracefulStop(Duration.ofSeconds(30));
            var starter = new Thread(server.itself::start);
            starter.start();
            awaitWaiting(starter);
            callback.accept(TestServer.ok("late"));
            assertEquals("late", client.response().text());
            TestServer.join(starter);
            assertTrue(server.itself.ended().isDone());
            assertEquals(0, stopping.dropped());
        }
    }

    /** A request came and was answered after the unanswered ones were counted. */
    @Test
    void countsNoneIfItSeesMoreAnswersThanRequests() throws Exception {
        var handler = new HoldingHandler();
        try (var server = new TestServer(handler)) {
            RawClient client = server.connect().get("/later");
            Consumer<Response> callback = handler.pending.take();
            CountDownLatch go = server.hold();
            callback.accept(TestServer.ok("late"));
            Counters counters = server.loop.context.counters;
            counters.add(Counters.UNANSWERED, -1);
            int dropped = server.loop.stop(Duration.ZERO);
            counters.add(Counters.UNANSWERED, 1);
            go.countDown();
            assertEquals(0, dropped);
            assertEquals("0", server.awaitEvent("leave_timeout").value("requests"));
            assertEquals("late", client.response().text());
        }
    }
}
