package org.microhttp;

import java.lang.invoke.*;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a loop counts. Its thread alone writes, in opaque mode: a plain write that other threads see whole
 * and soon, and which costs no fence and no lock. Any thread may take a snapshot.
 */
final class Counters {

    /** What is counted; answers by the first digit of their status, from {@link #ANSWERS} + 2 on. */
    static final int ACCEPTED = 0, CLOSED = 1, REQUESTS = 2, BYTES_IN = 3, BYTES_OUT = 4, TIMEOUTS = 5,
            ANSWERS = 6;

    /** No time of a turn. */
    static final long NONE = Long.MIN_VALUE;

    /** Requests handed over, or turned away, whose answer is not yet in the write buffer. */
    static final int UNANSWERED = ANSWERS + 6;

    private static final int LONGEST_TURN = UNANSWERED + 1, TURN = LONGEST_TURN + 1;
    private static final VarHandle VALUES = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] values = new long[TURN + 1];
    private final Map<String, Long> refusals = new ConcurrentHashMap<>();

    void add(int counter, long count) { VALUES.setOpaque(values, counter, values[counter] + count); }

    void turnBegins(long nanoTime) { VALUES.setOpaque(values, TURN, nanoTime); }

    void turnEnds(long nanoTime) {
        long length = nanoTime - values[TURN];
        if (length > values[LONGEST_TURN]) VALUES.setOpaque(values, LONGEST_TURN, length);
        VALUES.setOpaque(values, TURN, NONE);
    }

    /** When the present turn began, or {@link #NONE} while the loop waits for its sockets. */
    long turn() { return get(TURN); }

    Counters() { values[TURN] = NONE; }

    void refused(String code) { refusals.merge(code, 1L, Long::sum); }

    int unanswered() { return (int) get(UNANSWERED); }

    private long get(int counter) { return (long) VALUES.getOpaque(values, counter); }

    Stats snapshot(int open) {
        Map<Integer, Long> answers = new TreeMap<>();
        for (int digit = 2; digit <= 5; digit++) answers.put(digit, get(ANSWERS + digit));
        return new Stats(open, get(ACCEPTED), get(CLOSED), get(REQUESTS), answers, get(BYTES_IN),
                get(BYTES_OUT), get(TIMEOUTS), refusals, Duration.ofNanos(get(LONGEST_TURN)));
    }
}
