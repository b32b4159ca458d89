package org.microhttp.proxies.tools;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * HAProxy before many servers, as an operator sets it up: each is asked every second whether it is ready,
 * one that does not take a connection is passed over at once, and no request is sent twice. What it counted
 * is asked for on its socket, where servers are also taken out and put in.
 */
public final class Balancer implements AutoCloseable {

    private static final int LIMIT_SECONDS = 10;

    /** Of {@code mode}, the port, the socket and the servers. */
    private static final String CONFIGURATION = """
            global
                stats socket %3$s mode 600 level admin
                nbthread 1
                maxconn 2000
            defaults
                mode %1$s
                balance roundrobin
                option redispatch 1
                timeout connect 2s
                timeout client 60s
                timeout server 60s
            frontend front
                bind 127.0.0.1:%2$d
                default_backend servers
            backend servers
                option httpchk GET /ready
                http-check expect status 200
                default-server check inter 1s fastinter 250ms fall 2 rise 1
                %4$s
            """;

    public final int port;

    private final Process process;
    private final Path folder;
    private final Path socket;

    /**
     * Starts one and waits until it serves.
     *
     * @param mode   {@code http}, in which each request has a server chosen, or {@code tcp}: each connection
     */
    public Balancer(String mode, List<Integer> serverPorts) throws IOException {
        port = freePort();
        folder = Files.createTempDirectory("balancer");
        socket = folder.resolve("socket");
        String servers = IntStream.range(0, serverPorts.size())
                .mapToObj(i -> "server s" + i + " 127.0.0.1:" + serverPorts.get(i))
                .collect(Collectors.joining("\n    "));
        Path configuration = folder.resolve("configuration");
        Files.writeString(configuration, CONFIGURATION.formatted(mode, port, socket, servers));
        process = new ProcessBuilder(Proxy.guarded(ProxyKind.HAPROXY, folder, configuration))
                .redirectErrorStream(true).redirectOutput(folder.resolve("remarks").toFile()).start();
        try {
            awaitServers();
        } catch (Throwable t) {
            close();
            throw t;
        }
    }

    private static int freePort() throws IOException {
        try (var free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }

    /** Until every server was found to be ready. */
    private void awaitServers() throws IOException {
        long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (!(Files.exists(socket) && all("check_status", "L7OK", 0, Integer.MAX_VALUE))) {
            if (!process.isAlive() || System.nanoTime() > limit) {
                throw new IOException("HAProxy: " + Files.readString(folder.resolve("remarks")));
            }
            pause();
        }
    }

    /** Waits until it has found these servers to be {@code UP} or {@code DOWN}. */
    public void await(String status, int from, int to) throws IOException {
        long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (!all("status", status, from, to)) {
            if (System.nanoTime() > limit) {
                throw new IOException("not " + status + ": " + from + " to " + to);
            }
            pause();
        }
    }

    private boolean all(String column, String value, int from, int to) throws IOException {
        Map<String, Map<String, String>> counts = counts();
        return IntStream.range(from, Math.min(to, counts.size() - 1))
                .allMatch(i -> counts.get("s" + i).get(column).equals(value));
    }

    private static void pause() {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }

    /** Takes a server out, {@code maint}, or puts it in, {@code ready}. */
    public void set(int server, String state) throws IOException {
        String answer = ask("set server servers/s" + server + " state " + state);
        if (!answer.isBlank()) {
            throw new IOException(answer);
        }
    }

    /** What it has counted of each server, {@code s0} and so on, and of all, {@code BACKEND}; by column. */
    public Map<String, Map<String, String>> counts() throws IOException {
        List<String> lines = ask("show stat").lines().toList();
        String[] columns = lines.get(0).substring("# ".length()).split(",");
        var rows = new HashMap<String, Map<String, String>>();
        for (String line : lines) {
            String[] cells = line.split(",", -1);
            if (cells[0].equals("servers")) {
                var row = new HashMap<String, String>();
                IntStream.range(0, columns.length).forEach(i -> row.put(columns[i], cells[i]));
                rows.put(cells[1], row);
            }
        }
        return rows;
    }

    private String ask(String command) throws IOException {
        try (var channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            channel.write(ByteBuffer.wrap((command + "\n").getBytes(US_ASCII)));
            return new String(Channels.newInputStream(channel).readAllBytes(), US_ASCII);
        }
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        try {
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        for (String name : List.of("socket", "configuration", "remarks")) {
            Files.deleteIfExists(folder.resolve(name));
        }
        Files.delete(folder);
    }
}
