package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

import java.time.Duration;
import java.util.*;
import java.util.concurrent.atomic.*;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.testing.*;

/** What a loop or a group says it has done. That it is what it did, the simulation compares. */
class StatsTest {

    @Test
    void everyNumberIsZeroAtFirst() throws Exception {
        try (var server = ServerKind.LOOP.make(TestServer.options(), TestServer::echoTarget)) {
            assertEquals(Stats.of(Map.of()), server.stats());
            assertEquals(Map.of(2, 0L, 3, 0L, 4, 0L, 5, 0L), server.stats().responses());
        }
    }

    @ParameterizedTest
    @CsvSource({"-1, 1", "0, 1", "1_000, 1", "1_001, 2", "4_000, 4", "4_001, 8", "1_000_000_000, 1_048_576",
        "86_400_000_000_000, 2_147_483_648"})
    void durationIsAtTheLeastPowerOfTwoNotBelowIt(String nanoseconds, String microseconds) {
        long nanos = Long.parseLong(nanoseconds.replace("_", ""));
        long micros = Long.parseLong(microseconds.replace("_", ""));
        var counters = new Counters();
        counters.took(nanos);
        Stats stats = Stats.of(counters.named());
        assertEquals(1L, stats.numbers().get("durations." + micros));
        assertEquals(Math.max(0, nanos), stats.totalDuration().toNanos());
        assertEquals(1L, stats.durations().get(Duration.ofNanos(micros * 1_000)));
        assertEquals(32, stats.durations().size());
    }

    /** Once in a turn, however many requests it has; with a listener for each. */
    @Test
    void clockIsReadOncePerTurnWithoutAListener() throws Exception {
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

    /** Eight requests in one order: the numbers are exact. */
    @Test
    void numbersAreThoseOfAKnownExchange() throws Exception {
        var server = new TestServer((request, callback) -> {
            int status = Integer.parseInt(request.target().substring(1));
            callback.accept(new Response(status, "Status", List.of(), "some text".getBytes()));
        });
        RawClient client = server.connect();
        long in = 0;
        long out = 0;
        for (String line : List.of("GET /200", "GET /204", "GET /304", "GET /404", "GET /503", "HEAD /206",
                "GET /none", "GET 404")) {
            String request = line + " HTTP/1.1\r\nHost: x\r\n\r\n";
            in += request.length();
            RawResponse response = client.send(request).response(line.startsWith("HEAD"));
            out += response.head().length() + response.body().length;
        }
        client.expectEnd();
        server.stop();
        Stats stats = server.itself.stats();
        var numbers = new HashMap<>(stats.numbers());
        numbers.keySet().removeIf(name -> name.matches("durations\\..*|totalDuration|longestTurn"));
        assertEquals(Stats.of(Map.of("accepted", 1L, "closed", 1L, "served", 7L, "refused", 1L,
                "responses.2xx", 3L, "responses.3xx", 1L, "responses.4xx", 2L, "responses.5xx", 2L,
                "refusals.bad_target", 1L, "bytesIn", in))
                .plus(Stats.of(Map.of("bytesOut", out))), Stats.of(numbers));
        assertEquals(8, stats.requests());
        assertEquals(8, stats.durations().values().stream().mapToLong(n -> n).sum());
    }

    @Test
    void requestThatTheHandlerHadIsServedThoughItTimesOut() throws Exception {
        var options = new Options().withHandlerTimeout(Duration.ofMinutes(1));
        try (var loop = new ScriptedLoop(options, TestServer::echoTarget)) {
            loop.connect().turn("GET /later HTTP/1.1\r\nHost: x\r\n\r\n");
            loop.passTime(Duration.ofMinutes(2));
            // the acceptor counts it, which is not there
            loop.context.connectionCount.set(1);
            Stats stats = GroupContext.sum(loop.context);
            assertEquals(1, stats.connections());
            assertEquals(List.of(1L, 0L, 1L), List.of(stats.served(), stats.refused(), stats.timeouts()));
            assertEquals(Map.of("handler_timeout", 1L), stats.refusals());
        }
    }

    /** A clock may begin at a negative number, and wrap. */
    @Test
    void turnIsAsLongWhateverTheClockSays() throws Exception {
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
    void snapshotStaysAsItIs() throws Exception {
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
    void eachNumberHasAMethodOfItsName() throws ReflectiveOperationException {
        for (String name : Stats.of(Map.of()).numbers().keySet()) {
            if (name.contains(".")) continue;
            Object value = Stats.class.getMethod(name).invoke(Stats.of(Map.of(name, 7L)));
            long number = value instanceof Duration time ? time.toNanos() : ((Number) value).longValue();
            assertEquals(7, number, name);
        }
        SortedMap<Duration, Long> durations = Stats.of(Map.of()).durations();
        assertThrows(UnsupportedOperationException.class, durations::clear);
    }

    @Test
    void unknownNamesAreRefused() {
        assertEquals(3, Stats.of(Map.of("served", 1L, "refused", 2L)).requests());
        for (String name : List.of("request", "requests", "responses.1xx", "refusal.code", "durations.3",
                "")) {
            var numbers = Map.of(name, 1L);
            assertThrows(IllegalArgumentException.class, () -> Stats.of(numbers), name);
        }
    }

    /** Asked for all the time, they only grow, and in the end nothing is missing. */
    @ParameterizedTest
    @EnumSource
    void numbersOnlyGrowWhileOthersRead(ServerKind kind) throws Exception {
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
    void sumHasTheLongerTurn() {
        Stats one = Stats.of(Map.of("served", 1L, "bytesIn", 5L, "longestTurn", 7L));
        Stats two = Stats.of(Map.of("served", 2L, "refused", 3L, "upgrades", 4L, "longestTurn", 6L));
        Stats sum = Stats.of(Map.of("served", 3L, "refused", 3L, "upgrades", 4L, "bytesIn", 5L,
                "longestTurn", 7L));
        assertEquals(Set.of(sum), new HashSet<>(List.of(one.plus(two), two.plus(one))));
        assertNotEquals(one, sum);
        assertEquals(4, sum.upgrades());
        assertTrue(sum.toString().contains("served=3"), sum.toString());
    }
}
