package org.microhttp.faults.suite;

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
import org.microhttp.tools.ServerProcess;

/** A server in a process of its own, the faults that are put on it, and what it says of itself. */
public final class FaultedServer implements AutoCloseable {

    private final ServerProcess server;
    private final SocketAddress address;
    private final List<Process> loads = new ArrayList<>();

    private FaultedServer(String order, int descriptors, Path socket, List<String> properties)
            throws IOException {
        var options = new ArrayList<String>(List.of("-Xmx256m"));
        options.addAll(properties);
        if (socket != null) {
            options.add("-Dunix=" + socket);
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
        Path socket = Path.of(System.getProperty("java.io.tmpdir"), "faults-" + UUID.randomUUID());
        return new FaultedServer(order, fault.descriptors(), fault == Fault.UNIX ? socket : null,
                List.of("-DsocketTimeout=" + silence, "-Dproxy=" + (fault == Fault.BAD_PROXY)));
    }

    /** One at an address of this machine. */
    public static FaultedServer at(String host, String order) throws IOException {
        return new FaultedServer(order, Namespace.MOST_FILES, null, List.of("-Dhost=" + host));
    }

    /** Where clients that do all right connect, and most others. */
    public SocketAddress address() {
        return address;
    }

    public int port() {
        return server.port;
    }

    public long pid() {
        return server.process.pid();
    }

    public InetSocketAddress address(String host) {
        return new InetSocketAddress(host, server.port);
    }

    /** Puts a fault on it, with so many connections; the order is about the shell of the load. */
    public void begin(Fault fault, int connections, String order) throws IOException {
        loads.add(new ProcessBuilder(fault.command(address, connections, order)).start());
    }

    /** Ends whatever was begun, at once: also what a load begins at this moment. */
    public void end() throws IOException {
        for (Process load : loads) {
            new ProcessBuilder("bash", "-c", "kill -KILL -- -" + load.pid()).start().onExit().join();
            load.onExit().join();
        }
        loads.clear();
    }

    /** Connections that are open. */
    public long open() throws IOException {
        return count(0);
    }

    /** Connections that there were. */
    public long accepted() throws IOException {
        return count(1);
    }

    private long count(int place) throws IOException {
        return Long.parseLong(server.ask("counts").split(" ")[place]);
    }

    public long liveHeap() throws IOException {
        return Long.parseLong(server.ask("heap"));
    }

    /** Bytes of direct buffers. */
    public long directMemory() throws IOException {
        return Long.parseLong(server.ask("direct"));
    }

    public boolean isAlive() {
        return server.process.isAlive();
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
