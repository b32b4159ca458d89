package org.microhttp.faults.suite;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What came of one fault: a row of the table.
 *
 * @param without   what the client saw before and after it
 * @param elsewhere what it saw while another server had the fault; nothing if times are not judged
 * @param with      what it saw while its own server had it
 * @param others    what went wrong at other times, as when the fault came and went
 * @param heap      bytes that were live before and after it
 */
public record FaultRow(String fault, String load, Watched without, Watched elsewhere, Watched with,
        List<String> others, long[] heap) {

    /** How many times the p99 may be what it is when another server has the fault. */
    private static final double MOST_RATIO = 2;

    /** How many bytes more may be live when it is over. */
    private static final long MOST_GROWTH = 2 << 20;

    public static final String HEAD = """
            | fault | load held | requests | errors | p50, p99 without, µs | with it elsewhere, µs \
            | with it, µs | p99 by that without, elsewhere | live heap before, after, KiB |
            |---|---|---:|---:|---:|---:|---:|---:|---:|
            """;

    /** What the client saw that it should not have seen. */
    public List<String> errors() {
        return Stream.of(without.all().errors(), elsewhere.all().errors(), with.all().errors(), others)
                .flatMap(List::stream).map(error -> fault + ": " + error).toList();
    }

    /** What is kept that should have been let go. */
    public List<String> leaks() {
        long growth = heap[1] - heap[0];
        return growth > MOST_GROWTH ? List.of(fault + ": " + growth + " bytes more are live") : List.of();
    }

    /** Whether the client had to wait too long for what its own server does. */
    public List<String> delays() {
        if (!isCompared() || with.ratio(elsewhere) <= MOST_RATIO) {
            return List.of();
        }
        return List.of(String.format(Locale.ROOT, "%s: the p99 is %.2f times what it is when another has it",
                fault, with.ratio(elsewhere)));
    }

    private boolean isCompared() {
        return elsewhere.all().requests() > 0;
    }

    @Override
    public String toString() {
        String compared = isCompared()
                ? String.format(Locale.ROOT, "%.2f, %.2f", with.ratio(without), with.ratio(elsewhere)) : "–";
        int requests = Stream.of(without, elsewhere, with).mapToInt(part -> part.all().requests()).sum();
        return String.format(Locale.ROOT, "| %s | %s | %,d | %d | %s | %s | %s | %s | %,d, %,d |", fault,
                load, requests, errors().size(), times(without), times(elsewhere), times(with), compared,
                heap[0] >> 10, heap[1] >> 10);
    }

    private static String times(Watched watched) {
        Seen seen = watched.all();
        return seen.requests() == 0 ? "–"
                : String.format(Locale.ROOT, "%,d, %,d", seen.percentile(50), seen.percentile(99));
    }
}
