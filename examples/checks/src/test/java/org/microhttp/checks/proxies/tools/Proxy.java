package org.microhttp.checks.proxies.tools;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A proxy that runs in front of one server or several, on a free port of 127.0.0.1, with a configuration made
 * for it. Its log can be read while it runs. The servers may come and go meanwhile.
 */
public final class Proxy implements AutoCloseable {

    /**
     * Runs the proxy until standard input ends, which it also does when this JVM is killed; Ctrl-C, which a
     * proxy behind a shell does not get, does not end the shell either. Its own output is closed, so that the
     * stream ends with the proxy.
     */
    private static final String GUARD =
            "trap '' INT; \"$@\" & exec > /dev/null 2>&1; read -r line; kill -KILL $!; wait";

    private static final String NO_REQUEST = "?\r\n\r\n";
    private static final int LIMIT_SECONDS = 10;

    /** A free port that was looked up may be taken by another program before the proxy listens. */
    private static final int ATTEMPTS = 5;

    public final int port;

    /** A line for each request that has ended. */
    public final LiveLog<ProxyLine> log = new LiveLog<>();

    private final ProxyKind kind;
    private final Process process;
    private final Thread reader;
    private final List<String> remarks = new ArrayList<>();

    /** Starts one and waits until it answers. The folder is for its files, and no other proxy's. */
    public static Proxy start(ProxyKind kind, Path folder, List<Integer> serverPorts) throws IOException {
        return start(kind, text -> text, folder, serverPorts);
    }

    /** Likewise, with a change of its configuration. */
    public static Proxy start(ProxyKind kind, UnaryOperator<String> change, Path folder,
            List<Integer> serverPorts) throws IOException {
        for (int attempt = 1; ; attempt++) {
            var proxy = new Proxy(kind, change, folder, serverPorts);
            boolean answers = false;
            try {
                answers = proxy.answers();
            } finally {
                if (!answers) {
                    proxy.close();
                }
            }
            if (answers) {
                return proxy;
            }
            if (attempt == ATTEMPTS) {
                throw new IOException(kind + " does not answer: " + proxy.remarks());
            }
        }
    }

    private Proxy(ProxyKind kind, UnaryOperator<String> change, Path folder, List<Integer> serverPorts)
            throws IOException {
        this.kind = kind;
        port = freePort();
        Path configuration = folder.resolve("configuration");
        Files.writeString(configuration, change.apply(kind.configuration(port, serverPorts)));
        process = new ProcessBuilder(guarded(kind, folder, configuration)).redirectErrorStream(true).start();
        reader = new Thread(this::readLog, "log of " + kind);
        reader.setDaemon(true);
        reader.start();
    }

    /** The command that runs a proxy, and ends it when its standard input does. */
    public static List<String> guarded(ProxyKind kind, Path folder, Path configuration) {
        var command = new ArrayList<>(List.of("sh", "-c", GUARD, "guard"));
        command.addAll(kind.command(executable(kind), folder, configuration));
        return command;
    }

    public static boolean isInstalled(ProxyKind kind) {
        return executable(kind) != null;
    }

    /** Leaves a test out where it cannot run. */
    public static void assumeInstalled(ProxyKind kind) {
        assumeTrue(isInstalled(kind), "no " + kind.program + ": install the package " + kind.program);
        assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "no shell");
    }

    /** Debian has servers in folders that are not on everybody's path. */
    private static Path executable(ProxyKind kind) {
        String path = System.getenv().getOrDefault("PATH", "");
        Stream<String> folders = Pattern.compile(File.pathSeparator).splitAsStream(path);
        return Stream.concat(folders, Stream.of("/usr/sbin", "/usr/local/sbin"))
                .map(folder -> Path.of(folder, kind.program)).filter(Files::isExecutable)
                .findFirst().orElse(null);
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, loopback())) {
            return socket.getLocalPort();
        }
    }

    private static InetAddress loopback() throws IOException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    }

    /** Once something listens on the port, a line in the log shows that it is this proxy. */
    private boolean answers() {
        long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (reader.isAlive() && System.nanoTime() < limit) {
            try (var client = new Socket(loopback(), port)) {
                client.getOutputStream().write(NO_REQUEST.getBytes(ISO_8859_1));
                client.shutdownOutput();
                return log.await(0, lines ->
                        lines.stream().anyMatch(line -> line.clientPort() == client.getLocalPort()));
            } catch (IOException e) {
                // nothing listens there yet
                Thread.onSpinWait();
            }
        }
        return false;
    }

    private void readLog() {
        try (BufferedReader output = process.inputReader(ISO_8859_1)) {
            for (String text; (text = output.readLine()) != null; ) {
                ProxyLine line = ProxyLine.parse(kind, text);
                if (line == null) {
                    remark(text);
                } else {
                    log.add(line);
                }
            }
        } catch (IOException e) {
            remark("" + e);
        } finally {
            log.end();
        }
    }

    private synchronized void remark(String text) {
        remarks.add(text);
    }

    /** What it wrote that is not about a request: why it does not start, or why a server did not answer. */
    public synchronized List<String> remarks() {
        return List.copyOf(remarks);
    }

    /** Ends the process, and returns when it has ended and its log is read. */
    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        try {
            boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
            reader.join(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
            if (!ended || reader.isAlive()) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                throw new IOException(kind + " does not end");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
