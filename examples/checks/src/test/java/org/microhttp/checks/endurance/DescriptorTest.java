package org.microhttp.checks.endurance;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.testing.ServerProcess;
import org.microhttp.testing.Tier;

/** R2: out of descriptors, the loop serves on, does not spin, and accepts again when there are some. */
@Tier.Gate
final class DescriptorTest {

    /** Also its first request: no class of it is loaded then. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void servesOnAndAcceptsAgainWhenOutOfDescriptors(boolean warm) throws Exception {
        ServerProcess.assumePossible();
        var report = new Report();
        Descriptors.run(report, warm, 1_000);
        assertTrue(report.isKept(), report::violations);
    }
}
