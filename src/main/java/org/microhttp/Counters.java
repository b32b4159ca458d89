package org.microhttp;

import java.util.*;
import java.util.concurrent.atomic.AtomicLongArray;
import org.microhttp.protocol.Refusal;

/**
 * The counters of a loop. Only its thread writes, in opaque mode: other threads see each value whole and
 * soon, and a write costs no fence and no lock. Any thread may read them.
 */
final class Counters {

    /**
     * The index of each counter. UNANSWERED counts requests that the handler has and has not answered. An
     * answer is counted at ANSWERS plus the first digit of its status; a refusal at REFUSALS plus its
     * ordinal; a duration at DURATIONS plus the exponent of the least power of two that is not
     * below it in microseconds.
     */
    static final int ACCEPTED = 0, CLOSED = 1, SERVED = 2, REFUSED = 3, UPGRADES = 4, BYTES_IN = 5,
            BYTES_OUT = 6, TIMEOUTS = 7, NANOS = 8, UNANSWERED = 9, ANSWERS = 10, REFUSALS = ANSWERS + 6,
            DURATIONS = REFUSALS + Refusal.values().length;
    private static final int SIZE = DURATIONS + Stats.POWERS;

    /** The names in {@link Stats} of the counters before UNANSWERED, in the order of their indices. */
    private static final List<String> NAMES = List.of("accepted", "closed", "served", "refused", "upgrades",
            "bytesIn", "bytesOut", "timeouts", "totalDuration");

    private final AtomicLongArray values = new AtomicLongArray(SIZE);

    void add(int counter, long count) { values.setOpaque(counter, values.getPlain(counter) + count); }

    /** Counts a refusal, of a request that the handler has, or of one that it never gets. */
    void refused(Refusal why, boolean served) {
        add(REFUSALS + why.ordinal(), 1);
        if (!served) add(REFUSED, 1);
        if (why.isTimeout()) add(TIMEOUTS, 1);
    }

    /** Counts how long a request with its response took. */
    void took(long nanos) {
        // 1 to 1,000 ns are a microsecond, 1,001 to 2,000 are two, up to 4,000 four
        int power = Long.SIZE - Long.numberOfLeadingZeros(Math.max(0, nanos - 1) / 1_000);
        add(DURATIONS + Math.min(power, Stats.POWERS - 1), 1);
        add(NANOS, Math.max(0, nanos));
    }

    long get(int counter) { return values.getOpaque(counter); }

    /** Returns the values by their names in {@link Stats}; of refusals and durations those that occurred. */
    Map<String, Long> named() {
        var named = new HashMap<String, Long>();
        for (int i = 0; i < NAMES.size(); i++) {
            named.put(NAMES.get(i), get(i));
        }
        for (int digit = 2; digit <= 5; digit++) {
            named.put("responses." + digit + "xx", get(ANSWERS + digit));
        }
        for (Refusal why : Refusal.values()) {
            long count = get(REFUSALS + why.ordinal());
            if (count > 0) named.put("refusals." + why.code, count);
        }
        for (int power = 0; power < Stats.POWERS; power++) {
            long count = get(DURATIONS + power);
            if (count > 0) named.put("durations." + (1L << power), count);
        }
        return named;
    }
}
