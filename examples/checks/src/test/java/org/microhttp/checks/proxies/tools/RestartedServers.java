package org.microhttp.checks.proxies.tools;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.microhttp.testing.ServerProcess;

/**
 * Processes of an example, which are restarted as an operator restarts them: each by SIGTERM, and the next
 * one only when the one before listens again. Each keeps its place.
 */
public final class RestartedServers implements AutoCloseable {

    private static final int LIMIT_SECONDS = 60;

    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private final List<List<String>> commands;
    private final List<ServerProcess> processes = new ArrayList<>();

    /** @param commands what Java is given for each */
    public RestartedServers(List<List<String>> commands) throws IOException {
        this.commands = commands;
        try {
            for (List<String> command : commands) {
                processes.add(start(command));
            }
        } catch (Throwable t) {
            close();
            throw t;
        }
    }

    /** A port below those that the system gives to clients, so that it is free again after a restart. */
    public static int freePort() {
        while (true) {
            int port = 20_000 + ThreadLocalRandom.current().nextInt(10_000);
            try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                if (GIVEN.add(socket.getLocalPort())) return socket.getLocalPort();
            } catch (IOException e) {
                // another has it: another one, then
            }
        }
    }

    private static ServerProcess start(List<String> command) throws IOException {
        var started = ServerProcess.start(command.toArray(String[]::new));
        String line = started.nextLine();
        if (line != null && line.startsWith("listening on ")) return started;
        started.process.destroyForcibly();
        throw new IOException(line + " " + started.errors());
    }

    public int count() {
        return commands.size();
    }

    /** Restarts one, which must end in order, and say that no request was dropped. */
    public long restart(int index) throws IOException, InterruptedException {
        ServerProcess old = processes.get(index);
        old.terminate();
        if (!old.process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            throw new IOException("a server does not end");
        }
        String said = old.output() + old.errors();
        // 128 and the number of SIGTERM, if it does not say itself how it ends
        boolean inOrder = old.process.exitValue() == 0 || old.process.exitValue() == 143;
        if (!inOrder || !said.matches("(?s).*stopped, (0 requests dropped|requests dropped: 0)")) {
            throw new IOException("a server ended with " + old.process.exitValue() + ": " + said);
        }
        processes.set(index, start(commands.get(index)));
        return processes.get(index).process.pid();
    }

    @Override
    public void close() {
        processes.forEach(server -> server.process.destroyForcibly());
    }
}
