package org.microhttp.checks.endurance;

import java.util.Locale;

/**
 * What came of one fault: a row of the table.
 *
 * @param load      what the fault held
 * @param without   what the client saw before and after it
 * @param elsewhere what it saw while another server had the fault; nothing if times are not judged
 * @param with      what it saw while its own server had it
 * @param errors    how many requests of the client failed, also while the fault came and went
 * @param heap      bytes that were live before and after it
 */
public record FaultRow(String fault, String load, Times without, Times elsewhere, Times with, long errors,
        long[] heap) {

    public static final String HEAD = """
            | fault | load held | requests | errors | p50, p99 without, µs | with it elsewhere, µs \
            | with it, µs | p99: ratio to without, to elsewhere | live heap before, after, KiB |
            |---|---|---:|---:|---:|---:|---:|---:|---:|
            """;

    /** How many times the p99 may be what it is when another server has the fault. */
    private static final double MOST_RATIO = 2;

    /** Whether what should have been released is kept, and whether the client waited too long. */
    public FaultRow check(Report report) {
        long growth = heap[1] - heap[0];
        Usage.check(report, "bytes of live heap", growth, Usage.MORE_HEAP);
        double ratio = isCompared() ? with.ratio(elsewhere) : 0;
        report.check(ratio <= MOST_RATIO, "delay", String.format(Locale.ROOT,
                "the p99 is %.2f times what it is when another server has the fault", ratio));
        return this;
    }

    private boolean isCompared() {
        return elsewhere.requests() > 0;
    }

    @Override
    public String toString() {
        String compared = isCompared()
                ? String.format(Locale.ROOT, "%.2f, %.2f", with.ratio(without), with.ratio(elsewhere)) : "–";
        int requests = without.requests() + elsewhere.requests() + with.requests();
        return String.format(Locale.ROOT, "| %s | %s | %,d | %d | %s | %s | %s | %s | %,d, %,d |", fault,
                load, requests, errors, times(without), times(elsewhere), times(with), compared,
                heap[0] >> 10, heap[1] >> 10);
    }

    private static String times(Times times) {
        return times.requests() == 0 ? "–"
                : String.format(Locale.ROOT, "%,d, %,d", times.percentile(50), times.percentile(99));
    }
}
