package org.microhttp.checks.documents;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.testing.Programs;
import org.microhttp.testing.Readme;
import org.microhttp.testing.Tier;

/** Runs each load script in its smallest form: that it works and ends, not how fast anything is. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tier.Full
final class LoadScriptsTest {

    @ParameterizedTest
    @ValueSource(strings = {"client", "connections", "delay"})
    void answersOnEveryConnection(String script) throws Exception {
        String output = LoadScript.run(script);
        assertTrue(output.contains("errors           none"), output);
        assertTrue(output.contains("0 without any"), output);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ab", "ab20000"})
    void endsWithoutAFailedRequest(String script) throws Exception {
        assumeTrue(Programs.isInstalled("ab"), "no ab");
        String output = LoadScript.run(script);
        assertTrue(Pattern.compile("Failed requests: +0\\n").matcher(output).find(), output);
    }

    @Test
    void streamsToAllThatListen() throws Exception {
        assumeTrue(Programs.isInstalled("taskset") && Programs.isInstalled("setpriv"), "no util-linux");
        String output = LoadScript.run("streams");
        assertTrue(output.contains("microhttp over bare writes: "), output);
        assertTrue(output.contains("beside slow readers over alone: "), output);
    }

    @Test
    void comparesWhatIsInstalled() throws Exception {
        String output = LoadScript.run("compare");
        LoadScript.assumeCompared(output, "wrk", "taskset", "setpriv", "timeout");
        for (String scenario : List.of("keep-alive", "pipelined", "close", "browser", "post", "async",
                "100 KiB", "1.5 MB")) {
            assertTrue(output.contains("\n" + scenario + "\n"), output);
        }
        assertTrue(output.contains("  1/1  microhttp, fresh ") && !output.contains("FAILED"), output);
    }

    /** With a JDK or a network that has not what it needs, it says so. */
    @Test
    void comparesProvidersOfTheJdksServer() throws Exception {
        String output = LoadScript.run("providers");
        LoadScript.assumeCompared(output, "mvn", "taskset", "setpriv", "timeout");
        assumeTrue(!output.startsWith("nothing is compared: "), output);
        for (String work : List.of("GET, 13 bytes", "POST of 4 KiB", "1 MiB download", "1 MiB upload",
                "100 event streams")) {
            Pattern line = Pattern.compile("\n\\| " + work + " ( *\\| [0-9.]+( \\([0-9. to]+\\))?){4} \\|\n");
            assertTrue(line.matcher(output).find(), work + " is not in: " + output);
        }
    }

    /** Each shape is served, in two rounds, which decide nothing. */
    @Test
    void comparesAVersionWithItself() throws Exception {
        var builder = new ProcessBuilder("bash", "src/jmh/versions", "target/classes", "target/classes");
        String output = LoadScript.output(builder);
        LoadScript.assumeCompared(output, "setpriv", "timeout");
        for (String shape : List.of("hello", "pipelined", "browser", "bodyOf4KiB", "varied", "async")) {
            Pattern line = Pattern.compile(
                    "\n" + shape + "( +[0-9.]+ \\+- Infinity)( +[1-9][0-9.]*){4}  undecided\n");
            assertTrue(line.matcher(output).find(), shape + " is not in: " + output);
        }
    }

    /** Of ten rounds, with ratios of which the mean and the interval are known. */
    @Test
    void judgesARatioByItsInterval(@TempDir Path folder) throws Exception {
        assumeTrue(Stream.of("bash", "setpriv", "timeout").allMatch(Programs::isInstalled), "one is missing");
        StringBuilder kept = new StringBuilder(
                "shape\tratio\told_ns\tnew_ns\told_bytes\tnew_bytes\n");
        // in each round the mean of both is e to the power of 0.01 and 0.03, by turns
        for (int i = 0; i < 20; i++) {
            double logarithm = (i / 2 % 2 == 0 ? 0.01 : 0.03) + (i % 2 == 0 ? 0.1 : -0.1);
            kept.append("hello\t").append(Math.exp(logarithm)).append("\t100\t101\t8\t9\n");
        }
        Path file = Files.writeString(folder.resolve("kept.tsv"), kept);
        // Student's t of 9 degrees is 2.2622: exp(0.02) * sinh(2.2622 * 0.01054 / sqrt(10)) = 0.0077
        assertJudged(4, "1.0202 +- 0.0077", "missed", file, "--limit", "1.02");
        assertJudged(0, "1.0202 +- 0.0077", "met", file, "--limit", "1.021");
        assertJudged(4, "1.0202 +- 0.0077", "undecided", file, "--limit", "1.03", "--width", "0.0076");
    }

    private static void assertJudged(int status, String ratio, String verdict, Path kept, String... options)
            throws Exception {
        List<String> arguments = new ArrayList<>(List.of("--kept", kept.toString(), "--shapes", "hello"));
        arguments.addAll(List.of(options));
        Process process = LoadScript.start("versions", arguments.toArray(String[]::new));
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertEquals(status, process.waitFor(), output);
        assertTrue(output.contains("\nhello       " + ratio + " "), output);
        assertTrue(output.endsWith("  " + verdict + "\n"), output);
    }

    @Test
    void refusesAVersionThatIsNone() throws Exception {
        assumeTrue(Programs.isInstalled("setpriv"), "no setpriv");
        assertEnds(1, "versions: no-version is no commit, no folder of classes and no jar\n", "versions",
                "no-version");
        Process process = LoadScript.start("versions", "src", "target/classes");
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertEquals(1, process.waitFor(), output);
        String why = "src cannot be measured: java.lang.NoClassDefFoundError: org/microhttp/";
        assertTrue(output.contains(why), output);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ab", "ab20000", "client", "connections", "delay"})
    void saysItsSettingsInsteadOfAStart(String script) throws Exception {
        assumeTrue(Programs.isInstalled("bash"), "no bash");
        String head = Readme.read(Readme.ROOT.resolve("src/jmh/" + script)).lines().skip(1)
                .takeWhile(line -> line.startsWith("# ")).map(line -> line.substring(2) + "\n")
                .collect(Collectors.joining());
        assertTrue(head.contains("From the environment: "), head);
        assertEnds(0, head, script, "--help");
        assertEnds(2, script + ": unknown: --other\n" + head, script, "--other");
    }

    @Test
    @Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void runsEachBenchmarkForAMoment() throws Exception {
        assumeTrue(Programs.isInstalled("bash") && Programs.isInstalled("mvn"), "no bash, or no mvn");
        // one setting of its own, which JMH takes once
        Process process = LoadScript.start("bench", "-r", "10ms");
        String output = new String(process.getInputStream().readAllBytes(), ISO_8859_1);
        int status = process.waitFor();
        assumeTrue(!output.contains("Could not resolve dependencies"), "JMH cannot be had");
        assertEquals(0, status, output);
        for (Path benchmark : Readme.sources("src/jmh/java/org/microhttp")) {
            String name = Readme.name(benchmark);
            if (name.endsWith("Benchmark")) assertTrue(output.contains("\n" + name + "."), name);
        }
    }

    @Test
    void saysWhatIsMissing() throws Exception {
        assumeTrue(Programs.isInstalled("bash") && !Programs.isInstalled("ab"), "no bash, or ab is there");
        Process process = LoadScript.start("ab");
        String output = new String(process.getInputStream().readAllBytes(), ISO_8859_1);
        assertTrue(process.waitFor() != 0 && output.contains("apache2-utils"), output);
    }

    /** As in a container; the sources have more than ASCII. */
    @Test
    void compilesWhereTheLocaleHasAsciiAlone(@TempDir Path project) throws Exception {
        for (String folder : List.of("src", "examples")) {
            Files.createSymbolicLink(project.resolve(folder), Path.of(folder).toAbsolutePath());
        }
        // the only one that compiles more than what all share
        var builder = new ProcessBuilder("bash", project.resolve("src/jmh/delay").toString());
        builder.environment().put("LC_ALL", "C");
        LoadScript.output(builder);
        assertTrue(Files.exists(project.resolve("target/jmh/load/org/microhttp/load/Client.class")));
    }

    private static void assertEnds(int status, String said, String script, String argument) throws Exception {
        Process process = LoadScript.start(script, argument);
        assertEquals(said, new String(process.getInputStream().readAllBytes(), UTF_8));
        assertEquals(status, process.waitFor());
    }
}
