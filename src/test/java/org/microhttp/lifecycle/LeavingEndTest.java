package org.microhttp.lifecycle;

import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.*;
import org.microhttp.EventLoopGroup;
import org.microhttp.Options;
import org.microhttp.Response;
import org.microhttp.Server;
import org.microhttp.testing.*;

/** How {@code stop(grace)} ends: when, with what number, for which caller, and what is free then. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class LeavingEndTest {

    private static final Duration LONG = Duration.ofSeconds(40);
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final String CLOSING = "GET /later HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    private static final String LATER = "GET /later HTTP/1.1\r\nHost: x\r\n\r\n";

    private final HoldingHandler handler = new HoldingHandler();
    private final BlockingQueue<Consumer<Response>> pending = handler.pending;

    @ParameterizedTest
    @EnumSource
    void takesNoTimeWhenNothingHappenedForASecond(ServerKind kind) throws Exception {
        long best = Long.MAX_VALUE;
        for (int i = 0; i < 5 && best > 50; i++) {
            var clock = new MovedClock();
            // with the default resolution, by which nothing may be late
            var options = clock.in(new Options().withHost("127.0.0.1").withPort(0));
            try (var server = new TestServer(kind, options, handler)) {
                RawClient used = server.connect().get("/1").expectOk("/1");
                RawClient unused = server.connect();
                server.awaitEvent("accept", 2);
                clock.pass(server.itself, Duration.ZERO);
                // this is the second in which nothing happens
                clock.pass(Duration.ofMillis(1_050));
                long began = System.nanoTime();
                assertEquals(0, server.itself.stop(LONG));
                best = Math.min(best, (System.nanoTime() - began) / 1_000_000);
                used.expectEnd();
                unused.expectEnd();
            }
        }
        assertTrue(best <= 50, best + " ms");
    }

    @ParameterizedTest
    @EnumSource
    void waitsNoLongerThanItMayAndCountsEachRequestThatIsDropped(ServerKind kind) throws Exception {
        var large = new Response(200, "OK", List.of(), new byte[16 << 20]);
        try (var server = new TestServer(kind, (request, callback) -> {
            if (request.target().equals("/large")) callback.accept(large);
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
            assertEquals(4, server.itself.stop(SHORT));
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

    /** Requests that are here and not answered; what follows a close is none (RFC 9112 §9.6). */
    private static List<Arguments> sent() {
        String begun = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n" + LATER;
        return List.of(arguments(1, LATER), arguments(2, LATER.repeat(10)), arguments(2, LATER + "GET / HT"),
                arguments(2, LATER.repeat(2) + begun), arguments(1, CLOSING + LATER.repeat(3)),
                arguments(2, LATER + CLOSING + LATER.repeat(3)));
    }

    @ParameterizedTest
    @MethodSource("sent")
    void countsWhatIsSentAheadAsOne(int expected, String sent) throws Exception {
        try (var server = new TestServer(handler)) {
            server.connect().send(sent);
            pending.take();
            assertEquals(expected, server.loop.stop(SHORT));
        }
    }

    @ParameterizedTest
    @EnumSource
    void countsEachConnection(ServerKind kind) throws Exception {
        try (var server = new TestServer(kind, handler)) {
            server.connect().send(LATER.repeat(3));
            server.connect().send(LATER.repeat(4));
            server.connect();
            server.awaitEvent("read_request", 2);
            server.awaitEvent("accept", 3);
            assertEquals(4, server.itself.stop(SHORT));
        }
    }

    @Test
    void withoutAnyTimeStillAnswersWhatCanBeAnsweredAtOnce() throws Exception {
        try (var server = new TestServer(handler)) {
            RawClient handled = server.connect().get("/later");
            pending.take();
            RawClient blocking = server.connect().get("/block");
            TestServer.await(handler.blocks);
            RawClient waiting = server.connect().get("/waiting");
            Stopping stopping = server.leave(Duration.ZERO).awaitWaiting();
            handler.released.countDown();
            assertEquals("/waiting", waiting.response().text());
            waiting.expectEnd();
            blocking.expectOk("/block").expectEnd();
            handled.expectEnd();
            assertEquals(1, stopping.dropped());
        }
    }

    /** It would wait for itself, and for what another loop has to answer. */
    @ParameterizedTest
    @EnumSource
    void onlyBeginsOnTheThreadOfALoop(ServerKind kind) throws Exception {
        var returned = new AtomicInteger(-1);
        try (var server = new TestServer(kind, handler)) {
            handler.task = () -> returned.set(server.itself.stop(LONG));
            RawClient other = server.connect().get("/later");
            Consumer<Response> callback = pending.take();
            RawClient client = server.connect().get("/run").expectOk("/run");
            assertEquals(0, returned.get());
            server.awaitEvent("leave", kind.loops);
            assertEquals("/last", client.get("/last").response().text());
            client.expectEnd().close();
            callback.accept(TestServer.ok("late"));
            assertEquals("close", other.response().header("Connection"));
            other.close();
            assertEquals(null, server.join());
            assertEquals(0, server.itself.stop(LONG));
        }
    }

    @Test
    void aGroupKnowsTheThreadsOfItsLoops() throws Exception {
        var known = new AtomicBoolean();
        try (var server = new TestServer(ServerKind.GROUP, handler)) {
            var group = (EventLoopGroup) server.itself;
            handler.task = () -> known.set(group.isLoopThread());
            server.connect().get("/run").expectOk("/run");
            assertTrue(known.get());
            assertFalse(group.isLoopThread());
        }
    }

    @ParameterizedTest
    @EnumSource
    void theEarlierEndHoldsWhenCalledAgain(ServerKind kind) throws Exception {
        for (Duration earlier : List.of(SHORT, LONG)) {
            try (var server = new TestServer(kind, handler)) {
                RawClient client = server.connect().get("/later");
                pending.take();
                Stopping first = server.beginToLeave(earlier);
                Stopping second = server.leave(earlier == SHORT ? LONG : SHORT);
                assertEquals(1, first.dropped());
                assertEquals(1, second.dropped());
                client.expectEnd();
                assertEquals(kind.loops, server.log.count("leave"));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void stopWithoutAGraceEndsItAtOnce(ServerKind kind) throws Exception {
        try (var server = new TestServer(kind, handler)) {
            RawClient client = server.connect().get("/later");
            pending.take();
            Stopping stopping = server.beginToLeave(LONG);
            server.itself.stop();
            assertEquals(1, stopping.dropped());
            client.expectEnd();
        }
    }

    @ParameterizedTest
    @EnumSource
    void freesOneThatNeverStarted(ServerKind kind) throws Exception {
        Server server = kind.make(TestServer.options(), handler);
        assertEquals(0, server.stop(LONG));
        Freed.bind(server.getPort());
        server.start();
        assertEquals(0, server.stop(LONG));
    }

    @ParameterizedTest
    @EnumSource
    void returnsTheSameNumberAfterTheEnd(ServerKind kind) throws Exception {
        try (var server = new TestServer(kind, handler)) {
            server.connect().get("/later");
            pending.take();
            assertEquals(1, server.itself.stop(Duration.ZERO));
            assertEquals(1, server.itself.stop(LONG));
            assertEquals(null, server.join());
            assertEquals(1, server.itself.stop(LONG));
        }
    }

    /** It is no loop's thread any more. */
    @ParameterizedTest
    @EnumSource
    void returnsThatNumberOnTheThreadThatRanTheLoopToo(ServerKind kind) throws Exception {
        Server server = kind.make(TestServer.options(), handler);
        var returned = new FutureTask<>(() -> {
            server.start();
            return server.stop(LONG);
        });
        new Thread(returned).start();
        try (var client = new RawClient(server.getPort())) {
            client.get("/later");
            pending.take();
            server.stop();
            assertEquals(1, returned.get());
        }
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptedCallerReturnsAtOnceAndTheServerGoesOnLeaving(ServerKind kind) throws Exception {
        try (var server = new TestServer(kind, handler)) {
            RawClient client = server.connect().get("/later");
            Consumer<Response> callback = pending.take();
            Thread.currentThread().interrupt();
            assertEquals(0, server.itself.stop(LONG));
            assertTrue(Thread.interrupted(), "the flag is still set");
            server.awaitEvent("leave", kind.loops);
            callback.accept(TestServer.ok("late"));
            assertEquals("close", client.response().header("Connection"));
            client.close();
            assertEquals(0, server.itself.stop(LONG));
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesATimeOutOfRangeAndServesOn(ServerKind kind) throws Exception {
        Duration longest = Duration.ofDays(365);
        try (var server = new TestServer(kind, handler)) {
            for (Duration grace : new Duration[] {Duration.ofNanos(-1), longest.plusNanos(1), null}) {
                var thrown = assertThrows(IllegalArgumentException.class, () -> server.itself.stop(grace));
                assertTrue(thrown.getMessage().startsWith("grace is " + grace), thrown.getMessage());
            }
            server.assertServes();
            assertEquals(0, server.itself.stop(longest));
        }
    }

    @ParameterizedTest
    @EnumSource
    void thePortIsFreeAsSoonAsItReturns(ServerKind kind) throws Exception {
        var options = TestServer.options();
        for (int i = 0; i < 50; i++) {
            try (var server = new TestServer(kind, options, handler)) {
                options = options.withPort(server.port());
                server.connect().get("/later");
                pending.take();
                assertEquals(1, server.itself.stop(Duration.ZERO));
                Freed.bind(server.port());
            }
        }
    }

    /** Seven of twelve requests are answered meanwhile, and five are dropped. */
    @ParameterizedTest
    @EnumSource
    void everyLoopLeaves(ServerKind kind) throws Exception {
        try (var server = new TestServer(kind, handler)) {
            var clients = new ArrayList<RawClient>();
            for (int i = 0; i < 12; i++) {
                clients.add(server.connect().get("/later"));
            }
            server.awaitEvent("read_request", 12);
            Stopping stopping = server.beginToLeave(LONG);
            for (int i = 0; i < 7; i++) {
                pending.take().accept(TestServer.ok("late"));
            }
            server.awaitEvent("write_response", 7);
            server.itself.stop();
            int answered = 0;
            for (RawClient client : clients) {
                answered += client.readToEnd().contains("Connection: close") ? 1 : 0;
            }
            assertEquals(7, answered);
            assertEquals(5, stopping.dropped());
            Freed.bind(server.port());
        }
    }

    @Test
    void aLoopOfAGroupThatHasLeftDoesNotEndTheOthers() throws Exception {
        try (var server = new TestServer(ServerKind.HANDING_OVER, handler)) {
            RawClient client = server.connect().get("/later");
            Consumer<Response> callback = pending.take();
            // the first loop accepts, and keeps the first connection
            Thread idle = TestServer.threads("microhttp-1").get(0);
            Stopping stopping = server.leave(LONG);
            TestServer.join(idle);
            callback.accept(TestServer.ok("late"));
            String end = "Content-Length: 4\r\nConnection: close\r\n\r\nlate";
            client.expect("HTTP/1.1 200 OK\r\n" + end).expectEnd();
            client.close();
            assertEquals(0, stopping.dropped());
        }
    }
}
