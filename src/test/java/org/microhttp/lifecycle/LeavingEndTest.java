package org.microhttp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.EventLoop;
import org.microhttp.EventLoopGroup;
import org.microhttp.Inside;
import org.microhttp.NoopLogger;
import org.microhttp.Options;
import org.microhttp.Response;
import org.microhttp.tools.Freed;
import org.microhttp.tools.HoldingHandler;
import org.microhttp.tools.RawClient;
import org.microhttp.tools.RecordingLogger;
import org.microhttp.tools.Stopping;
import org.microhttp.tools.TestGroup;
import org.microhttp.tools.TestServer;

/** How {@code stop(grace)} ends: when, with what number, for whom who calls it, and what is free then. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class LeavingEndTest {

    private static final Duration LONG = Duration.ofSeconds(40);
    private static final Duration SHORT = Duration.ofMillis(50);

    private final HoldingHandler handler = new HoldingHandler();
    private final BlockingQueue<Consumer<Response>> pending = handler.pending;

    @Test
    void takesNoTimeWhenNothingHappenedForASecond() throws Exception {
        long best = Long.MAX_VALUE;
        for (int i = 0; i < 5 && best > 50; i++) {
            // with the default resolution, by which nothing may be late
            var options = new Options().withHost("127.0.0.1").withPort(0);
            try (var server = new TestServer(options, handler)) {
                RawClient used = server.connect().get("/1").expectOk("/1");
                RawClient unused = server.connect();
                server.awaitEvent("accept", 2);
                // this is the second in which nothing happens
                TimeUnit.MILLISECONDS.sleep(1_050);
                long began = System.nanoTime();
                assertEquals(0, server.loop.stop(LONG));
                best = Math.min(best, (System.nanoTime() - began) / 1_000_000);
                used.expectEnd();
                unused.expectEnd();
            }
        }
        assertTrue(best <= 50, best + " ms");
    }

    @Test
    void waitsNoLongerThanItMayAndCountsEachRequestThatIsDropped() throws Exception {
        var large = new Response(200, "OK", List.of(), new byte[16 << 20]);
        try (var server = new TestServer((request, callback) -> {
            if (request.uri().equals("/large")) callback.accept(large);
            else handler.handle(request, callback);
        })) {
            RawClient begun = server.connect().send("GET / HT");
            RawClient handled = server.connect().get("/later");
            RawClient second = server.connect().get("/later");
            RawClient writing = server.connect(4096).get("/large");
            RawClient lingering = server.connect().send("wrong\r\n");
            RawClient idle = server.connect().get("/1").expectOk("/1");
            server.awaitEvent("write");
            server.awaitEvent("linger");
            server.awaitEvent("read_request", 4);
            server.awaitEvent("read_bytes", 6);
            assertEquals(4, server.loop.stop(SHORT));
            begun.expectEnd();
            handled.expectEnd();
            second.expectEnd();
            assertTrue(writing.countToEnd() < 16 << 20);
            assertEquals(400, lingering.response().status());
            idle.expectEnd();
            assertEquals(6, server.log.count("close"));
            assertEquals(null, server.join());
        }
    }

    @Test
    void withoutAnyTimeStillAnswersWhatCanBeAnsweredAtOnce() throws Exception {
        try (var server = new TestServer(handler)) {
            RawClient handled = server.connect().get("/later");
            pending.take();
            RawClient blocking = server.connect().get("/block");
            handler.blocks.await();
            RawClient waiting = server.connect().get("/waiting");
            var stopping = new Stopping(server.loop, Duration.ZERO).awaitWaiting();
            handler.released.countDown();
            assertEquals("/waiting", waiting.response().text());
            waiting.expectEnd();
            blocking.expectOk("/block").expectEnd();
            handled.expectEnd();
            assertEquals(1, stopping.dropped());
        }
    }

    @Test
    void onlyBeginsOnTheThreadOfTheLoop() throws Exception {
        var itself = new AtomicReference<EventLoop>();
        var returned = new AtomicInteger(-1);
        try (var server = new TestServer((request, callback) -> {
            if (request.uri().equals("/stop")) returned.set(itself.get().stop(LONG));
            handler.handle(request, callback);
        })) {
            itself.set(server.loop);
            RawClient other = server.connect().get("/later");
            Consumer<Response> callback = pending.take();
            RawClient client = server.connect().get("/stop").expectOk("/stop");
            assertEquals(0, returned.get());
            server.awaitEvent("leave");
            assertEquals("/last", client.get("/last").response().text());
            client.expectEnd().close();
            callback.accept(TestServer.ok("late"));
            assertEquals("close", other.response().header("Connection"));
            other.close();
            assertEquals(null, server.join());
            assertEquals(0, server.loop.stop(LONG));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theEarlierEndHoldsWhenCalledAgain(boolean shortFirst) throws Exception {
        try (var server = new TestServer(handler)) {
            RawClient client = server.connect().get("/later");
            pending.take();
            var first = new Stopping(server.loop, shortFirst ? SHORT : LONG);
            server.awaitEvent("leave");
            var second = new Stopping(server.loop, shortFirst ? LONG : SHORT);
            assertEquals(1, first.dropped());
            assertEquals(1, second.dropped());
            client.expectEnd();
            assertEquals(1, server.log.count("leave"));
        }
    }

    @Test
    void stopWithoutAGraceEndsItAtOnce() throws Exception {
        try (var server = new TestServer(handler)) {
            RawClient client = server.connect().get("/later");
            pending.take();
            var stopping = new Stopping(server.loop, LONG);
            server.awaitEvent("leave");
            server.loop.stop();
            assertEquals(1, stopping.dropped());
            client.expectEnd();
        }
    }

    @Test
    void freesALoopThatNeverStarted() throws Exception {
        var loop = new EventLoop(TestServer.options(), new NoopLogger(), handler);
        assertEquals(0, loop.stop(LONG));
        Freed.bind(loop.getPort());
        loop.start();
        assertEquals(0, loop.stop(LONG));
    }

    @Test
    void returnsTheSameNumberAfterTheEnd() throws Exception {
        try (var server = new TestServer(handler)) {
            server.connect().get("/later");
            pending.take();
            assertEquals(1, server.loop.stop(Duration.ZERO));
            assertEquals(1, server.loop.stop(LONG));
            assertEquals(null, server.join());
            assertEquals(1, server.loop.stop(LONG));
        }
    }

    /** It is no loop's thread any more. */
    @Test
    void returnsThatNumberOnTheThreadThatRanTheLoopToo() throws Exception {
        var loop = new EventLoop(TestServer.options(), new NoopLogger(), handler);
        var returned = new FutureTask<>(() -> {
            loop.start();
            return loop.stop(LONG);
        });
        new Thread(returned).start();
        try (var client = new RawClient(loop.getPort())) {
            client.get("/later");
            pending.take();
            loop.stop();
            assertEquals(1, returned.get());
        }
    }

    @Test
    void anInterruptedCallerReturnsAtOnceAndTheLoopGoesOnLeaving() throws Exception {
        try (var server = new TestServer(handler)) {
            RawClient client = server.connect().get("/later");
            Consumer<Response> callback = pending.take();
            Thread.currentThread().interrupt();
            assertEquals(0, server.loop.stop(LONG));
            assertTrue(Thread.interrupted(), "the flag is still set");
            server.awaitEvent("leave");
            callback.accept(TestServer.ok("late"));
            assertEquals("close", client.response().header("Connection"));
            client.close();
            assertEquals(0, server.loop.stop(LONG));
        }
    }

    @Test
    void refusesATimeOutOfRangeAndServesOn() throws Exception {
        try (var server = new TestServer(handler)) {
            for (Duration grace : new Duration[] {Duration.ofNanos(-1), Duration.ofDays(366), null}) {
                var thrown = assertThrows(IllegalArgumentException.class, () -> server.loop.stop(grace));
                assertTrue(thrown.getMessage().startsWith("grace is " + grace), thrown.getMessage());
            }
            server.assertServes();
        }
    }

    @Test
    void mayTakeAYearAndNotANanosecondMore() throws Exception {
        var longest = Duration.ofDays(365);
        Duration longer = longest.plusNanos(1);
        try (var loop = new EventLoop(TestServer.options(), new NoopLogger(), handler);
                var group = new EventLoopGroup(TestServer.options(), new NoopLogger(), handler, 1)) {
            assertThrows(IllegalArgumentException.class, () -> loop.stop(longer));
            assertThrows(IllegalArgumentException.class, () -> group.stop(longer));
            assertEquals(0, loop.stop(longest));
            assertEquals(0, group.stop(longest));
        }
    }

    @Test
    void thePortIsFreeAsSoonAsItReturns() throws Exception {
        var options = TestServer.options();
        for (int i = 0; i < 50; i++) {
            try (var server = new TestServer(options, handler)) {
                options.withPort(server.port());
                server.connect().get("/later");
                pending.take();
                assertEquals(1, server.loop.stop(Duration.ZERO));
                Freed.bind(server.port());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void everyLoopOfAGroupLeaves(boolean sharing) throws Exception {
        var log = new RecordingLogger();
        var group = sharing ? new EventLoopGroup(TestServer.options(), log, handler, 3)
                : Inside.groupWithoutSharedPort(TestServer.options(), log, handler, 3);
        var thread = new Thread(group::start);
        thread.start();
        var clients = new ArrayList<RawClient>();
        for (int i = 0; i < 12; i++) {
            clients.add(new RawClient(group.getPort()).get("/later"));
        }
        log.await("read_request", 12);
        var stopping = new Stopping(group, Duration.ofSeconds(2));
        log.await("leave", 3);
        for (int i = 0; i < 7; i++) {
            pending.take().accept(TestServer.ok("late"));
        }
        int answered = 0;
        for (RawClient client : clients) {
            answered += client.readToEnd().contains("Connection: close") ? 1 : 0;
            client.close();
        }
        assertEquals(7, answered);
        assertEquals(5, stopping.dropped());
        Freed.bind(group.getPort());
        thread.join();
    }

    @Test
    void aLoopOfAGroupThatHasLeftDoesNotEndTheOthers() throws Exception {
        try (var server = new TestGroup(TestServer.options(), handler, 2, false)) {
            RawClient client = server.connect().get("/later");
            Consumer<Response> callback = pending.take();
            // the first loop accepts, and keeps the first connection
            Thread idle = TestGroup.threads("microhttp-1").get(0);
            var stopping = new Stopping(server.group, LONG);
            TestGroup.join(idle);
            callback.accept(TestServer.ok("late"));
            String end = "Content-Length: 4\r\nConnection: close\r\n\r\nlate";
            client.expect("HTTP/1.1 200 OK\r\n" + end).expectEnd();
            client.close();
            assertEquals(0, stopping.dropped());
        }
    }

    /** It would wait for itself, and for what the other loop has to answer. */
    @Test
    void onlyBeginsOnTheThreadOfALoopOfAGroup() throws Exception {
        var itself = new AtomicReference<EventLoopGroup>();
        var returned = new AtomicInteger(-1);
        try (var server = new TestGroup(TestServer.options(), (request, callback) -> {
            if (request.uri().equals("/stop")) returned.set(itself.get().stop(LONG));
            handler.handle(request, callback);
        }, 2, false)) {
            itself.set(server.group);
            RawClient client = server.connect();
            // with the other loop, for that has fewer
            RawClient other = server.connect().get("/later");
            Consumer<Response> callback = pending.take();
            client.get("/stop").expectOk("/stop").close();
            assertEquals(0, returned.get());
            server.log.await("leave", 2);
            callback.accept(TestServer.ok("late"));
            assertEquals("close", other.response().header("Connection"));
            other.close();
            assertEquals(null, server.join());
        }
    }
}
