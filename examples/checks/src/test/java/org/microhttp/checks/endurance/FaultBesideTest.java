package org.microhttp.checks.endurance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.testing.ServerProcess;
import org.microhttp.testing.Tier;

/**
 * A client that does everything right sees no error while others make faults, and these leave nothing behind:
 * the mode {@code faults} in short, without the times.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tier.Gate
final class FaultBesideTest {

    private static final String UNPINNED = ":";
    private static final int CONNECTIONS = 300;

    @ParameterizedTest
    @ValueSource(strings = {"SLOW_HEADERS SLOW_BODY SLOW_READ RANGE", "STORM UNREAD", "BAD_PROXY", "UNIX"})
    void isServedBesideThem(String names) throws Exception {
        ServerProcess.assumePossible();
        List<Fault> faults = Stream.of(names.split(" ")).map(Fault::valueOf).toList();
        for (Fault fault : faults) {
            assumeTrue(fault.isPossible(), fault + " needs a program that is not installed");
        }
        var report = new Report();
        try (var trial = new FaultTrial(report, faults, UNPINNED, CONNECTIONS, 5, false)) {
            trial.run(1, 1, 500).check(report);
        }
        assertTrue(report.isKept(), report::violations);
    }

    /** Without the times: a run this short is not judged by them. */
    @ParameterizedTest
    @ValueSource(strings = {"VANISHED", "NETWORK"})
    void isServedInANetworkThatIsBad(String only) throws Exception {
        ServerProcess.assumePossible();
        assumeTrue(Namespace.isPossible(), "no network namespaces");
        Process process = Namespace.start("200", "1", only)
                .redirectErrorStream(true).start();
        String output = process.inputReader().lines().collect(Collectors.joining("\n"));
        assertEquals(0, process.waitFor(), output);
        assertTrue(output.endsWith("kept"), output);
    }
}
