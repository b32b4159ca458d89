package org.microhttp.documents;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.tools.Programs;
import org.microhttp.tools.Readme;

/** Runs each load script in its smallest form: that it works and ends, not how fast anything is. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class LoadScriptsTest {

    @ParameterizedTest
    @ValueSource(strings = {"client", "connections", "delay"})
    void answersOnEveryConnection(String script) throws Exception {
        String output = run(script);
        assertTrue(output.contains("errors           none"), output);
        assertTrue(output.contains("0 without any"), output);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ab", "ab20000"})
    void endsWithoutAFailedRequest(String script) throws Exception {
        assumeTrue(Programs.isInstalled("ab"), "no ab");
        String output = run(script);
        assertTrue(Pattern.compile("Failed requests: +0\\n").matcher(output).find(), output);
    }

    @Test
    void comparesWhatIsInstalled() throws Exception {
        String output = run("compare");
        boolean installed = Stream.of("wrk", "taskset", "setpriv", "timeout")
                .allMatch(Programs::isInstalled);
        if (!installed) assertTrue(output.startsWith("nothing is compared: "), output);
        assumeTrue(installed, output);
        for (String scenario : List.of("keep-alive", "pipelined", "close", "browser", "post")) {
            assertTrue(output.contains("\n" + scenario + ": "), output);
        }
        assertTrue(output.contains("  1/1  microhttp, async ") && !output.contains("INVALID"), output);
    }

    @Test
    @Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void comparesServersOfFilesThatAreInstalled() throws Exception {
        String output = run("files");
        boolean installed = Stream.of("wrk", "ab", "openssl", "haproxy", "taskset", "setpriv", "timeout")
                .allMatch(Programs::isInstalled);
        if (!installed) assertTrue(output.startsWith("nothing is compared: "), output);
        assumeTrue(installed, output);
        for (String asked : List.of("99 B, 2 connections, keep-alive, plain",
                "99 B, 2 connections, close, TLS", "1.7 KiB, 20 connections, keep-alive, plain, ab",
                "600 files, gzip, 100 connections, keep-alive, plain",
                "5 GB, 1 connection, keep-alive, plain", "1.5 MB, 20 connections, keep-alive, plain",
                "256 MiB: how long a small file takes meanwhile")) {
            assertTrue(output.contains("\n" + asked + "\n"), output);
        }
        assertTrue(output.contains("  1/1  FileServer, from memory ") && !output.contains("FAILED"), output);
        assertFalse(output.contains("files.tsv"), output);
    }

    @Test
    @Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void measuresArchives() throws Exception {
        String output = run("archive");
        boolean installed = Stream.of("wrk", "taskset", "setpriv", "timeout")
                .allMatch(Programs::isInstalled);
        if (!installed) assertTrue(output.startsWith("nothing is compared: "), output);
        assumeTrue(installed, output);
        for (String asked : List.of("a page of 13 B, 100 connections, 1 thread",
                "all addresses, 16 connections, 1 thread", "all addresses, 16 connections, 2 threads")) {
            assertTrue(output.contains("\n" + asked + "\n"), output);
        }
        // 200 files, and 4 of them are what their folders are answered with
        Pattern compared = Pattern.compile("\nidentity .* s, .* 204 answers, 0 of them coded\n");
        assertTrue(compared.matcher(output).find() && !output.contains("FAILED"), output);
        assertFalse(output.contains("archive.tsv"), output);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ab", "ab20000", "client", "compare", "connections", "delay"})
    void saysItsSettingsInsteadOfAStart(String script) throws Exception {
        assumeTrue(Programs.isInstalled("bash"), "no bash");
        String head = Readme.read(Readme.ROOT.resolve("src/jmh/" + script)).lines().skip(1)
                .takeWhile(line -> line.startsWith("# ")).map(line -> line.substring(2) + "\n")
                .collect(Collectors.joining());
        assertTrue(head.contains("From the environment: "), head);
        assertEnds(0, head, script, "--help");
        assertEnds(2, script + ": unknown: --other\n" + head, script, "--other");
    }

    @ParameterizedTest
    @ValueSource(strings = {"files", "archive"})
    void refusesAServerThatIsNone(String script) throws Exception {
        assumeTrue(Stream.of("bash", "wrk", "ab", "openssl", "haproxy").allMatch(Programs::isInstalled),
                "not all is there");
        Process process = start(script, "--servers", "nginx,other");
        String output = new String(process.getInputStream().readAllBytes(), ISO_8859_1);
        assertEquals(2, process.waitFor(), output);
        String said = "there is no server other\nusage: src/jmh/" + script + " ";
        assertTrue(output.startsWith(said), output);
    }

    @Test
    @Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void runsEachBenchmarkForAMoment() throws Exception {
        assumeTrue(Programs.isInstalled("bash") && Programs.isInstalled("mvn"), "no bash, or no mvn");
        // one setting of its own, which JMH takes once
        Process process = start("bench", "-r", "10ms");
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
        Process process = start("ab");
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
        output(builder);
        assertTrue(Files.exists(project.resolve("target/jmh/load/org/microhttp/load/Client.class")));
    }

    private static void assertEnds(int status, String said, String script, String argument) throws Exception {
        Process process = start(script, argument);
        assertEquals(said, new String(process.getInputStream().readAllBytes(), UTF_8));
        assertEquals(status, process.waitFor());
    }

    private static String run(String script) throws Exception {
        return output(new ProcessBuilder("bash", "src/jmh/" + script));
    }

    private static String output(ProcessBuilder builder) throws Exception {
        assumeTrue(Programs.isInstalled("bash"), "no bash");
        Process process = start(builder);
        try {
            String output = new String(process.getInputStream().readAllBytes(), ISO_8859_1);
            assertEquals(0, process.waitFor(), output);
            return output;
        } finally {
            process.destroy();
            process.waitFor(10, TimeUnit.SECONDS);
        }
    }

    private static Process start(String script, String... arguments) throws Exception {
        var builder = new ProcessBuilder("bash", "src/jmh/" + script);
        builder.command().addAll(List.of(arguments));
        return start(builder);
    }

    private static Process start(ProcessBuilder builder) throws Exception {
        builder.redirectErrorStream(true).environment().put("SMOKE", "1");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return builder.start();
    }
}
