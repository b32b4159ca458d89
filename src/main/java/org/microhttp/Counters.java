package org.microhttp;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The counters of a loop. Only its thread writes, in opaque mode: other threads see each value whole and
 * soon, and a write costs no fence and no lock. Any thread may read them.
 */
final class Counters {

    /**
     * The index of each counter. UNANSWERED counts requests that the handler has and has not answered. An
     * answer is counted at ANSWERS plus the first digit of its status, 2 to 5; a refusal at REFUSALS plus its
     * ordinal.
     */
    static final int ACCEPTED = 0, CLOSED = 1, REQUESTS = 2, BYTES_IN = 3, BYTES_OUT = 4, TIMEOUTS = 5,
            UNANSWERED = 6, ANSWERS = 7, REFUSALS = ANSWERS + 6;
    static final int SIZE = REFUSALS + Refusal.values().length;

    private final AtomicLongArray values = new AtomicLongArray(SIZE);

    void add(int counter, long count) { values.setOpaque(counter, values.getPlain(counter) + count); }

    void refused(Refusal why) {
        add(REFUSALS + why.ordinal(), 1);
        if (why.isTimeout()) add(TIMEOUTS, 1);
    }

    long get(int counter) { return values.getOpaque(counter); }
}
