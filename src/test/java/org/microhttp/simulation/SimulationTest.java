package org.microhttp.simulation;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.microhttp.testing.Programs;
import org.microhttp.testing.ServerProcess;
import org.microhttp.testing.Tier;

/**
 * Simulated worlds in a short form, each time in a JVM of its own: the provider of channels is one for a
 * process, and must be set before the first.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SimulationTest {

    /** How many worlds a planted fault is looked for in; else as many as a test of the quick tier lives. */
    private static final String SEARCHED = System.getProperty("microhttp.worlds");
    private static final String PROVIDER = "org.microhttp.simulation.network.SimulatedProvider";

    /** What the program prints; its last line is the verdict. */
    private static List<String> simulate(String program, String... arguments) throws Exception {
        var command = new ArrayList<>(List.of(Programs.JAVA, "-ea", "-Xmx1g"));
        command.addAll(Programs.SHORT);
        if (SEARCHED != null) command.add("-Dmicrohttp.worlds=" + SEARCHED);
        command.addAll(List.of("-Djava.nio.channels.spi.SelectorProvider=" + PROVIDER, "-cp",
                ServerProcess.classPath(), program));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        Process process = Programs.withoutJavaOptions(builder).start();
        List<String> lines = process.inputReader(ISO_8859_1).lines().toList();
        assertEquals(0, process.waitFor(), () -> broken(lines));
        return lines;
    }

    /** The seed and the rule first, then what else was printed: the story of the world is long. */
    private static String broken(List<String> lines) {
        String all = String.join("\n", lines);
        Matcher rule = Pattern.compile("\\bseed (\\d+).*").matcher(all);
        String again = !rule.find() ? "" : rule.group() + "\n\"src/test/simulate again " + rule.group(1)
                + "\" lives it again. ";
        return "A simulated world broke a promise. " + again
                + "Mend what broke it, and run this test again.\n" + all;
    }

    private static void checkWorlds(String count, String seed) throws Exception {
        List<String> lines = simulate(Simulate.class.getName(), "worlds", count, seed);
        System.out.println("simulated: " + lines.get(1));
        assertEquals("worlds from seed " + seed, lines.get(0));
        assertEquals("kept", lines.get(lines.size() - 1));
    }

    @Test
    void everyPromiseIsKeptInTheFirstWorlds() throws Exception {
        checkWorlds(SEARCHED == null ? "20" : SEARCHED, "1");
    }

    @Test
    @Tier.Gate
    void everyPromiseIsKeptInNewRandomWorlds() throws Exception {
        long seed = ThreadLocalRandom.current().nextLong(1L << 40);
        System.out.println("src/test/simulate again SEED tells one of those from " + seed + " on");
        checkWorlds("40", Long.toString(seed));
    }

    @Test
    @Tier.Gate
    void theSameSeedGivesTheSameStory() throws Exception {
        List<String> once = simulate(Simulate.class.getName(), "fingerprint", "8", "70");
        List<String> again = simulate(Simulate.class.getName(), "fingerprint", "8", "70");
        assertEquals(once, again);
        assertTrue(once.get(0).matches("[0-9a-f]{16}"), once::toString);
    }

    @Test
    @Tier.Gate
    void printsTheStoryOfOneWorld() throws Exception {
        List<String> lines = simulate(Simulate.class.getName(), "again", "5");
        assertTrue(lines.stream().anyMatch(line -> line.contains("connects")), lines::toString);
        assertTrue(lines.stream().anyMatch(line -> line.endsWith("loop 0 has ended")), lines::toString);
    }
}
