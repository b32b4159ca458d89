package org.microhttp.tools.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.microhttp.testing.Programs;

/** The program {@code cdb} of tinycdb. */
public final class TinyCdb {

    private static final int LIMIT_SECONDS = 60;

    private TinyCdb() {
    }

    /** Leaves a test out where it cannot run. */
    public static void assumeInstalled() {
        Assumptions.assumeTrue(Programs.isInstalled("cdb"), "no cdb: install the package tinycdb");
    }

    /** Runs it, and answers what it prints; fails if it does. */
    public static byte[] run(String... arguments) throws IOException, InterruptedException {
        return run(Path.of("/dev/null"), arguments);
    }

    /** The same as text. */
    public static String text(String... arguments) throws IOException, InterruptedException {
        return new String(run(arguments), UTF_8);
    }

    /** @param input what it reads */
    public static byte[] run(Path input, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("cdb"));
        command.addAll(List.of(arguments));
        Path output = Files.createTempFile("cdb", ".output");
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true)
                    .redirectInput(input.toFile()).redirectOutput(output.toFile()).start();
            boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
            process.destroyForcibly();
            assertTrue(ended, () -> command + " does not end");
            byte[] said = Files.readAllBytes(output);
            assertEquals(0, process.exitValue(), () -> command + ": " + new String(said, ISO_8859_1));
            return said;
        } finally {
            Files.delete(output);
        }
    }
}
