package org.microhttp.testing;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.*;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A process that runs a program of {@code examples}, and where it listens once it has said so. */
public final class ExampleProcess {

    private static final Pattern LISTENING =
            Pattern.compile("listening on (?:port |([a-z0-9.]+|\\*|\\[[0-9a-f:]+]):)([0-9]+)");

    public final Process process;
    public String host;
    public int port;
    private final BufferedReader output;
    private final BufferedReader errors;

    public ExampleProcess(ProcessBuilder builder) throws IOException {
        process = Programs.withoutJavaOptions(builder).start();
        output = process.inputReader(US_ASCII);
        errors = process.errorReader(US_ASCII);
    }

    /**
     * Starts Java with the class path of this JVM: flags of the JVM's own, the program, its arguments.
     * Without the file of performance data, of which it would say on standard output if it is locked.
     */
    public static ExampleProcess start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(Programs.JAVA, "-XX:-UsePerfData", "-cp",
                System.getProperty("java.class.path")));
        command.addAll(Programs.SHORT);
        command.addAll(List.of(arguments));
        return new ExampleProcess(new ProcessBuilder(command));
    }

    /** Waits for the line that says where the program listens. */
    public ExampleProcess listening() throws IOException {
        String line = output.readLine();
        assertTrue(line != null, this::errors);
        Matcher address = LISTENING.matcher(line);
        assertTrue(address.matches(), line);
        host = address.group(1) == null ? "localhost" : address.group(1);
        port = Integer.parseInt(address.group(2));
        return this;
    }

    /** The next line that the program writes to standard output; null when it has ended. */
    public String nextLine() throws IOException {
        return output.readLine();
    }

    /** The next line that the program writes to standard error; null when it has ended. */
    public String nextError() throws IOException {
        return errors.readLine();
    }

    /** What the program still writes to standard output until it ends. */
    public String output() {
        return output.lines().collect(joining("\n"));
    }

    /** What the program writes to standard error until it ends. */
    public String errors() {
        return errors.lines().collect(joining("\n"));
    }

    /** Waits for its end; compares its exit code, and what it still wrote, without the last line's end. */
    public void expectEnd(int code, String output, String errors) throws InterruptedException {
        assertEquals(errors, errors());
        assertEquals(output, output());
        assertEquals(code, process.waitFor());
    }

    /** Waits until the threads of its loops are these; the first runs on the main thread, not listed. */
    public void awaitLoops(String... names) throws IOException {
        Path tasks = Path.of("/proc", "" + process.pid(), "task");
        assumeTrue(Files.exists(tasks), "no /proc");
        while (!loops(tasks).equals(List.of(names))) Thread.onSpinWait();
    }

    private static List<String> loops(Path tasks) throws IOException {
        List<String> names = new ArrayList<>();
        try (Stream<Path> threads = Files.list(tasks)) {
            for (Path thread : (Iterable<Path>) threads::iterator) {
                names.add(Files.readString(thread.resolve("comm")).strip());
            }
        } catch (NoSuchFileException e) {
            // a thread of the JVM has ended meanwhile
            return List.of();
        }
        return names.stream().filter(name -> name.startsWith("microhttp-")).sorted().toList();
    }

    /** Sends a signal by its name, as Ctrl-C sends INT. */
    public void signal(String name) throws IOException, InterruptedException {
        signal(name, process.pid());
    }

    /** By the shell's own kill: a small system has no other. */
    public static void signal(String name, long pid) throws IOException, InterruptedException {
        assumeFalse(name.equals("INT") && ignoresInterrupts(), "interrupts are ignored");
        assertEquals(0, new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid).start().waitFor());
    }

    /** Whether a process started from here does: one that a script starts with {@code &}, as all below it. */
    public static boolean ignoresInterrupts() throws IOException {
        Path status = Path.of("/proc/self/status");
        if (Files.notExists(status)) return false;
        return Files.readAllLines(status).stream().filter(line -> line.startsWith("SigIgn:"))
                .anyMatch(line -> (Long.parseUnsignedLong(line.substring(7).strip(), 16) & 2) != 0);
    }

    /** Sends SIGTERM. {@link Process#destroy} would close the streams of the process as well. */
    public void terminate() {
        process.toHandle().destroy();
    }

    /** Sends SIGTERM, and waits until it has ended by that. */
    public void end() throws InterruptedException {
        terminate();
        assertEquals(143, process.waitFor());
    }
}
