package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.microhttp.tools.TestServer;

/**
 * A loop sleeps until it is woken, and is woken only if it sleeps: what other threads leave at any moment,
 * just as it falls asleep too, is taken. Real threads, for a simulated world sees no order of memory. A task
 * that is left without a wake-up would wait for ever here, as nothing else is due.
 * <p>
 * More of it: {@code -DhandOvers=5000000}.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class WakeTest {

    private static final int HAND_OVERS = Integer.getInteger("handOvers", 50_000);

    /** Up to so many times somebody waits before he leaves a task, which is about as long as a turn takes. */
    private static final int MAX_PAUSE = 200;
    private static final long LOST_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final AtomicInteger taken = new AtomicInteger();

    @Test
    void whatOneThreadLeavesIsTaken() throws Exception {
        try (var server = new TestServer(TestServer::echoTarget)) {
            server.assertServes();
            leaveAndAwait(Inside.of(server.loop, LoopContext.class).tasks, new Random(1));
            assertEquals(HAND_OVERS, taken.get());
        }
    }

    /** Each waits for its own, so that the loop falls asleep as often as they are in step. */
    @Test
    void whatTwoThreadsLeaveIsTaken() throws Exception {
        try (var server = new TestServer(TestServer::echoTarget)) {
            server.assertServes();
            TaskQueue tasks = Inside.of(server.loop, LoopContext.class).tasks;
            var failure = new AtomicInteger();
            var other = new WakeTest();
            Thread thread = new Thread(() -> {
                try {
                    other.leaveAndAwait(tasks, new Random(2));
                } catch (AssertionError e) {
                    failure.incrementAndGet();
                }
            });
            thread.start();
            leaveAndAwait(tasks, new Random(3));
            thread.join();
            assertEquals(0, failure.get());
            assertEquals(2 * HAND_OVERS, taken.get() + other.taken.get());
        }
    }

    private void leaveAndAwait(TaskQueue tasks, Random random) {
        for (int i = 1; i <= HAND_OVERS; i++) {
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
    }
}
