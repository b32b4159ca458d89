package org.microhttp.checks.faults.chaos;

import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.microhttp.LogEntry;
import org.microhttp.Logger;

/**
 * A logger that fails now and then, which nobody may notice. One that is exact has first counted what it was
 * told, and so knows of every connection that is open; another also throws when it is asked whether it wants
 * an event, or does not want it.
 */
final class ChaosLogger implements Logger {

    private final ChaosLedger ledger;
    private final ChaosLimits limits;
    private final long seed;
    private final boolean exact;
    private final AtomicLong calls = new AtomicLong();
    private final AtomicInteger open = new AtomicInteger();
    private final Set<String> ids = ConcurrentHashMap.newKeySet();
    private final Set<String> closed = ConcurrentHashMap.newKeySet();

    ChaosLogger(ChaosLedger ledger, ChaosLimits limits, long seed) {
        this.ledger = ledger;
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
        if (exact) {
            count(entries);
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

    private void count(LogEntry... entries) {
        String event = entries[0].value();
        ledger.count("event " + event);
        if (event.equals("accept")) {
            // each other loop may just have given back a place, and not have told it yet
            int now = open.incrementAndGet();
            boolean kept = now <= limits.connections + limits.loops - 1;
            ledger.check(kept, "maxConnections", now + " open of " + limits.connections);
            ledger.check(ids.add(entries[1].value()), "accept", "twice for " + entries[1].value());
        } else if (event.equals("close")) {
            open.decrementAndGet();
            String id = entries[1].value();
            ledger.check(ids.contains(id) && closed.add(id), "close", "twice, or unknown: " + id);
        }
    }

    /** Compares with the end, where all are closed. */
    void end() {
        ledger.check(open.get() == 0, "close", "missing for " + open.get() + " connections");
    }
}
