package org.microhttp.checks.endurance;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/** How long the requests of a client took, in windows of time that are all under the same load. */
public final class Times {

    private final List<long[]> windows = new ArrayList<>();

    /** Adds a window: the sorted times of its requests. */
    Times add(long[] nanos) {
        windows.add(nanos);
        return this;
    }

    int requests() {
        return windows.stream().mapToInt(window -> window.length).sum();
    }

    /** Of all windows together, in microseconds. */
    long percentile(double percent) {
        return percentile(windows.stream().flatMapToLong(LongStream::of).sorted().toArray(), percent);
    }

    /** A percentile of sorted times in microseconds; 0 if there are none. */
    public static long percentile(long[] sorted, double percent) {
        int index = (int) Math.min(sorted.length - 1, sorted.length * percent / 100);
        return sorted.length == 0 ? 0 : sorted[index] / 1000;
    }

    public static String describe(long[] sorted) {
        return sorted.length + " requests, microseconds: median " + percentile(sorted, 50) + ", p99 "
                + percentile(sorted, 99) + ", most " + percentile(sorted, 100);
    }

    /** How many times the tail of the other it has, each the median of those of its windows. */
    double ratio(Times other) {
        return tail() / other.tail();
    }

    private double tail() {
        long[] tails = windows.stream().mapToLong(window -> percentile(window, 99)).sorted().toArray();
        return (tails[(tails.length - 1) / 2] + tails[tails.length / 2]) / 2.0;
    }
}
