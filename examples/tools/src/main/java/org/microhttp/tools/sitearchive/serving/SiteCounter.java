package org.microhttp.tools.sitearchive.serving;

import java.util.concurrent.atomic.LongAdder;

/** Counts answers. For any thread. */
final class SiteCounter {

    private final LongAdder whole = new LongAdder();
    private final LongAdder part = new LongAdder();
    private final LongAdder notModified = new LongAdder();
    private final LongAdder missing = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder other = new LongAdder();
    private final LongAdder bytes = new LongAdder();

    void add(int status, long sent) {
        counter(status).increment();
        bytes.add(sent);
    }

    private LongAdder counter(int status) {
        return switch (status) {
            case 200 -> whole;
            case 206 -> part;
            case 304 -> notModified;
            case 404 -> missing;
            case 500 -> failed;
            default -> other;
        };
    }

    ServeCounts counts() {
        return new ServeCounts(whole.sum(), part.sum(), notModified.sum(), missing.sum(), failed.sum(),
                other.sum(), bytes.sum());
    }
}
