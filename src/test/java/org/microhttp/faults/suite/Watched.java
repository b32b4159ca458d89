package org.microhttp.faults.suite;

import java.util.ArrayList;
import java.util.List;

/** What a client saw in several windows of time, all under the same load. */
final class Watched {

    private final List<Long> tails = new ArrayList<>();
    private Seen all = Seen.NOTHING;

    void add(Seen window) {
        all = all.and(window);
        tails.add(window.percentile(99));
    }

    Seen all() {
        return all;
    }

    /** How many times the tail of another's it has, each the median of those of its windows. */
    double ratio(Watched other) {
        return tail() / other.tail();
    }

    private double tail() {
        long[] sorted = tails.stream().mapToLong(value -> value).sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2.0;
    }
}
