package org.microhttp.measure;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A server program that runs on one CPU and listens on a port of the loopback address. */
public final class PinnedServer {

    private static final long START_LIMIT_MILLIS = 20_000;

    private final int port;
    private final Path output;
    private final Process process;

    /**
     * Starts it, and waits until it listens.
     *
     * @param folder         of its own: what it prints is kept there
     * @param port           where the command has it listen
     * @param cpu            as taskset takes it
     * @param secondsAtMost  after which it is ended, whatever happens
     */
    public PinnedServer(List<String> command, Path folder, int port, String cpu, double secondsAtMost)
            throws IOException {
        this.port = port;
        output = folder.resolve("output");
        List<String> pinned = new ArrayList<>(List.of("taskset", "-c", cpu));
        pinned.addAll(command);
        process = Children.start(pinned, secondsAtMost, Redirect.to(output.toFile()));
        awaitListening(command.get(0));
    }

    public static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            return socket.getLocalPort();
        }
    }

    private void awaitListening(String program) throws IOException {
        long limit = System.nanoTime() + START_LIMIT_MILLIS * 1_000_000;
        while (process.isAlive() && System.nanoTime() - limit < 0) {
            try {
                new Socket("127.0.0.1", port).close();
                return;
            } catch (IOException e) {
                pause();
            }
        }
        end();
        throw new IOException(program + " does not listen: " + Files.readString(output).strip());
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(1);
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    public int port() { return port; }

    public CpuTime time() throws IOException { return CpuTime.of(process); }

    /** Of the threads that compile, if it is a JVM. */
    public CpuTime compilerTime() throws IOException { return CpuTime.ofCompilers(process); }

    /** {@return the process of the command itself, below those that limit it} */
    public long pid() {
        return process.children().findFirst().orElseThrow(() -> new IllegalStateException("ended")).pid();
    }

    /** {@return how much memory it occupies, in KiB} */
    public long resident() throws IOException {
        return Files.readAllLines(Path.of("/proc/" + pid() + "/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", ""))).sum();
    }

    public void end() { Children.end(process); }
}
