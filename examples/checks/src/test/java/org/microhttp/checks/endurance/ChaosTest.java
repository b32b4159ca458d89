package org.microhttp.checks.endurance;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.microhttp.testing.Tier;

/** {@link Chaos} in a short form: a server for every way to end one, or as many as the time allows. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tier.Gate
final class ChaosTest {

    private static final long MOST_NANOS = 6_000_000_000L;

    @Test
    void everyPromiseIsKeptWhateverClientsAndHandlersDo() throws Exception {
        var report = new Report();
        var chaos = new Chaos(report, 1);
        long began = System.nanoTime();
        for (int i = 0; i < ChaosEnding.values().length; i++) {
            if (i <= Chaos.WARM_UP || System.nanoTime() - began < MOST_NANOS) {
                chaos.live(250);
            }
        }
        chaos.checkHeap();
        assertTrue(report.isKept(), report::violations);
    }
}
