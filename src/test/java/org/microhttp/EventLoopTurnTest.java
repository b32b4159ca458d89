package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.microhttp.testing.*;

/**
 * R4: what strikes outside of any connection and any task ends a turn. The loop logs it, has its selector
 * watch for everything anew, and goes on, unless it strikes turn after turn. A task that fails, with
 * whatever, is logged, and those after it run in the same turn; when the loop is stopped it runs those
 * that are here, and those that come of them, while its connections are open. An Error of the clock, as of a
 * full stack, ends a connection at most, wherever it strikes.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class EventLoopTurnTest {

    private static final int MOST = 1_000;

    /** Fails when it is due, with what cannot come of a connection there. */
    private static final class Failing extends Scheduler.Entry {

        private final Runnable failure;

        Failing(Runnable failure) {
            this.failure = failure;
        }

        @Override
        void onDeadline() {
            // so that the loop does not pause for other threads
            LockSupport.unpark(Thread.currentThread());
            failure.run();
        }
    }

    /** Ends so many turns, one after the other: all are due at once, and each keeps the others for later. */
    private static void fail(TestServer server, int turns, Runnable failure) throws Exception {
        LoopContext loop = server.loop.context;
        loop.tasks.add(() -> {
            for (int i = 0; i < turns; i++) {
                loop.scheduler.schedule(new Failing(failure), loop.clock.now());
            }
        });
    }

    private static void fail(TestServer server, int turns, Throwable failure) throws Exception {
        fail(server, turns, () -> raise(failure));
    }

    /** Throws anything, also what need not be declared. */
    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void raise(Throwable failure) throws T {
        throw (T) failure;
    }

    @Test
    void afterAFailedTurnTheSelectorWatchesEverythingAgain() throws Exception {
        try (var server = new TestServer(TestServer::echoTarget)) {
            RawClient client = server.connect().get("/1").expectOk("/1");
            Selector selector = Inside.of(server.loop, Selector.class);
            fail(server, 1, () -> {
                selector.keys().forEach(key -> key.interestOps(0));
                throw new Error("wanted");
            });
            server.awaitEvent("turn_error");
            client.get("/2").expectOk("/2");
            server.assertServes();
        }
    }

    /** It would tell of them without end. */
    @Test
    void afterAFailedTurnClientsWithoutAPlaceAreNotWatched() throws Exception {
        var options = TestServer.options().withMaxConnections(1);
        try (var server = new TestServer(options, TestServer::echoTarget)) {
            RawClient first = server.connect().get("/1").expectOk("/1");
            RawClient second = server.connect().get("/2");
            server.awaitEvent("accept_pause");
            fail(server, 1, new Error("wanted"));
            server.awaitEvent("turn_error");
            assertEquals(0, interestInClients(server));
            first.close();
            second.expectOk("/2");
        }
    }

    /** In the turn behind those that were, of the key that is no connection's. */
    private static int interestInClients(TestServer server) throws Exception {
        Selector selector = Inside.of(server.loop, Selector.class);
        var interest = new FutureTask<>(() -> selector.keys().stream()
                .filter(key -> !(key.attachment() instanceof Connection))
                .mapToInt(SelectionKey::interestOps).sum());
        Inside.execute(server.loop, interest);
        return interest.get();
    }

    @Test
    void theLoopServesOnAfterManyFailuresIfATurnDoesNotFailBetweenThem() throws Exception {
        try (var server = new TestServer(TestServer::echoTarget)) {
            RawClient client = server.connect();
            int failed = 0;
            for (Throwable failure : List.of(new Error("wanted"), new IllegalStateException("wanted"))) {
                fail(server, MOST - 1, failure);
                failed += MOST - 1;
                assertSame(failure, server.awaitEvent("turn_error", failed).cause());
                client.get("/1").expectOk("/1");
                server.assertServes();
            }
        }
    }

    @Test
    void theLoopEndsIfTooManyTurnsFailOneAfterTheOther() throws Exception {
        var error = new Error("wanted");
        var server = new TestServer(TestServer::echoTarget);
        fail(server, MOST, error);
        var thrown = assertInstanceOf(IllegalStateException.class, server.join());
        assertSame(error, thrown.getCause());
        assertEquals(MOST - 1, server.log.count("turn_error"));
        assertSame(error, server.awaitEvent("loop_error").cause());
        Leaks.bind(server.port());
    }

    @Test
    void theLoopServesOnAfterTasksThatFail() throws Exception {
        try (var server = new TestServer(TestServer::echoTarget)) {
            RawClient client = server.connect().get("/1").expectOk("/1");
            TaskQueue tasks = server.loop.context.tasks;
            var failures = List.of(new Error("wanted"), new IllegalStateException("wanted"), new Throwable());
            failures.forEach(failure -> tasks.add(() -> raise(failure)));
            client.get("/2").expectOk("/2");
            server.assertServes();
            for (int i = 0; i < 3; i++) {
                assertSame(failures.get(i), server.awaitEvent("turn_error", i + 1).cause());
            }
        }
    }

    /** Of the first comes an answer that is behind all others when the loop is stopped. */
    @Test
    void aStoppedLoopRunsAllPresentTasksAndThoseTheyAdd() throws Exception {
        var handler = new HoldingHandler();
        try (var server = new TestServer(handler)) {
            LoopContext loop = server.loop.context;
            RawClient client = server.connect().get("/later");
            Consumer<Response> answer = handler.pending.take();
            server.connect().get("/block");
            handler.blocks.await();
            loop.tasks.add(() -> {
                addMany(loop);
                answer.accept(TestServer.ok("late"));
            });
            addMany(loop);
            server.loop.stop();
            handler.released.countDown();
            client.expectOk("late").expectEnd();
        }
    }

    /** More than three turns run. */
    private static void addMany(LoopContext loop) {
        for (int i = 0; i < 4_000; i++) {
            loop.tasks.add(() -> { });
        }
    }

    /** The machine's clock, which fails once for a loop's thread. */
    private static final class FailingClock extends Options.Clock {

        private final AtomicInteger looks = new AtomicInteger();

        /** At which look it fails; 0 for none. */
        private volatile int failing;

        @Override
        long nanoTime() {
            boolean own = Thread.currentThread().getName().startsWith("loop-");
            if (own && looks.incrementAndGet() == failing) throw new StackOverflowError("wanted");
            return super.nanoTime();
        }
    }

    /** It serves on, if that is while it runs, and closes everything, if that is while it ends. */
    @ParameterizedTest
    @CsvSource({"1, 1", "2, 2", "3, 3", "4, 4", "5, 5", "6, 6", "7, 7", "8, 8", "9, 1", "10, 2"})
    void aLookAtTheClockThatFailsEndsNoLoop(int away, int awayAtTheEnd) throws Exception {
        var clock = new FailingClock();
        try (var server = new TestServer(TestServer.options().withClock(clock), TestServer::echoTarget)) {
            RawClient client = server.connect().get("/1").expectOk("/1");
            clock.failing = clock.looks.get() + away;
            while (clock.looks.get() < clock.failing) {
                // its connection may be the one that the failure ends
                server.connect().get("/1").halfClose().readUntilItFails();
            }
            server.assertServes();
            client.close();
            clock.failing = clock.looks.get() + awayAtTheEnd;
            server.loop.stop();
            assertNull(server.join());
            Leaks.bind(server.port());
        }
    }
}
