package org.microhttp.faults.suite;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What came of one fault: a row of the table.
 *
 * @param without what the client saw before and after it, and {@code with} what it saw meanwhile
 * @param others  what went wrong at other times, as when the fault came and went
 * @param ratio   the p99 with the fault by that without it, or 0 where they are not compared
 * @param heap    bytes that were live before and after it
 */
public record FaultRow(String fault, String load, Seen without, Seen with, List<String> others,
        double ratio, long[] heap) {

    /** How many times the p99 may be what it is without the fault. */
    private static final double MOST_RATIO = 2;

    /** How many bytes more may be live when it is over. */
    private static final long MOST_GROWTH = 2 << 20;

    public static final String HEAD = """
            | fault | load held | requests | errors | p50, p99 without, µs | p50, p99 with, µs | p99 ratio \
            | live heap before, after, KiB |
            |---|---|---:|---:|---:|---:|---:|---:|
            """;

    /** What the client saw that it should not have seen. */
    public List<String> errors() {
        return Stream.of(without.errors(), with.errors(), others).flatMap(List::stream)
                .map(error -> fault + ": " + error).toList();
    }

    /** What is kept that should have been let go. */
    public List<String> leaks() {
        long growth = heap[1] - heap[0];
        return growth > MOST_GROWTH ? List.of(fault + ": " + growth + " bytes more are live") : List.of();
    }

    /** Whether the client had to wait too long. */
    public List<String> delays() {
        String slow = String.format(Locale.ROOT, "%s: the p99 is %.2f times what it was", fault, ratio);
        return ratio > MOST_RATIO ? List.of(slow) : List.of();
    }

    @Override
    public String toString() {
        String compared = ratio == 0 ? "–" : String.format(Locale.ROOT, "%.2f", ratio);
        int requests = without.requests() + with.requests();
        return String.format(Locale.ROOT, "| %s | %s | %,d | %d | %s | %s | %s | %,d, %,d |", fault, load,
                requests, errors().size(), times(without), times(with), compared, heap[0] >> 10,
                heap[1] >> 10);
    }

    private static String times(Seen seen) {
        return seen.requests() == 0 ? "–"
                : String.format(Locale.ROOT, "%,d, %,d", seen.percentile(50), seen.percentile(99));
    }
}
