package org.microhttp.checks.documents;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.microhttp.testing.Programs;

/** A load script, run in its smallest form by the JDK that runs the tests. */
final class LoadScript {

    private LoadScript() {
    }

    /** {@return what it prints until it has ended well} */
    static String run(String script) throws Exception {
        return output(new ProcessBuilder("bash", "src/jmh/" + script));
    }

    /** {@return what is printed until it has ended well} */
    static String output(ProcessBuilder builder) throws Exception {
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

    /** What needs these programs says that it does nothing without them; then the test is over. */
    static void assumeCompared(String output, String... programs) {
        boolean installed = Stream.of(programs).allMatch(Programs::isInstalled);
        if (!installed) assertTrue(output.startsWith("nothing is compared: "), output);
        assumeTrue(installed, output);
    }

    /** Starts it with arguments. */
    static Process start(String script, String... arguments) throws Exception {
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
