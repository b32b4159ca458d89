package org.microhttp.checks.endurance;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.microhttp.LogEntry;
import org.microhttp.Logger;

/**
 * A logger that fails now and then, which nobody may notice. For some servers it does not want every event,
 * and also throws when it is asked.
 */
record ChaosLogger(Report report, long seed, AtomicLong calls) implements Logger {

    @Override
    public boolean enabled() {
        return seed % 3 != 0 || !isChosen(4);
    }

    @Override
    public void log(Exception cause, LogEntry... entries) {
        report.count("event " + entries[0].value());
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
}
