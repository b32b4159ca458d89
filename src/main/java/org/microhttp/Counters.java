package org.microhttp;

import java.time.Duration;
import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What a loop counts. Its thread alone writes, in opaque mode: a plain write that other threads see whole
 * and soon, and which costs no fence and no lock. Any thread may take a snapshot.
 */
final class Counters {

    /**
     * What is counted. UNANSWERED are requests handed over, or turned away, whose answer is not sent; answers
     * are at the index ANSWERS and the first digit of their status: 2 to 5.
     */
    static final int ACCEPTED = 0, CLOSED = 1, REQUESTS = 2, BYTES_IN = 3, BYTES_OUT = 4, TIMEOUTS = 5,
            UNANSWERED = 6, ANSWERS = 7;
    private static final int SIZE = ANSWERS + 6;

    private final AtomicLongArray values = new AtomicLongArray(SIZE);
    private final Map<String, Long> refusals = new ConcurrentHashMap<>();

    void add(int counter, long count) { values.setOpaque(counter, values.getPlain(counter) + count); }

    void refused(Refusal why) {
        refusals.merge(why.code, 1L, Long::sum);
        if (why.isTimeout()) add(TIMEOUTS, 1);
    }

    long get(int counter) { return values.getOpaque(counter); }

    /** What loops have done, all together; from any thread. */
    static Stats sum(LoopContext... loops) {
        var sums = new long[SIZE];
        int open = 0;
        long longest = 0;
        var refusals = new TreeMap<String, Long>();
        for (LoopContext loop : loops) {
            open += loop.connectionCount.get();
            longest = Math.max(longest, loop.clock.longest);
            Arrays.setAll(sums, i -> sums[i] + loop.counters.get(i));
            loop.counters.refusals.forEach((code, count) -> refusals.merge(code, count, Long::sum));
        }
        var answers = Map.of(2, sums[ANSWERS + 2], 3, sums[ANSWERS + 3], 4, sums[ANSWERS + 4],
                5, sums[ANSWERS + 5]);
        return new Stats(open, sums[ACCEPTED], sums[CLOSED], sums[REQUESTS], answers, sums[BYTES_IN],
                sums[BYTES_OUT], sums[TIMEOUTS], refusals, Duration.ofNanos(longest));
    }
}
