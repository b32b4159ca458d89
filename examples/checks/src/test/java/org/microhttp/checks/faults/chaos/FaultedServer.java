package org.microhttp.checks.faults.chaos;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.microhttp.faults.tools.FaultServer;
import org.microhttp.faults.tools.ServerCounts;
import org.microhttp.testing.ServerProcess;

/** A server in a process of its own, the faults that are put on it, and what it has in use. */
final class FaultedServer implements AutoCloseable {

    /** By default, for how many seconds a client may be silent. */
    private static final int SILENCE = 15;

    final SocketAddress address;
    private final ServerProcess server;
    private final List<Process> loads = new ArrayList<>();

    private FaultedServer(String order, int descriptors, int silence, Path socket, String property)
            throws IOException {
        var options = new ArrayList<String>(List.of("-Xmx256m", "-DacceptLength=16384",
                "-DsendBufferSize=16384", "-DsocketTimeout=PT" + silence + "S",
                "-DhandlerTimeout=PT" + silence + "S", property));
        if (socket != null) {
            options.add("-DunixSocket=" + socket);
        }
        server = new ServerProcess("ulimit -n " + descriptors + "; " + order, FaultServer.MAIN,
                options.toArray(new String[0]));
        address = socket != null ? UnixDomainSocketAddress.of(socket) : address("127.0.0.1");
    }

    /**
     * One that is to have that fault.
     *
     * @param order   a command about the shell that becomes the server, as where it runs
     * @param silence for how many seconds a client may be silent
     */
    static FaultedServer of(Fault fault, String order, int silence) throws IOException {
        Path socket = fault != Fault.UNIX ? null
                : Path.of(System.getProperty("java.io.tmpdir"), "faults-" + UUID.randomUUID());
        return new FaultedServer(order, fault.descriptors(), silence, socket,
                "-DproxyProtocol=" + (fault == Fault.BAD_PROXY));
    }

    /** One at an address of this machine. */
    static FaultedServer at(String host, String order) throws IOException {
        return new FaultedServer(order, Namespace.MOST_FILES, SILENCE, null, "-Dhost=" + host);
    }

    InetSocketAddress address(String host) {
        return new InetSocketAddress(host, server.port);
    }

    /** Puts a fault on it, with so many connections; the order is about the shell of the load. */
    void begin(Fault fault, int connections, String order) throws IOException {
        loads.add(new ProcessBuilder(fault.command(address, connections, order)).start());
    }

    /** Ends whatever was begun, at once: also what a load begins at this moment. */
    void end() throws IOException {
        for (Process load : loads) {
            new ProcessBuilder("bash", "-c", "kill -KILL -- -" + load.pid()).start().onExit().join();
            load.onExit().join();
        }
        loads.clear();
    }

    /** Connections that are open, and those that there were. */
    ServerCounts counts() throws IOException {
        return ServerCounts.of(server);
    }

    long liveHeap() throws IOException {
        return Long.parseLong(server.ask("heap"));
    }

    /** What it has in use. */
    SoakRow row(double minute, long requests, long failed) throws IOException {
        Path process = Path.of("/proc", "" + server.process.pid());
        long heap = liveHeap();
        try (Stream<Path> open = Files.list(process.resolve("fd"))) {
            return new SoakRow(minute, requests, failed, heap, open.count(), status(process, "Threads:"),
                    Long.parseLong(server.ask("direct")), status(process, "VmRSS:") << 10);
        }
    }

    private static long status(Path process, String name) throws IOException {
        String line = Files.readString(process.resolve("status")).lines()
                .filter(text -> text.startsWith(name)).findFirst().orElseThrow();
        return Long.parseLong(line.replaceAll("[^0-9]", ""));
    }

    @Override
    public void close() throws IOException {
        end();
        server.close();
        // it ends by force, and leaves its socket
        if (address instanceof UnixDomainSocketAddress unix) {
            Files.deleteIfExists(unix.getPath());
        }
    }
}
