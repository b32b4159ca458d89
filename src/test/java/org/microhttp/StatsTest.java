package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

import java.time.Duration;
import java.util.*;
import java.util.concurrent.atomic.*;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.protocol.Refusal;
import org.microhttp.testing.*;

/** What a loop or a group says it has done is what it did. */
class StatsTest {

    private static final Map<Integer, Long> NO_RESPONSES = Map.of(2, 0L, 3, 0L, 4, 0L, 5, 0L);

    /** Answers with the status that the target names. */
    private static void answerStatus(Request request, java.util.function.Consumer<Response> callback) {
        int status = Integer.parseInt(request.target().substring(1));
        callback.accept(new Response(status, "Status", List.of(), "some text".getBytes()));
    }

    private static int length(RawResponse response) {
        return response.head().length() + response.body().length;
    }

    @ParameterizedTest
    @EnumSource
    void beginWithNothing(ServerKind kind) throws Exception {
        try (var server = kind.make(TestServer.options(), TestServer::echoTarget)) {
            assertEquals(Stats.of(Map.of()), server.stats());
            assertEquals(NO_RESPONSES, server.stats().responses());
        }
    }

    private static Stats withoutTimes(Stats stats) {
        var numbers = new HashMap<>(stats.numbers());
        numbers.keySet().removeIf(name -> name.startsWith("durations.") || name.equals("totalDuration"));
        return Stats.of(numbers);
    }

    @Test
    void putADurationAtTheLeastPowerThatIsNotBelowIt() {
        Map<Long, Long> powers = Map.of(-1L, 1L, 0L, 1L, 1_000L, 1L, 1_001L, 2L, 4_000L, 4L, 4_001L, 8L,
                1_000_000_000L, 1L << 20, Duration.ofDays(1).toNanos(), 1L << 31);
        powers.forEach((nanos, micros) -> {
            var counters = new Counters();
            counters.took(nanos);
            Stats stats = Stats.of(counters.named());
            assertEquals(1L, stats.numbers().get("durations." + micros), nanos + " ns");
            assertEquals(Math.max(0, nanos), stats.totalDuration().toNanos());
            assertEquals(1L, stats.durations().get(Duration.ofNanos(micros * 1_000)));
            assertEquals(32, stats.durations().size());
        });
    }

    /** Once in a turn, however many requests it has; with a listener for each. */
    @Test
    void measureTimesAndReadTheClockOnlyForAListener() throws Exception {
        var quiet = new Options();
        assertEquals(readings(quiet, 1), readings(quiet, 100));
        var heard = new Options().withExchangeListener(exchange -> { });
        assertEquals(readings(heard, 1) + 2 * 99, readings(heard, 100));
    }

    /** How often the clock is read in a turn with so many requests. */
    private static int readings(Options options, int requests) throws Exception {
        var read = new AtomicInteger();
        Options counting = Inside.withClock(options, () -> {
            read.incrementAndGet();
            return System.nanoTime();
        }, System::currentTimeMillis);
        try (var loop = new ScriptedLoop(counting, new NoopLogger(), TestServer::echoTarget)) {
            var client = loop.connect();
            int before = read.get();
            client.turn(RawClient.GET.repeat(requests));
            Stats stats = GroupContext.sum(loop.context);
            assertEquals(requests, stats.responses().get(2));
            long measured = stats.durations().values().stream().mapToLong(n -> n).sum();
            assertEquals(options.exchangeListener() == null ? 0 : requests, measured);
            return read.get() - before;
        }
    }

    @ParameterizedTest
    @EnumSource
    void tellAKnownExchangeExactly(ServerKind kind) throws Exception {
        var server = new TestServer(kind, StatsTest::answerStatus);
        RawClient client = server.connect();
        long in = 0;
        long out = 0;
        for (int status : new int[] {200, 201, 204, 301, 304, 404, 404, 404, 404, 500, 503}) {
            String request = "GET /" + status + " HTTP/1.1\r\nHost: x\r\n\r\n";
            in += request.length();
            out += length(client.send(request).response());
        }
        String head = "HEAD /206 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
        in += head.length();
        out += length(client.send(head).response(true));
        client.expectEnd();
        server.stop();
        Stats stats = server.itself.stats();
        assertEquals(Stats.of(Map.of("accepted", 1L, "closed", 1L, "served", 12L, "responses.2xx", 4L,
                "responses.3xx", 2L, "responses.4xx", 4L, "responses.5xx", 2L, "bytesIn", in, "bytesOut", out,
                "longestTurn", stats.longestTurn().toNanos())), withoutTimes(stats));
        assertEquals(12, stats.requests());
        assertEquals(12, stats.durations().values().stream().mapToLong(n -> n).sum());
    }

    @ParameterizedTest
    @EnumSource
    void countAPipelinedBatchRequestByRequest(ServerKind kind) throws Exception {
        try (var server = new TestServer(kind, TestServer::echoTarget)) {
            RawClient client = server.connect().send(RawClient.GET.repeat(500));
            client.expectOks(500, i -> "/");
            server.stop();
            Stats stats = server.itself.stats();
            assertEquals(500, stats.requests());
            assertEquals(500, stats.responses().get(2));
            assertEquals(500L * RawClient.GET.length(), stats.bytesIn());
        }
    }

    @ParameterizedTest
    @EnumSource
    void countAnAnswerOnceHoweverManyWritesItTakes(ServerKind kind) throws Exception {
        int size = 3 << 20;
        var options = TestServer.options().withSendBufferSize(4096);
        try (var server = new TestServer(kind, options, (request, callback) ->
                callback.accept(TestServer.ok("x".repeat(size))))) {
            int out = 0;
            for (int i = 0; i < 3; i++) {
                out += length(server.connect(2048).send(RawClient.GET).response());
            }
            server.stop();
            Stats stats = server.itself.stats();
            assertEquals(out, stats.bytesOut());
            assertEquals(3, stats.responses().get(2));
            assertEquals(3, server.log.count("write_response"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void countTheBytesOfAnInterimAnswerButNotAsAResponse(ServerKind kind) throws Exception {
        try (var server = new TestServer(kind, TestServer::echoBody)) {
            RawClient client = server.connect().send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n"
                    + "Expect: 100-continue\r\n\r\n");
            int out = length(client.response());
            out += length(client.send("a").response());
            server.stop();
            assertEquals(out, server.itself.stats().bytesOut());
            assertEquals(Map.of(2, 1L, 3, 0L, 4, 0L, 5, 0L), server.itself.stats().responses());
        }
    }

    @ParameterizedTest
    @EnumSource
    void countRefusalsByTheirCodeAndAsResponses(ServerKind kind) throws Exception {
        try (var server = new TestServer(kind, TestServer.options().withMaxRequestSize(100),
                TestServer::echoTarget)) {
            server.connect().send("wrong\r\n").expectRefusal(400, "bad_request_line");
            server.connect().send("wrong\r\n").expectRefusal(400, "bad_request_line");
            server.connect().send("GET / HTTP/2.0\r\n\r\n").expectRefusal(505, "unsupported_version");
            server.connect().send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n")
                    .expectRefusal(413, "request_too_large");
            server.stop();
            Stats stats = server.itself.stats();
            assertEquals(Map.of("bad_request_line", 2L, "unsupported_version", 1L, "request_too_large", 1L),
                    stats.refusals());
            assertEquals(Map.of(2, 0L, 3, 0L, 4, 3L, 5, 1L), stats.responses());
            assertEquals(4, stats.refused());
            assertEquals(0, stats.served());
            assertEquals(0, stats.timeouts());
        }
    }

    @ParameterizedTest
    @EnumSource
    void countAHandlerThatThrowsAsNoRefusal(ServerKind kind) throws Exception {
        try (var server = new TestServer(kind, (request, callback) -> {
            throw new IllegalStateException("on purpose");
        })) {
            assertEquals(500, server.connect().send(RawClient.GET).response().status());
            server.stop();
            Stats stats = server.itself.stats();
            assertEquals(Map.of(), stats.refusals());
            assertEquals(1, stats.responses().get(5));
            assertEquals(1, stats.requests());
        }
    }

    @ParameterizedTest
    @EnumSource
    void countEveryKindOfTimeoutOnce(ServerKind kind) throws Exception {
        var options = TestServer.options().withSocketTimeout(Duration.ofMillis(100))
                .withHandlerTimeout(Duration.ofMillis(50));
        try (var server = new TestServer(kind, options, (request, callback) -> { })) {
            server.connect().expectEnd();
            server.connect().send("GET").expectRefusal(408, "socket_timeout");
            server.connect().send(RawClient.GET).expectRefusal(503, "handler_timeout");
            server.stop();
            Stats stats = server.itself.stats();
            assertEquals(3, stats.timeouts());
            assertEquals(Map.of("socket_timeout", 1L, "handler_timeout", 1L), stats.refusals());
            assertEquals(1, stats.served(), "the handler has had one, which was too slow");
            assertEquals(1, stats.refused());
        }
        var slow = TestServer.options().withRequestTimeout(Duration.ofMillis(100));
        try (var server = new TestServer(kind, slow, TestServer::echoTarget)) {
            server.connect().send("GET").expectRefusal(408, "request_timeout");
            server.stop();
            assertEquals(1, server.itself.stats().timeouts());
            assertEquals(Map.of("request_timeout", 1L), server.itself.stats().refusals());
        }
    }

    @ParameterizedTest
    @EnumSource
    void tellWhoIsConnectedWhileTheLoopRuns(ServerKind kind) throws Exception {
        try (var server = new TestServer(kind, TestServer::echoTarget)) {
            RawClient first = server.connect().get("/").expectOk("/");
            RawClient second = server.connect().get("/").expectOk("/");
            assertEquals(2, server.itself.stats().connections());
            assertEquals(2, server.itself.stats().accepted());
            assertEquals(0, server.itself.stats().closed());
            first.close();
            server.awaitEvent("close");
            second.get("/").expectOk("/");
            assertEquals(1, server.itself.stats().connections());
            assertEquals(1, server.itself.stats().closed());
            assertEquals(3, server.itself.stats().requests());
        }
    }

    private static void work(int millis) {
        long end = System.nanoTime() + millis * 1_000_000L;
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
    }

    @ParameterizedTest
    @EnumSource
    void tellTheLongestTurn(ServerKind kind) throws Exception {
        try (var server = new TestServer(kind, (request, callback) -> {
            work(Integer.parseInt(request.target().substring(1)));
            callback.accept(TestServer.ok("done"));
        })) {
            RawClient client = server.connect().get("/30").expectOk("done");
            // the answer to the next comes of a later turn
            client.get("/0").expectOk("done");
            Duration longest = server.itself.stats().longestTurn();
            assertTrue(longest.toMillis() >= 30 && longest.toSeconds() < 30, longest::toString);
            client.get("/60").expectOk("done").get("/0").expectOk("done");
            longest = server.itself.stats().longestTurn();
            assertTrue(longest.toMillis() >= 60, longest::toString);
        }
    }

    @ParameterizedTest
    @EnumSource
    void leaveTheTimeOutThatNothingHappened(ServerKind kind) throws Exception {
        try (var server = new TestServer(kind, TestServer::echoTarget)) {
            RawClient client = server.connect().get("/").expectOk("/");
            long began = System.nanoTime();
            assertEquals("", client.readWithin(500));
            client.get("/").expectOk("/");
            long passed = System.nanoTime() - began;
            Duration longest = server.itself.stats().longestTurn();
            assertTrue(longest.toNanos() < passed / 2, longest + " of " + passed);
        }
    }

    /** It is a turn, too, that the loop does not return from to wait again. */
    @ParameterizedTest
    @EnumSource
    void tellTheLastTurnWhenItWasTheLongest(ServerKind kind) throws Exception {
        var itself = new AtomicReference<Server>();
        try (var server = new TestServer(kind, (request, callback) -> {
            work(30);
            itself.get().stop();
            callback.accept(TestServer.ok("last"));
        })) {
            itself.set(server.itself);
            server.connect().send(RawClient.GET).expectOk("last").expectEnd();
            server.join();
            Duration longest = server.itself.stats().longestTurn();
            assertTrue(longest.toMillis() >= 30, longest::toString);
        }
    }

    /** A clock may begin at a negative number, and wrap. */
    @Test
    void tellTheLengthOfATurnWhateverTheClockSays() throws Exception {
        for (long time : new long[] {Long.MIN_VALUE + 1, -1, 0, 1, Long.MAX_VALUE}) {
            var clock = new AtomicLong();
            Options options = Inside.withClock(new Options(), clock::get, clock::get);
            try (var loop = new ScriptedLoop(options, TestServer::echoTarget)) {
                clock.set(time - 5);
                loop.context.beginTurn();
                clock.set(time);
                loop.context.clock.endTurn();
                assertEquals(5, GroupContext.sum(loop.context).longestTurn().toNanos(), "at " + time);
            }
        }
    }

    @Test
    void doNotChangeOnceTaken() throws Exception {
        try (var server = new TestServer(TestServer::echoTarget)) {
            RawClient client = server.connect().get("/").expectOk("/");
            Stats before = server.loop.stats();
            client.get("/").expectOk("/").send("wrong\r\n").expectRefusal(400, "bad_request_line");
            assertEquals(1, before.requests());
            assertEquals(Map.of(), before.refusals());
            assertThrows(UnsupportedOperationException.class, () -> before.responses().put(2, 0L));
            assertThrows(UnsupportedOperationException.class, () -> before.refusals().clear());
        }
        var mine = new HashMap<>(Map.of("refusals.code", 1L));
        Stats stats = Stats.of(mine);
        mine.clear();
        assertEquals(Map.of("code", 1L), stats.refusals());
        assertThrows(UnsupportedOperationException.class, () -> stats.numbers().clear());
    }

    @Test
    void aProgramMakesThemOfNumbersThatThereAre() {
        assertEquals(3, Stats.of(Map.of("served", 1L, "refused", 2L)).requests());
        for (String name : List.of("request", "requests", "responses.1xx", "refusal.code", "durations.3",
                "")) {
            var numbers = Map.of(name, 1L);
            assertThrows(IllegalArgumentException.class, () -> Stats.of(numbers), name);
        }
    }

    @ParameterizedTest
    @EnumSource
    void areThoseOfAllLoops(ServerKind kind) throws Exception {
        try (var server = new TestServer(kind, TestServer::nameThread)) {
            long out = 0;
            for (int i = 0; i < 40; i++) {
                out += length(server.connect().send(RawClient.GET).response());
            }
            server.connect().send("wrong\r\n").expectRefusal(400, "bad_request_line");
            assertEquals(40, server.itself.stats().served());
            server.stop();
            Stats stats = server.itself.stats();
            assertEquals(40, stats.served());
            assertEquals(1, stats.refused());
            assertEquals(41, stats.requests());
            assertEquals(40L * RawClient.GET.length() + "wrong\r\n".length(), stats.bytesIn());
            assertEquals(Map.of(2, 40L, 3, 0L, 4, 1L, 5, 0L), stats.responses());
            assertEquals(Map.of("bad_request_line", 1L), stats.refusals());
            assertEquals(41, stats.accepted());
            assertEquals(41, stats.closed());
            assertEquals(0, stats.connections());
            assertTrue(stats.bytesOut() > out);
        }
    }

    /** Asked for all the time, they only grow, and in the end nothing is missing. */
    @ParameterizedTest
    @EnumSource
    void growWhileOthersAsk(ServerKind kind) throws Exception {
        var ended = new AtomicBoolean();
        var failure = new AtomicReference<Throwable>();
        try (var server = new TestServer(kind, TestServer::nameThread)) {
            var asking = new Thread(() -> {
                long requests = 0;
                long bytes = 0;
                while (!ended.get()) {
                    Stats stats = server.itself.stats();
                    if (stats.requests() < requests || stats.bytesIn() < bytes) {
                        throw new IllegalStateException(requests + ", " + bytes + ", then " + stats);
                    }
                    requests = stats.requests();
                    bytes = stats.bytesIn();
                }
            });
            asking.setUncaughtExceptionHandler((t, e) -> failure.set(e));
            asking.start();
            RawClient one = server.connect();
            RawClient two = server.connect();
            for (int i = 0; i < 500; i++) {
                one.send(RawClient.GET).response();
                two.send(RawClient.GET).response();
            }
            ended.set(true);
            TestServer.join(asking);
            assertEquals(null, failure.get());
            assertEquals(1000, server.itself.stats().requests());
        }
    }

    @Test
    void areTheSumAndTheLongerTurn() throws Exception {
        try (var one = new ScriptedLoop(TestServer::echoTarget);
                var two = new ScriptedLoop(TestServer::echoTarget)) {
            fill(one.context, 1, 10, Refusal.BAD_HOST);
            fill(two.context, 10, 5, Refusal.REQUEST_TIMEOUT);
            two.context.counters.refused(Refusal.BAD_HOST, true);
            Stats sum = Stats.of(Map.ofEntries(Map.entry("connections", 11L), Map.entry("accepted", 11L),
                    Map.entry("closed", 22L), Map.entry("served", 33L), Map.entry("refused", 2L),
                    Map.entry("responses.2xx", 11L), Map.entry("responses.4xx", 22L),
                    Map.entry("bytesIn", 44L), Map.entry("bytesOut", 55L), Map.entry("timeouts", 67L),
                    Map.entry("refusals.bad_host", 2L), Map.entry("refusals.request_timeout", 1L),
                    Map.entry("longestTurn", 10_000_000L)));
            assertEquals(sum, GroupContext.sum(one.context, two.context));
            assertEquals(sum, GroupContext.sum(two.context, one.context));
        }
    }

    private static void fill(LoopContext loop, int count, long millis, Refusal refusal) {
        loop.connectionCount.set(count);
        loop.counters.add(Counters.ACCEPTED, count);
        loop.counters.add(Counters.CLOSED, 2 * count);
        loop.counters.add(Counters.SERVED, 3 * count);
        loop.counters.add(Counters.ANSWERS + 2, count);
        loop.counters.add(Counters.ANSWERS + 4, 2 * count);
        loop.counters.add(Counters.BYTES_IN, 4 * count);
        loop.counters.add(Counters.BYTES_OUT, 5 * count);
        loop.counters.add(Counters.TIMEOUTS, 6 * count);
        loop.counters.refused(refusal, false);
        loop.clock.longestTurn = Duration.ofMillis(millis).toNanos();
    }
}
