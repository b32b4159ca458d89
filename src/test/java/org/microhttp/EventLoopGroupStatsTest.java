package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.microhttp.tools.RawClient;
import org.microhttp.tools.RawResponse;
import org.microhttp.tools.TestGroup;

/** The numbers of a group are the sum of its loops', whoever asks and when. */
class EventLoopGroupStatsTest {

    @Test
    void areTheSumAndTheLongerTurn() {
        var one = new Stats(1, 2, 3, 4, Map.of(2, 5L, 4, 1L), 6, 7, 8, Map.of("a", 9L, "b", 1L),
                Duration.ofMillis(10));
        var two = new Stats(10, 20, 30, 40, Map.of(2, 50L, 5, 2L), 60, 70, 80, Map.of("a", 90L, "c", 3L),
                Duration.ofMillis(5));
        var sum = new Stats(11, 22, 33, 44, Map.of(2, 55L, 4, 1L, 5, 2L), 66, 77, 88,
                Map.of("a", 99L, "b", 1L, "c", 3L), Duration.ofMillis(10));
        assertEquals(sum, one.plus(two));
        assertEquals(sum, two.plus(one));
    }

    @Test
    @SuppressWarnings("try")
    void areThoseOfAllLoops() throws Exception {
        try (var server = new TestGroup(TestGroup::nameThread, 4)) {
            long out = 0;
            for (int i = 0; i < 40; i++) {
                RawResponse response = server.connect().send(RawClient.GET).response();
                out += response.head().length() + response.body().length;
            }
            server.connect().send("wrong\r\n").expectRefusal(400, "bad_request_line");
            assertEquals(40, server.group.stats().requests());
            server.close();
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
        try (var server = new TestGroup(TestGroup::nameThread, 2)) {
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
            TestGroup.join(asking);
            assertEquals(null, failure.get());
            assertEquals(1000, server.group.stats().requests());
        }
    }
}
