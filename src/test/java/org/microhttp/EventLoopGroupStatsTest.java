package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.microhttp.tools.LoopOrGroup;
import org.microhttp.tools.RawClient;
import org.microhttp.tools.RawResponse;
import org.microhttp.tools.TestServer;

/** The numbers of a group are the sum of its loops', whoever asks and when. */
class EventLoopGroupStatsTest {

    @Test
    void areTheSumAndTheLongerTurn() throws Exception {
        try (var one = new ScriptedLoop(TestServer::echoTarget);
                var two = new ScriptedLoop(TestServer::echoTarget)) {
            fill(one.context, 1, 10, Refusal.BAD_HOST);
            fill(two.context, 10, 5, Refusal.REQUEST_TIMEOUT);
            two.context.counters.refused(Refusal.BAD_HOST);
            var sum = new Stats(11, 11, 22, 33, Map.of(2, 11L, 3, 0L, 4, 22L, 5, 0L), 44, 55, 67,
                    Map.of("bad_host", 2L, "request_timeout", 1L), Duration.ofMillis(10));
            assertEquals(sum, Counters.sum(one.context, two.context));
            assertEquals(sum, Counters.sum(two.context, one.context));
        }
    }

    private static void fill(LoopContext loop, int count, long millis, Refusal refusal) {
        loop.connectionCount.set(count);
        loop.counters.add(Counters.ACCEPTED, count);
        loop.counters.add(Counters.CLOSED, 2 * count);
        loop.counters.add(Counters.REQUESTS, 3 * count);
        loop.counters.add(Counters.ANSWERS + 2, count);
        loop.counters.add(Counters.ANSWERS + 4, 2 * count);
        loop.counters.add(Counters.BYTES_IN, 4 * count);
        loop.counters.add(Counters.BYTES_OUT, 5 * count);
        loop.counters.add(Counters.TIMEOUTS, 6 * count);
        loop.counters.refused(refusal);
        loop.clock.longest.set(Duration.ofMillis(millis).toNanos());
    }

    @Test
    @SuppressWarnings("try")
    void areThoseOfAllLoops() throws Exception {
        try (var server = new TestServer(LoopOrGroup.Kind.GROUP, TestServer::nameThread)) {
            long out = 0;
            for (int i = 0; i < 40; i++) {
                RawResponse response = server.connect().send(RawClient.GET).response();
                out += response.head().length() + response.body().length;
            }
            server.connect().send("wrong\r\n").expectRefusal(400, "bad_request_line");
            assertEquals(40, server.group.stats().requests());
            server.stop();
            Stats stats = server.group.stats();
            assertEquals(40, stats.requests());
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
    @Test
    void growWhileOthersAsk() throws Exception {
        var ended = new AtomicBoolean();
        var failure = new AtomicReference<Throwable>();
        try (var server = new TestServer(LoopOrGroup.Kind.GROUP, TestServer::nameThread)) {
            var asking = new Thread(() -> {
                long requests = 0;
                long bytes = 0;
                while (!ended.get()) {
                    Stats stats = server.group.stats();
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
            assertEquals(1000, server.group.stats().requests());
        }
    }
}
