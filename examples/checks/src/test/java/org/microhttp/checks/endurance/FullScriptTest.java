package org.microhttp.checks.endurance;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.testing.Programs;
import org.microhttp.testing.ServerProcess;
import org.microhttp.testing.Tier;
import org.microhttp.tools.testing.ManyFiles;

/**
 * Runs each mode of {@code examples/checks/full} in its form of seconds: that it works, not that it keeps its
 * promise. {@code chaos} has a test of its own, and {@code planted} is one.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tier.Full
final class FullScriptTest {

    /** It takes as long as all others together, and so runs beside them; null if it cannot. */
    private static Process soak;

    @BeforeAll
    static void startSoak() throws IOException {
        soak = ServerProcess.isPossible() && EdgePair.isPossible() ? start("soak") : null;
    }

    @AfterAll
    static void endSoak() {
        if (soak != null) {
            soak.descendants().forEach(ProcessHandle::destroy);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"descriptors", "bodies", "readers", "memory", "faults", "scale", "files", "swaps",
        "frames", "sockets", "clients", "soak"})
    void runsOneToItsVerdict(String mode) throws Exception {
        ServerProcess.assumePossible();
        assumeTrue(!mode.equals("files") || ManyFiles.isPossible(), "no brotli or zstd");
        assumeTrue(!mode.equals("frames") || hasWebsockets(), "Python has no package websockets");
        assumeTrue(!mode.equals("soak") || soak != null, "no curl, HAProxy, nginx, h2load or openssl");
        Process process = mode.equals("soak") ? soak : start(mode);
        List<String> lines = process.inputReader(ISO_8859_1).lines().toList();
        assertEquals(0, process.waitFor(), lines::toString);
        assertTrue(lines.get(0).startsWith("== " + mode + " "), lines::toString);
        String verdict = lines.get(lines.size() - 1);
        assertTrue(List.of("kept", "too short to tell").contains(verdict), lines::toString);
    }

    @Test
    void saysWhatItCanRun() throws Exception {
        assumeTrue(Programs.isInstalled("bash"), "no bash");
        Process process = start("none");
        assertEquals("", new String(process.getInputStream().readAllBytes(), ISO_8859_1));
        String errors = new String(process.getErrorStream().readAllBytes(), ISO_8859_1);
        assertTrue(errors.startsWith("usage: examples/checks/full [MODE [ARGS]]; MODE is one of chaos "),
                errors);
        assertEquals(2, process.waitFor());
    }

    private static boolean hasWebsockets() throws Exception {
        return Programs.isInstalled("python3") && new ProcessBuilder("python3", "-c", "import websockets")
                .redirectError(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0;
    }

    private static Process start(String... arguments) throws IOException {
        var command = new ArrayList<String>(List.of("bash", "examples/checks/full"));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command);
        builder.environment().put("SMOKE", "1");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return Programs.withoutJavaOptions(builder).start();
    }
}
