package org.microhttp.faults.suite;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.microhttp.faults.tools.FaultServer;
import org.microhttp.tools.ServerProcess;

/** A server in a process of its own, the faults that are put on it, and what it says of itself. */
public final class FaultedServer implements AutoCloseable {


    private final ServerProcess server;
    private final List<Process> loads = new ArrayList<>();

    /**
     * @param pin        a command that pins the process of a shell, or one that does nothing
     * @param properties what {@code FaultServer} is told
     */
    public FaultedServer(String pin, int descriptors, String... properties) throws IOException {
        var options = new ArrayList<String>(List.of("-Xmx256m"));
        options.addAll(List.of(properties));
        server = new ServerProcess("ulimit -n " + descriptors + "; " + pin, FaultServer.MAIN,
                options.toArray(new String[0]));
    }

    public InetSocketAddress address(String host) {
        return new InetSocketAddress(host, server.port);
    }

    /** Puts a fault on it, at one of its addresses, with so many connections. */
    public void begin(Fault fault, SocketAddress address, int connections) throws IOException {
        loads.add(new ProcessBuilder(fault.command(address, connections)).start());
    }

    /** Ends whatever was begun, at once. */
    public void end() {
        for (Process load : loads) {
            List<ProcessHandle> children = load.descendants().toList();
            // first who begins again what ends
            load.destroyForcibly().onExit().join();
            children.forEach(ProcessHandle::destroyForcibly);
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

    public boolean isAlive() {
        return server.process.isAlive();
    }

    @Override
    public void close() {
        end();
        server.close();
    }
}
