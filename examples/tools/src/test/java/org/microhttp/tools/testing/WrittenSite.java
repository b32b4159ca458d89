package org.microhttp.tools.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.*;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files of a site in a folder of a test, and what a program that makes something of them says. */
public class WrittenSite {

    /** A program that does its work and returns its exit code. */
    @FunctionalInterface
    public interface Program {

        int run(PrintStream out, PrintStream err, String... flags);
    }

    public final Path root;

    /** What the last run printed. */
    public String output;
    public String errors;

    private final Program program;

    protected WrittenSite(Path root, Program program) throws IOException {
        this.root = Files.createDirectory(root);
        this.program = program;
    }

    /** Writes a file of the site, with the folders that it is in. */
    public final Path write(String name, String content) throws IOException {
        return write(name, content.getBytes(UTF_8));
    }

    public final Path write(String name, byte[] content) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.write(file, content);
    }

    /** Checks how the output of the last run begins. */
    public final void assertSays(String start) {
        assertTrue(output.startsWith(start), output);
    }

    /** Runs the program in this JVM with these flags alone, and returns its exit code. */
    public final int run(String... flags) {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        int status = program.run(
                new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), flags);
        output = out.toString(UTF_8);
        errors = err.toString(UTF_8);
        return status;
    }
}
