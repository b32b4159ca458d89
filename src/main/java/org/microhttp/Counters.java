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

    /** What is counted. */
    static final int ACCEPTED = 0, CLOSED = 1, REQUESTS = 2, BYTES_IN = 3, BYTES_OUT = 4, TIMEOUTS = 5;

    /** Requests handed over, or turned away, whose answer is not sent. */
    static final int UNANSWERED = 6;

    private static final int TURN = 7, LONGEST_TURN = 8;

    /** Answers, at this index and the first digit of their status: 2 to 5. */
    static final int ANSWERS = 9;
    private static final int SIZE = ANSWERS + 6;

    /** No time of a turn. */
    static final long NONE = Long.MIN_VALUE;

    private final AtomicLongArray values = new AtomicLongArray(SIZE);
    private final Map<String, Long> refusals = new ConcurrentHashMap<>();

    Counters() { set(TURN, NONE); }

    void add(int counter, long count) { set(counter, values.getPlain(counter) + count); }

    private void set(int counter, long value) { values.setOpaque(counter, value); }

    void turnBegins(long nanoTime) { set(TURN, nanoTime); }

    void turnEnds(long nanoTime) {
        set(LONGEST_TURN, Math.max(get(LONGEST_TURN), nanoTime - get(TURN)));
        set(TURN, NONE);
    }

    /** When the present turn began, or {@link #NONE} while the loop waits for its sockets. */
    long turn() { return get(TURN); }

    /** A request goes to the handler, or is turned away: it counts as unanswered until it ends. */
    void requestRead(Exchange exchange) {
        exchange.unanswered = true;
        add(REQUESTS, 1);
        add(UNANSWERED, 1);
    }

    void refused(Refusal why) {
        refusals.merge(why.code, 1L, Long::sum);
        if (why.isTimeout()) add(TIMEOUTS, 1);
    }

    int unanswered() { return (int) get(UNANSWERED); }

    private long get(int counter) { return values.getOpaque(counter); }

    /** What loops have done, all together; from any thread. */
    static Stats sum(LoopContext... loops) {
        var sums = new long[SIZE];
        int open = 0;
        long longest = 0;
        var refusals = new TreeMap<String, Long>();
        for (LoopContext loop : loops) {
            open += loop.connectionCount.get();
            longest = Math.max(longest, loop.counters.get(LONGEST_TURN));
            for (int i = 0; i < SIZE; i++) {
                sums[i] += loop.counters.get(i);
            }
            loop.counters.refusals.forEach((code, count) -> refusals.merge(code, count, Long::sum));
        }
        var answers = new TreeMap<Integer, Long>();
        for (int digit = 2; digit <= 5; digit++) {
            answers.put(digit, sums[ANSWERS + digit]);
        }
        return new Stats(open, sums[ACCEPTED], sums[CLOSED], sums[REQUESTS], answers, sums[BYTES_IN],
                sums[BYTES_OUT], sums[TIMEOUTS], refusals, Duration.ofNanos(longest));
    }
}
