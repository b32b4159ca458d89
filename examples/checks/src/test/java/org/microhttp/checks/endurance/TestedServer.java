package org.microhttp.checks.endurance;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.microhttp.faults.tools.FaultServer;
import org.microhttp.faults.tools.ServerCounts;
import org.microhttp.testing.ServerProcess;

/** A {@link FaultServer} in a process of its own, and the faults that are put on it. */
final class TestedServer implements AutoCloseable {

    static final String MANY_FILES = "ulimit -n " + Namespace.MOST_FILES;

    final ServerProcess process;
    final SocketAddress address;
    private final List<Process> loads = new ArrayList<>();

    /**
     * At a port of this machine, with a heap of 256 MB unless options say otherwise.
     *
     * @param order   a command about the shell that becomes the server: limits, or where it runs
     * @param options of the JVM, and of the server as its properties
     */
    TestedServer(String order, String... options) throws IOException {
        this(null, order, options);
    }

    private TestedServer(Path socket, String order, String... options) throws IOException {
        var all = new ArrayList<String>(List.of("-Xmx256m"));
        all.addAll(List.of(options));
        if (socket != null) {
            all.add("-DunixSocket=" + socket);
        }
        process = new ServerProcess(order, FaultServer.MAIN, all.toArray(new String[0]));
        address = socket != null ? UnixDomainSocketAddress.of(socket) : address("127.0.0.1");
    }

    /**
     * One that is to have that fault.
     *
     * @param silence for how many seconds a client may be silent
     * @param host    where it listens
     */
    static TestedServer of(Fault fault, String order, int silence, String host) throws IOException {
        Path socket = fault != Fault.UNIX ? null
                : Path.of(System.getProperty("java.io.tmpdir"), "faults-" + UUID.randomUUID());
        return new TestedServer(socket, "ulimit -n " + fault.descriptors() + "; " + order,
                "-DacceptLength=16384", "-DsendBufferSize=16384", "-DsocketTimeout=PT" + silence + "S",
                "-DhandlerTimeout=PT" + silence + "S", "-DproxyProtocol=" + (fault == Fault.BAD_PROXY),
                "-Dhost=" + host);
    }

    InetSocketAddress address(String host) {
        return new InetSocketAddress(host, process.port);
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
        return ServerCounts.of(process);
    }

    long liveHeap() throws IOException {
        return Long.parseLong(process.ask("heap"));
    }

    @Override
    public void close() throws IOException {
        end();
        process.close();
        // it ends by force, and leaves its socket
        if (address instanceof UnixDomainSocketAddress unix) {
            Files.deleteIfExists(unix.getPath());
        }
    }
}
