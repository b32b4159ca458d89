package org.microhttp.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.*;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import org.microhttp.EventLoop;

/**
 * A server in a JVM of its own, so that its limits can be set and its cost be read. Its program prints its
 * port, and a line for each that it is sent on its standard input, as by {@link Orders}.
 */
public final class ServerProcess implements AutoCloseable {

    public final Process process;
    public final int port;
    private final BufferedReader output;

    /** @param limit a shell command that is run first, as in {@code "ulimit -n 80"} */
    public ServerProcess(String limit, String mainClass, String... jvmOptions) throws IOException {
        var command = new ArrayList<String>(List.of("bash", "-c", limit + "; exec \"$@\"", "server",
                Programs.JAVA));
        command.addAll(Programs.SHORT);
        command.addAll(List.of("-cp", classPath()));
        command.addAll(List.of(jvmOptions));
        command.add(mainClass);
        var builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        process = Programs.withoutJavaOptions(builder).start();
        output = process.inputReader();
        String line = output.readLine();
        if (line == null) {
            throw new IOException("the server did not start");
        }
        port = Integer.parseInt(line);
    }

    /** The class path of this JVM, and where both kinds of classes are, however they came to it. */
    public static String classPath() {
        return System.getProperty("java.class.path") + ":" + place(EventLoop.class) + ":"
                + place(ServerProcess.class);
    }

    /** The same, with the library in a jar as users have it: without a descriptor a folder gives no class. */
    public static String classPathWithJar() throws IOException {
        Path jar = place(EventLoop.class);
        if (Files.isDirectory(jar)) {
            Path classes = jar;
            jar = Files.createTempFile("microhttp", ".jar");
            jar.toFile().deleteOnExit();
            ToolProvider.findFirst("jar").orElseThrow().run(System.out, System.err, "--create",
                    "--file", jar.toString(), "-C", classes.toString(), ".");
        }
        return jar + ":" + classPath();
    }

    private static Path place(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (java.net.URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    public static boolean isPossible() {
        return Files.isExecutable(Path.of("/bin/bash")) && Files.isReadable(Path.of("/proc/self/stat"));
    }

    /** Skips a test where none can be had. */
    public static void assumePossible() {
        assumeTrue(isPossible(), "no bash, or no /proc");
    }

    /** Connects without waiting for more than the kernel. */
    public Socket connect() throws IOException {
        var socket = new Socket();
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(30_000);
        socket.connect(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port),
                30_000);
        return socket;
    }

    /** Processor time used so far, in milliseconds: utime and stime, in ticks of 10 ms on Linux. */
    public long cpuMillis() throws IOException {
        String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return 10 * (Long.parseLong(fields[11]) + Long.parseLong(fields[12]));
    }

    /** Sends a line and reads one. */
    public synchronized String ask(String line) throws IOException {
        process.getOutputStream().write((line + "\n").getBytes());
        process.getOutputStream().flush();
        return output.readLine();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
