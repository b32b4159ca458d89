package org.microhttp.checks.endurance;

import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.microhttp.LogEntry;
import org.microhttp.Logger;

/**
 * A logger that fails now and then, which nobody may notice, after it has counted the connections that it was
 * told of. For some servers it does not want every event, and also throws when it is asked.
 */
final class ChaosLogger implements Logger {

    private final Report report;
    private final ChaosLimits limits;
    private final long seed;
    private final boolean exact;
    private final AtomicLong calls = new AtomicLong();
    private final AtomicInteger open = new AtomicInteger();
    private final Set<String> ids = ConcurrentHashMap.newKeySet();
    private final Set<String> closed = ConcurrentHashMap.newKeySet();

    ChaosLogger(Report report, ChaosLimits limits, long seed) {
        this.report = report;
        this.limits = limits;
        this.seed = seed;
        exact = seed % 3 != 0;
    }

    @Override
    public boolean enabled() {
        return exact || !isChosen(4);
    }

    @Override
    public void log(Exception cause, LogEntry... entries) {
        String event = entries[0].value();
        report.count("event " + event);
        if (exact && event.equals("accept")) {
            // each other loop may just have given back a place, and not have told it yet
            int now = open.incrementAndGet();
            boolean kept = now <= limits.connections + limits.loops - 1;
            report.check(kept, "maxConnections", now + " open of " + limits.connections);
            report.check(ids.add(entries[1].value()), "accept", "twice for " + entries[1].value());
        } else if (exact && event.equals("close")) {
            open.decrementAndGet();
            String id = entries[1].value();
            report.check(ids.contains(id) && closed.add(id), "close", "twice, or unknown: " + id);
        }
        isChosen(10);
    }

    /** One call of so many is; and as many throw. */
    private boolean isChosen(int oneOf) {
        long number = calls.incrementAndGet();
        int chosen = new SplittableRandom(seed + number).nextInt(2 * oneOf);
        if (chosen == 1 && number % 2 == 0) {
            throw new IllegalStateException("on purpose");
        }
        if (chosen == 1) {
            throw new AssertionError("on purpose");
        }
        return chosen == 0 || chosen == 2;
    }

    /** Connections of which the end was not logged. */
    int open() {
        return open.get();
    }
}
