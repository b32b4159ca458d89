package org.microhttp.checks.documents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.testing.Programs;
import org.microhttp.testing.Readme;
import org.microhttp.testing.Tier;

/** Runs each load script in its smallest form: that it works and ends, not how fast anything is. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tier.Full
final class LoadScriptsTest {

    /** A script with its arguments, the programs it needs, and what it prints: several patterns. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            connections | wrk setpriv | answers, .* errors 0
            ab          | ab setpriv  | Failed requests: +0\\n
            streams     | wrk taskset setpriv | microhttp.* [0-9.]+; [0-9.]+
            compare     | wrk taskset setpriv | \\nkeep-alive 100\\n ; \\npipelined 100\\n ; \\nclose 50\\n \
            ; \\nbrowser 100\\n ; \\npost 100\\n ; \\nasync 100\\n ; \\n100 KiB 20\\n ; \\n1.5 MB 20\\n \
            ; 1/1  microhttp-fresh
            providers   | wrk mvn taskset setpriv | \\nget 16\\n ; \\npost 16\\n ; \\ndownload 4\\n \
            ; \\nupload 4\\n ; \\nstreams 100\\n ; 1/1  robaho
            files       | wrk openssl haproxy taskset setpriv | \\nmatrix 99 2 close TLS\\n \
            ; \\ncoded mix-gzip 100 ; \\nhuge 5g 1 ; \\nbodies 1.5m 20 ; 1/1  fileserver-memory
            archive     | wrk taskset setpriv | \\nload all 16 2\\n ; \\ngzip\\t
            services/run --servers microhttp,jdk | wrk mvn taskset setpriv \
            | CPU time, µs ; requests per second ; p99.9, µs ; start, ms
            versions target/classes target/classes | setpriv timeout | \\nhello .*  undecided\\n \
            ; \\npipelined .*  undecided\\n ; \\nbrowser .*  undecided\\n ; \\nbodyOf4KiB .*  undecided\\n \
            ; \\nvaried .*  undecided\\n ; \\nasync .*  undecided\\n
            """)
    void measuresAndEnds(String command, String programs, String patterns) throws Exception {
        boolean installed = programs == null
                || Stream.of(programs.split(" ")).allMatch(Programs::isInstalled);
        Process process = start(command.split(" "));
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        int status = process.waitFor();
        assumeTrue(installed && !output.contains("nothing is compared: "), output);
        assertEquals(0, status, output);
        for (String pattern : patterns.split(" ; ")) {
            assertTrue(Pattern.compile(pattern.strip()).matcher(output).find(), pattern + " in " + output);
        }
        assertFalse(output.contains("FAILED"), output);
    }

    @Test
    void runsEachBenchmarkForAMoment() throws Exception {
        assumeTrue(Programs.isInstalled("mvn"), "no mvn");
        // one setting of its own, which JMH takes once
        Process process = start("bench", "-r", "10ms");
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        int status = process.waitFor();
        assumeTrue(!output.contains("Could not resolve dependencies"), "JMH cannot be had");
        assertEquals(0, status, output);
        Readme.sources("src/jmh/java/org/microhttp").stream().map(Readme::name)
                .filter(name -> name.endsWith("Benchmark"))
                .forEach(name -> assertTrue(output.contains("\n" + name + "."), name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ab --other", "versions no-version", "compare --servers other"})
    void refusesWhatItDoesNotKnow(String command) throws Exception {
        assumeTrue(Stream.of("setpriv", "wrk", "taskset").allMatch(Programs::isInstalled), "one is missing");
        Process process = start(command.split(" "));
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertTrue(process.waitFor() > 0, output);
        assertTrue(output.contains(command.replaceFirst(".* ", "")), output);
    }

    private static Process start(String... command) throws Exception {
        assumeTrue(Programs.isInstalled("bash"), "no bash");
        var words = new ArrayList<>(List.of("bash", "src/jmh/" + command[0]));
        words.addAll(List.of(command).subList(1, command.length));
        var builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().put("SMOKE", "1");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return builder.start();
    }
}
