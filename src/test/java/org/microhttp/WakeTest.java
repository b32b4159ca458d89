package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.testing.TestServer;

/**
 * A loop sleeps until it is woken, and is woken only if it sleeps: what other threads leave at any moment,
 * just as it falls asleep too, is taken. Real threads, for a simulated world sees no order of memory. A task
 * that is left without a wake-up would wait for ever here, as nothing else is due.
 * <p>
 * More of it: {@code -DhandOvers=5000000}.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class WakeTest {

    private static final int HAND_OVERS = Integer.getInteger("handOvers", 25_000);

    /** Up to so many times somebody waits before he leaves a task, which is about as long as a turn takes. */
    private static final int MAX_PAUSE = 200;
    private static final long LOST_NANOS = TimeUnit.SECONDS.toNanos(20);

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void tasksOfOtherThreadsRun(int threads) throws Exception {
        handOver(threads, HAND_OVERS);
    }

    /** Each waits for its own, so that the loop falls asleep as often as they are in step. */
    private static void handOver(int threads, int count) throws Exception {
        try (var server = new TestServer(TestServer::echoTarget)) {
            server.assertServes();
            TaskQueue tasks = server.loop.context.tasks;
            var handing = new ArrayList<FutureTask<Integer>>();
            for (int i = 0; i < threads; i++) {
                var random = new Random(i);
                handing.add(new FutureTask<>(() -> leaveAndAwait(tasks, random, count)));
                new Thread(handing.get(i)).start();
            }
            for (FutureTask<Integer> each : handing) {
                assertEquals(count, each.get());
            }
        }
    }

    /** How many were taken. */
    private static int leaveAndAwait(TaskQueue tasks, Random random, int count) {
        var taken = new AtomicInteger();
        for (int i = 1; i <= count; i++) {
            int number = i;
            assertTrue(tasks.add(() -> taken.set(number)));
            long began = System.nanoTime();
            for (int looks = 1; taken.get() < i; looks++) {
                if (looks % 1000 == 0) {
                    Thread.yield();
                    assertTrue(System.nanoTime() - began < LOST_NANOS, "hand-over " + i + " was lost");
                }
            }
            for (int pause = random.nextInt(MAX_PAUSE); pause > 0; pause--) {
                Thread.onSpinWait();
            }
        }
        return taken.get();
    }
}
