package org.microhttp.checks.faults.chaos;

import java.util.Locale;

/**
 * What there was at a time, while no client asked.
 *
 * @param requests    of all clients, so far
 * @param failed      of these
 * @param heap        bytes live after a full collection, as all that follows of the watched server
 * @param descriptors that are open
 * @param direct      bytes of direct buffers
 * @param resident    bytes of memory that the process has
 */
public record SoakRow(double minute, long requests, long failed, long heap, long descriptors, long threads,
        long direct, long resident) {

    /** What a table of rows begins with. */
    public static final String HEAD = """
            | minute | requests | failures | live heap, KiB | descriptors | threads | direct memory, KiB \
            | resident memory, KiB |
            |---:|---:|---:|---:|---:|---:|---:|---:|
            """;

    /** What may be more at the end; the page of the tests says why. */
    static final long MORE_HEAP = 2 << 20;
    private static final long MORE_DESCRIPTORS = 4;
    private static final long MORE_THREADS = 2;
    private static final long MORE_DIRECT = 256 << 10;

    /** Whether nothing has grown since an earlier row by more than it may. */
    void checkGrowth(SoakRow earlier, ChaosLedger ledger) {
        check(ledger, "bytes of live heap", heap - earlier.heap, MORE_HEAP);
        check(ledger, "descriptors", descriptors - earlier.descriptors, MORE_DESCRIPTORS);
        check(ledger, "threads", threads - earlier.threads, MORE_THREADS);
        check(ledger, "bytes of direct memory", direct - earlier.direct, MORE_DIRECT);
    }

    private static void check(ChaosLedger ledger, String what, long more, long allowed) {
        ledger.check(more <= allowed, what, String.format(Locale.ROOT, "%,d more than at first; allowed: %,d",
                more, allowed));
    }

    @Override
    public String toString() {
        String time = String.format(Locale.ROOT, minute < 10 ? "%.1f" : "%.0f", minute);
        return String.format(Locale.ROOT, "| %s | %,d | %,d | %,d | %,d | %,d | %,d | %,d |", time, requests,
                failed, heap >> 10, descriptors, threads, direct >> 10, resident >> 10);
    }
}
