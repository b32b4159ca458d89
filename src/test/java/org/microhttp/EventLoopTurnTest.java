package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.microhttp.testing.*;

/**
 * R4: what strikes outside of any connection and any task ends a turn. The loop logs it, has its selector
 * watch for everything anew, and goes on, unless it strikes turn after turn. A task that fails, with
 * whatever, is logged, and those after it run in the same turn; when the loop is stopped it runs those
 * that are here, and those that come of them, while its connections are open.
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
        LoopContext loop = Inside.of(server.loop, LoopContext.class);
        loop.tasks.add(() -> {
            for (int i = 0; i < turns; i++) {
                loop.scheduler.schedule(new Failing(failure), loop.clock.now());
            }
        });
    }

    private static void fail(TestServer server, int turns, Error error) throws Exception {
        fail(server, turns, () -> {
            throw error;
        });
    }

    @Test
    void theLoopServesOn() throws Exception {
        var error = new Error("wanted");
        var exception = new IllegalStateException("wanted");
        try (var server = new TestServer(TestServer::echoTarget)) {
            RawClient client = server.connect().get("/1").expectOk("/1");
            fail(server, 1, error);
            assertSame(error, server.awaitEvent("turn_error").cause());
            fail(server, 1, () -> {
                throw exception;
            });
            assertSame(exception, server.awaitEvent("turn_error", 2).cause());
            client.get("/2").expectOk("/2");
            server.assertServes();
            assertEquals(2, server.log.count("turn_error"));
        }
    }

    @Test
    void theSelectorIsToldAnewWhatItHasForgotten() throws Exception {
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
    void theSelectorIsNotToldOfClientsThatThereIsNoPlaceFor() throws Exception {
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
            for (int round = 1; round <= 2; round++) {
                fail(server, MOST - 1, new Error("wanted"));
                server.awaitEvent("turn_error", round * (MOST - 1));
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
        Freed.bind(server.port());
    }

    /** None of an exception's own: what is thrown may be anything. */
    private static final class Unusual extends Throwable {

        private static final long serialVersionUID = 1;

        private static <T extends Throwable> void raise() throws T {
            @SuppressWarnings("unchecked")
            T unchecked = (T) new Unusual();
            throw unchecked;
        }
    }

    @Test
    void theLoopServesOnAfterTasksThatFail() throws Exception {
        var error = new Error("wanted");
        var exception = new IllegalStateException("wanted");
        try (var server = new TestServer(TestServer::echoTarget)) {
            RawClient client = server.connect().get("/1").expectOk("/1");
            LoopContext loop = Inside.of(server.loop, LoopContext.class);
            loop.tasks.add(() -> {
                throw error;
            });
            loop.tasks.add(() -> {
                throw exception;
            });
            loop.tasks.add(Unusual::raise);
            client.get("/2").expectOk("/2");
            server.assertServes();
            assertSame(error, server.awaitEvent("turn_error").cause());
            assertSame(exception, server.awaitEvent("turn_error", 2).cause());
            assertSame(Unusual.class, server.awaitEvent("turn_error", 3).cause().getClass());
        }
    }

    @Test
    void whatIsBehindATaskThatFailsIsDoneInTheSameTurn() throws Exception {
        try (var scripted = new ScriptedLoop(TestServer::echoTarget)) {
            ScriptedLoop.Client client = scripted.connect().turn(ScriptedLoop.get("/later"));
            scripted.context.tasks.add(() -> {
                throw new Error("wanted");
            });
            ScriptedLoop.elsewhere(() -> scripted.later.get(0).accept(TestServer.ok("late")));
            scripted.runTasks();
            assertEquals(ScriptedLoop.ok("late"), client.received());
            assertEquals(1, scripted.log.count("turn_error"));
        }
    }

    /** Of the first comes an answer that is behind all others when the loop is stopped. */
    @Test
    void theLoopEndsBehindAllThatAreHereAndAllThatComeOfThem() throws Exception {
        var handler = new HoldingHandler();
        try (var server = new TestServer(handler)) {
            LoopContext loop = Inside.of(server.loop, LoopContext.class);
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
}
