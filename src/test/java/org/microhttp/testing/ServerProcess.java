package org.microhttp.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.*;
import java.nio.file.*;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.microhttp.EventLoop;

/**
 * A process that runs a program, in most cases a JVM of its own with a server, so that its limits can be set,
 * its cost be read, and signals be sent to it. Its first line says where it listens: its port (-1 at a Unix
 * domain socket), or {@code listening on HOST:PORT}.
 */
public final class ServerProcess implements AutoCloseable {

    private static final Pattern LISTENING = Pattern.compile(
            "(?:listening on (?:port |([a-z0-9.]+|\\*|\\[[0-9a-f:]+]):))?(-1|[0-9]+)");

    public final Process process;
    public String host;
    public int port;
    private final BufferedReader output;
    private final BufferedReader errors;

    public ServerProcess(ProcessBuilder builder) throws IOException {
        process = Programs.withoutJavaOptions(builder).start();
        output = process.inputReader(ISO_8859_1);
        errors = process.errorReader(ISO_8859_1);
    }

    /**
     * A server that listens when this returns, and answers lines on its standard input, as by {@link
     * InputCommands}.
     *
     * @param limit a shell command that is run first, as in {@code "ulimit -n 80"}
     */
    public ServerProcess(String limit, String mainClass, String... jvmOptions) throws IOException {
        this(new ProcessBuilder(limited(limit, mainClass, jvmOptions)).redirectError(
                ProcessBuilder.Redirect.INHERIT));
        listening();
    }

    private static List<String> limited(String limit, String mainClass, String... jvmOptions) {
        var command = new ArrayList<>(List.of("bash", "-c", limit + "; exec \"$@\"", "server"));
        command.addAll(command(jvmOptions));
        command.add(mainClass);
        return command;
    }

    /** Runs Java, see {@link #command}. */
    public static ServerProcess start(String... arguments) throws IOException {
        return new ServerProcess(new ProcessBuilder(command(arguments)));
    }

    /**
     * A command that runs Java with the class path of this JVM.
     *
     * @param arguments flags of the JVM's own, the program, its arguments
     */
    public static List<String> command(String... arguments) {
        // a JVM that cannot lock its file of performance data prints that to standard output
        var command = new ArrayList<>(List.of(Programs.JAVA, "-XX:-UsePerfData", "-cp", classPath()));
        command.addAll(Programs.SHORT);
        command.addAll(List.of(arguments));
        return command;
    }

    /** The class path of this JVM, and where both kinds of classes are, however they came to it. */
    public static String classPath() {
        return System.getProperty("java.class.path") + ":" + Programs.location(EventLoop.class) + ":"
                + Programs.location(ServerProcess.class);
    }

    /** The same, with the library in a jar as users have it: without a descriptor a folder gives no class. */
    public static String classPathWithJar() throws IOException {
        Path jar = Programs.location(EventLoop.class);
        if (Files.isDirectory(jar)) {
            Path classes = jar;
            jar = Files.createTempFile("microhttp", ".jar");
            jar.toFile().deleteOnExit();
            ToolProvider.findFirst("jar").orElseThrow().run(System.out, System.err, "--create",
                    "--file", jar.toString(), "-C", classes.toString(), ".");
        }
        return jar + ":" + classPath();
    }

    public static boolean isPossible() {
        return Files.isExecutable(Path.of("/bin/bash")) && Files.isReadable(Path.of("/proc/self/stat"));
    }

    /** Skips a test where limits cannot be set, or cost not be read. */
    public static void assumePossible() {
        assumeTrue(isPossible(), "no bash, or no /proc");
    }

    /** Waits for the line that says where the program listens. */
    public ServerProcess listening() throws IOException {
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

    /** Sends a line and reads one. */
    public synchronized String ask(String line) throws IOException {
        process.getOutputStream().write((line + "\n").getBytes());
        process.getOutputStream().flush();
        return output.readLine();
    }

    /** Waits for its end; compares its exit code, and what it still wrote, without the last line's end. */
    public void expectEnd(int code, String output, String errors) throws InterruptedException {
        assertEquals(errors, errors());
        assertEquals(output, output());
        assertEquals(code, process.waitFor());
    }

    /** Connects without waiting for more than the kernel. */
    public Socket connect() throws IOException {
        var socket = new Socket();
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(30_000);
        socket.connect(new InetSocketAddress("127.0.0.1", port), 30_000);
        return socket;
    }

    /** Processor time used so far, in milliseconds: utime and stime, in ticks of 10 ms on Linux. */
    public long cpuMillis() throws IOException {
        String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return 10 * (Long.parseLong(fields[11]) + Long.parseLong(fields[12]));
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

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
