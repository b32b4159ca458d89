package org.microhttp;

import java.time.Duration;
import java.util.*;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The counters of a loop. Only its thread writes, in opaque mode: other threads see each value whole and
 * soon, and a write costs no fence and no lock. Any thread may take a snapshot.
 */
final class Counters {

    /**
     * The index of each counter. UNANSWERED counts requests that the handler has and has not answered. An
     * answer is counted at ANSWERS plus the first digit of its status, 2 to 5; a refusal at REFUSALS plus its
     * ordinal.
     */
    static final int ACCEPTED = 0, CLOSED = 1, REQUESTS = 2, BYTES_IN = 3, BYTES_OUT = 4, TIMEOUTS = 5,
            UNANSWERED = 6, ANSWERS = 7, REFUSALS = ANSWERS + 6;
    private static final int SIZE = REFUSALS + Refusal.values().length;

    private final AtomicLongArray values = new AtomicLongArray(SIZE);

    void add(int counter, long count) { values.setOpaque(counter, values.getPlain(counter) + count); }

    void refused(Refusal why) {
        add(REFUSALS + why.ordinal(), 1);
        if (why.isTimeout()) add(TIMEOUTS, 1);
    }

    long get(int counter) { return values.getOpaque(counter); }

    /** Returns what these loops have done together. Any thread may call it. */
    static Stats sum(LoopContext... loops) {
        var sums = new long[SIZE];
        int open = 0;
        long longest = 0;
        var refusals = new TreeMap<String, Long>();
        for (LoopContext loop : loops) {
            open += loop.connectionCount.get();
            longest = Math.max(longest, loop.longestTurn);
            Arrays.setAll(sums, i -> sums[i] + loop.counters.get(i));
        }
        for (Refusal why : Refusal.values()) {
            long count = sums[REFUSALS + why.ordinal()];
            if (count > 0) refusals.put(why.code, count);
        }
        var answers = Map.of(2, sums[ANSWERS + 2], 3, sums[ANSWERS + 3], 4, sums[ANSWERS + 4],
                5, sums[ANSWERS + 5]);
        return new Stats(open, sums[ACCEPTED], sums[CLOSED], sums[REQUESTS], answers, sums[BYTES_IN],
                sums[BYTES_OUT], sums[TIMEOUTS], refusals, Duration.ofNanos(longest));
    }
}
