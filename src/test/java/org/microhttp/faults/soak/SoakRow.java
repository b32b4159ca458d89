package org.microhttp.faults.soak;

import java.util.ArrayList;
import java.util.List;
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
    private static final long MORE_HEAP = 2 << 20;
    private static final long MORE_DESCRIPTORS = 4;
    private static final long MORE_THREADS = 2;
    private static final long MORE_DIRECT = 256 << 10;

    /** {@return what has grown since an earlier row by more than it may, in words} */
    public List<String> growth(SoakRow earlier) {
        var grown = new ArrayList<String>();
        check("bytes of live heap", heap - earlier.heap, MORE_HEAP, grown);
        check("descriptors", descriptors - earlier.descriptors, MORE_DESCRIPTORS, grown);
        check("threads", threads - earlier.threads, MORE_THREADS, grown);
        check("bytes of direct memory", direct - earlier.direct, MORE_DIRECT, grown);
        return grown;
    }

    private static void check(String what, long more, long allowed, List<String> grown) {
        if (more > allowed) {
            grown.add(String.format(Locale.ROOT, "%,d more %s than at first; allowed: %,d", more, what,
                    allowed));
        }
    }

    @Override
    public String toString() {
        String time = String.format(Locale.ROOT, minute < 10 ? "%.1f" : "%.0f", minute);
        return String.format(Locale.ROOT, "| %s | %,d | %,d | %,d | %,d | %,d | %,d | %,d |", time, requests,
                failed, heap >> 10, descriptors, threads, direct >> 10, resident >> 10);
    }
}
