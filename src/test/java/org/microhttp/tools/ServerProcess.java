package org.microhttp.tools;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.microhttp.EventLoop;
import org.microhttp.NoopLogger;
import org.microhttp.Options;
import org.microhttp.Response;

/**
 * A server in a JVM of its own, so that its limits can be set and its cost be read. It prints its port,
 * answers "ok" and takes a line on its standard input: "memory" prints the live heap after a full collection,
 * the name of an event how many there were.
 */
public final class ServerProcess implements AutoCloseable {

    /** The name of the server's program. */
    public static final String MAIN = Main.class.getName();

    public final Process process;
    public final int port;
    private final BufferedReader output;

    /** @param limit a shell command that is run first, as in {@code "ulimit -n 80"} */
    public ServerProcess(String limit, String mainClass, String... jvmOptions) throws IOException {
        var command = new ArrayList<String>(List.of("bash", "-c", limit + "; exec \"$@\"", "server",
                Programs.JAVA));
        command.addAll(Programs.SHORT);
        command.addAll(List.of(jvmOptions));
        command.addAll(List.of("-cp", classPath(), mainClass));
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

    /** The server's program. */
    static final class Main {

        private Main() {
        }

        public static void main(String[] arguments) throws Exception {
            var ok = new Response(200, "OK", List.of(), "ok".getBytes());
            var large = new Response(200, "OK", List.of(), new byte[8 << 20]);
            var options = new Options().withHost("127.0.0.1").withPort(0);
            for (String name : System.getProperties().stringPropertyNames()) {
                set(options, name);
            }
            var log = new RecordingLogger();
            var loop = new EventLoop(options, Boolean.getBoolean("log") ? log : new NoopLogger(),
                    (request, callback) -> callback.accept(request.uri().equals("/large") ? large : ok));
            System.out.println(loop.getPort());
            Orders.answer(line -> line.equals("memory") ? Heap.live() : log.count(line));
            loop.start();
        }

        private static void set(Options options, String name) {
            String value = System.getProperty(name);
            switch (name) {
                case "socketTimeout" -> options.withSocketTimeout(java.time.Duration.parse(value));
                case "requestTimeout" -> options.withRequestTimeout(java.time.Duration.parse(value));
                case "sendBufferSize" -> options.withSendBufferSize(Integer.parseInt(value));
                default -> { }
            }
        }
    }
}
