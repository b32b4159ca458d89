package org.microhttp.lifecycle;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.*;
import org.microhttp.*;
import org.microhttp.testing.*;

/**
 * R18: however a server is ended, and whatever its connections wait for, it returns from {@code start()},
 * says how many requests are dropped, and has closed its port and its connections.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class EndTest {

    private static final Duration LONG = Duration.ofSeconds(40);
    private static final Duration SHORT = Duration.ofMillis(50);

    private static final String FIELDS = " HTTP/1.1\r\nHost: x\r\n";
    private static final String LATER = "GET /later" + FIELDS + "\r\n";
    private static final String CLOSING = "GET /later" + FIELDS + "Connection: close\r\n\r\n";
    private static final String POST = "POST /" + FIELDS + "Content-Length: 5\r\n\r\n";
    private static final Response LARGE = new Response(200, "OK", List.of(), new byte[1 << 23]);

    /** A connection that the server has when it ends. */
    enum State {

        ACCEPTED("accept", "", RawClient.GET, 1, 0),
        USED("read_request", "GET /used" + FIELDS + "\r\n", RawClient.GET, 1, 0),
        HEAD_BEGUN("read_bytes", "GET / HT", "TP/1.1\r\nHost: x\r\n\r\n", 1, 1),
        BODY_BEGUN("read_bytes", POST + "he", "llo", 1, 1),
        HANDLED("read_request", LATER, "", 1, 1),
        // what one client has sent ahead counts as one
        AHEAD("read_request", LATER.repeat(10), "", 10, 2),
        AHEAD_BEGUN("read_request", LATER + "GET / HT", "TP/1.1\r\nHost: x\r\n\r\n", 2, 2),
        AHEAD_BODY_BEGUN("read_request", LATER.repeat(2) + POST + "he", "llo", 3, 2),
        // what follows a close is no request (RFC 9112 §9.6)
        CLOSING_AHEAD("read_request", CLOSING + LATER.repeat(3), "", 1, 1),
        LATER_CLOSING_AHEAD("read_request", LATER + CLOSING + LATER.repeat(3), "", 2, 2),
        WRITING("write", "GET /large" + FIELDS + "\r\n", "", 1, 1),
        LINGERING("linger", "wrong\r\n", "", 1, 0);

        private final String event;
        private final String sent;
        private final String rest;
        private final int responses;
        private final int dropped;

        /**
         * @param event     logged when it is in this state
         * @param rest      sent in a grace period to complete what was sent before
         * @param responses how many it then gets
         * @param dropped   how many of its requests are dropped if they get none
         */
        State(String event, String sent, String rest, int responses, int dropped) {
            this.event = event;
            this.sent = sent;
            this.rest = rest;
            this.responses = responses;
            this.dropped = dropped;
        }

        /** Reads all that a client gets whose requests are dropped. */
        private void expectDropped(RawClient client) throws IOException {
            switch (this) {
                case WRITING -> assertTrue(client.countToEnd() < 1 << 23);
                case LINGERING -> assertEquals(400, client.response().status());
                default -> client.expectEnd();
            }
        }

        private boolean isAnsweredLater() {
            return sent.startsWith("GET /later");
        }
    }

    /** A way to end a server. */
    enum End {

        STOP, CLOSE, INTERRUPT, NO_GRACE, SHORT_GRACE, GRACE_THEN_STOP, GRACE_THEN_SHORTER, SHORT_THEN_LONGER;

        /** Gives all numbers of dropped requests that were returned. */
        private List<Integer> end(TestServer server) throws Exception {
            switch (this) {
                case STOP -> server.itself.stop();
                case CLOSE -> server.itself.close();
                case INTERRUPT -> server.thread.interrupt();
                case NO_GRACE -> {
                    return List.of(server.itself.stop(Duration.ZERO));
                }
                case SHORT_GRACE -> {
                    return List.of(server.itself.stop(SHORT));
                }
                default -> {
                    PendingStop first = server.beginGracefulStop(this == SHORT_THEN_LONGER ? SHORT : LONG);
                    if (this == GRACE_THEN_STOP) server.itself.stop();
                    int second = server.itself.stop(this == GRACE_THEN_SHORTER ? SHORT : LONG);
                    return List.of(first.dropped(), second);
                }
            }
            return List.of();
        }

        private boolean isGraceful() {
            return compareTo(INTERRUPT) > 0;
        }
    }

    private final HoldingHandler handler = new HoldingHandler(EndTest::handle);
    private final List<Consumer<Response>> answers = new ArrayList<>();

    private static void handle(Request request, Consumer<Response> callback) {
        callback.accept(request.target().equals("/large") ? LARGE : TestServer.ok(request.target()));
    }

    private static Options options() {
        return TestServer.options().withHost(Leaks.HOST);
    }

    private static List<Arguments> states() {
        return ServerKind.with((Object[]) State.values());
    }

    private static List<Arguments> ends() {
        return ServerKind.with((Object[]) End.values());
    }

    private RawClient connect(TestServer server, State state) throws Exception {
        int before = server.log.count(state.event);
        RawClient client = state == State.WRITING ? server.connect(4096) : server.connect();
        client.send(state.sent);
        server.log.await(state.event, before + 1);
        if (state == State.USED) client.expectOk("/used");
        if (state.isAnsweredLater()) answers.add(handler.pending.take());
        return client;
    }

    /** It has ended, its port is free and its threads are gone. */
    private static void assertGone(TestServer server) throws IOException {
        assertNull(server.join());
        Leaks.bind(server.address());
        for (String name : server.threadNames()) {
            assertEquals(List.of(), TestServer.threads(name));
        }
        assertEquals(0, server.itself.stats().connections());
    }

    @ParameterizedTest
    @MethodSource("ends")
    void dropsWhatIsNotAnswered(ServerKind kind, End end) throws Exception {
        int dropped = 0;
        try (var server = new TestServer(kind, options(), handler)) {
            var clients = new ArrayList<RawClient>();
            for (State state : State.values()) {
                clients.add(connect(server, state));
                dropped += state.dropped;
            }
            for (int returned : end.end(server)) {
                assertEquals(dropped, returned);
            }
            for (State state : State.values()) {
                state.expectDropped(clients.get(state.ordinal()));
            }
            assertEquals(end == End.INTERRUPT, server.keptInterruptFlag());
            assertGone(server);
            assertEquals(clients.size(), server.log.count("close"));
            assertEquals(end.isGraceful() ? kind.loops : 0, server.log.count("leave"));
            assertEquals(end == End.INTERRUPT ? 1 : 0, server.log.count("loop_interrupt"));
            assertEquals(0, server.log.count("leave_timeout"));
            answers.forEach(callback -> callback.accept(TestServer.ok("too late")));
            assertEquals(dropped, server.itself.stop(LONG));
        }
    }

    /** Time stands still, because what is idle is closed after a second. */
    @ParameterizedTest
    @MethodSource("states")
    void aGraceLetsEachRequestBeAnswered(ServerKind kind, State state) throws Exception {
        long now = System.nanoTime();
        Options options = Inside.withClock(options(), () -> now, System::currentTimeMillis);
        try (var server = new TestServer(kind, options, handler)) {
            RawClient client = connect(server, state);
            PendingStop stopping = server.beginGracefulStop(LONG);
            client.send(state.rest);
            boolean more = state.isAnsweredLater();
            for (int i = 1; i <= state.responses; i++) {
                if (more) (i == 1 ? answers.get(0) : handler.pending.take()).accept(TestServer.ok("late"));
                more &= i + 1 < state.responses || state.rest.isEmpty();
                RawResponse response = client.response();
                assertEquals(state == State.LINGERING ? 400 : 200, response.status());
                boolean last = i == state.responses && state != State.WRITING;
                assertEquals(last ? "close" : null, response.header("Connection"));
            }
            if (state == State.WRITING) client.close();
            else client.expectEnd().close();
            assertEquals(0, stopping.dropped());
            assertGone(server);
        }
    }

    /** A call that ends a server, and what it returns; 0 if it returns nothing. */
    enum Call {

        STOP, CLOSE, GRACE;

        private int of(Server server) {
            switch (this) {
                case STOP -> server.stop();
                case CLOSE -> server.close();
                case GRACE -> {
                    return server.stop(LONG);
                }
            }
            return 0;
        }
    }

    private static List<Arguments> calls() {
        return ServerKind.with((Object[]) Call.values());
    }

    /** On the thread of any loop it returns at once: the loop cannot wait for itself. */
    @ParameterizedTest
    @MethodSource("calls")
    void aHandlerMayEndItAndIsAnswered(ServerKind kind, Call call) throws Exception {
        var naming = new HoldingHandler(TestServer::nameThread);
        for (int i = 0; i < kind.loops; i++) {
            try (var server = new TestServer(kind, options(), naming)) {
                var nanos = new AtomicLong();
                naming.task = () -> {
                    long began = System.nanoTime();
                    assertEquals(0, call.of(server.itself));
                    nanos.set(System.nanoTime() - began);
                };
                String thread = List.copyOf(server.threadNames()).get(i);
                RawClient client = server.connectTo(thread);
                int before = naming.requests.size();
                client.get("/run").send(RawClient.GET.repeat(1_000)).expectOk(thread);
                int more = call == Call.GRACE ? 1_000 : 0;
                for (int n = 1; n <= more; n++) {
                    assertEquals(n == more ? "close" : null, client.response().header("Connection"));
                }
                client.expectEnd();
                assertGone(server);
                assertEquals(more + 1, naming.requests.size() - before);
                // a loop that waited for itself would give up after ten seconds
                assertTrue(nanos.get() < 5_000_000_000L, nanos + " ns");
            }
        }
    }

    /** A handler that blocks keeps its loop from ending, but not the caller from giving up. */
    @ParameterizedTest
    @MethodSource("calls")
    void anInterruptedCallerDoesNotWait(ServerKind kind, Call call) throws Exception {
        try (var server = new TestServer(kind, options(), handler)) {
            RawClient client = server.connect().get("/block");
            TestServer.await(handler.blocks);
            Thread.currentThread().interrupt();
            assertEquals(0, call.of(server.itself));
            assertTrue(Thread.interrupted(), "the flag is still set");
            assertTrue(server.thread.isAlive());
            handler.released.countDown();
            client.expectOk("/block").close();
            assertGone(server);
            assertEquals(0, server.itself.stop(LONG));
        }
    }

    @ParameterizedTest
    @MethodSource("calls")
    void mayBeEndedWithoutAStart(ServerKind kind, Call call) throws Exception {
        Server server = kind.make(options(), handler);
        CompletableFuture<Void> ended = server.ended();
        assertEquals(0, call.of(server));
        assertEquals(call != Call.STOP, ended.isDone() && server.ended().isDone());
        if (call != Call.STOP) Leaks.bind(server.getAddress());
        server.start();
        Leaks.bind(server.getAddress());
        assertNull(ended.get(30, TimeUnit.SECONDS));
        server.close();
        server.start();
        assertEquals(0, server.stop(LONG));
    }

    @ParameterizedTest
    @EnumSource
    void mayBeClosedTwiceAndTogether(ServerKind kind) throws Exception {
        try (var server = new TestServer(kind, options(), handler)) {
            server.connect().get("/").expectOk("/");
            CompletableFuture<Void> other = CompletableFuture.runAsync(server.itself::close);
            server.itself.close();
            Leaks.bind(server.address());
            other.get(30, TimeUnit.SECONDS);
            server.itself.close();
            assertGone(server);
        }
    }

    /** In four ways in turn, also while its thread may or may not have come to {@code start()}. */
    @ParameterizedTest
    @EnumSource
    void startsAHundredTimesOnOnePort(ServerKind kind) throws Exception {
        Options options = options();
        long descriptors = 0;
        for (int i = 0; i < 101; i++) {
            Server server = kind.make(options, handler);
            options = options.withPort(server.getPort());
            var thread = new Thread(server::start, "closed");
            thread.setDaemon(i % 8 == 0);
            thread.start();
            if (i % 4 > 0) endWithClients(server, i % 4);
            server.close();
            Leaks.bind(server.getAddress());
            TestServer.join(thread);
            assertEquals(List.of(), TestServer.threads("microhttp-1"));
            if (i == 0) descriptors = Leaks.descriptors();
        }
        Leaks.assertDescriptors(descriptors);
    }

    private void endWithClients(Server server, int way) throws Exception {
        try (var used = RawClient.to(server.getAddress()); var idle = RawClient.to(server.getAddress())) {
            used.get("/kept").expectOk("/kept");
            if (way == 1) return;
            if (way == 2) {
                server.close();
            } else {
                used.get("/later");
                handler.pending.take();
                assertEquals(1, server.stop(Duration.ZERO));
            }
            used.expectEnd();
            // one that was not accepted yet is reset
            idle.readUntilItFails();
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesAGraceOutOfRangeAndServesOn(ServerKind kind) throws Exception {
        Duration longest = Duration.ofDays(365);
        try (var server = new TestServer(kind, options(), handler)) {
            for (Duration grace : new Duration[] {Duration.ofNanos(-1), longest.plusNanos(1), null}) {
                var thrown = assertThrows(IllegalArgumentException.class, () -> server.itself.stop(grace));
                assertTrue(thrown.getMessage().startsWith("grace is " + grace), thrown.getMessage());
            }
            server.assertServes();
            // what ends one loop still ends all
            server.thread.interrupt();
            assertTrue(server.keptInterruptFlag());
            assertEquals(0, server.itself.stop(longest));
        }
    }

    @ParameterizedTest
    @EnumSource
    void endsWithTheLoopThatFails(ServerKind kind) throws Exception {
        for (int i = 0; i < kind.loops; i++) {
            var server = new TestServer(kind, options(), handler);
            server.assertServes();
            Inside.of(server.loops().get(i), Selector.class).close();
            var thrown = assertInstanceOf(IllegalStateException.class, server.join());
            assertInstanceOf(ClosedSelectorException.class, thrown.getCause());
            var ended = assertThrows(Exception.class, () -> server.itself.ended().get(30, TimeUnit.SECONDS));
            assertSame(thrown, ended.getCause());
            server.awaitEvent("loop_error");
            Leaks.bind(server.address());
            assertEquals(List.of(), TestServer.threads(server.thread.getName()));
        }
    }
}
