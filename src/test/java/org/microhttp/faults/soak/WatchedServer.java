package org.microhttp.faults.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.microhttp.faults.suite.Fault;
import org.microhttp.faults.suite.FaultedServer;
import org.microhttp.faults.suite.Seen;
import org.microhttp.faults.suite.SteadyClient;

/** A server that is never restarted, two faults at a time that are put on it, and what it has in use. */
final class WatchedServer implements AutoCloseable {

    /** Of each fault. */
    private static final int CONNECTIONS = 80;

    private static final int KEPT = 2;

    /** Connections that may be open while a row is taken: also one that the steady client has anew. */
    private static final int REST = KEPT + 1;

    private static final long STEADY_MILLIS = 250;
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Who come and go, and who stay. */
    private static final List<List<Fault>> FAULTS = List.of(
            possible(Fault.HANDLERS, Fault.STORM, Fault.GARBAGE, Fault.RANGE),
            possible(Fault.SLOW_HEADERS, Fault.UNREAD, Fault.SLOW_BODY, Fault.SLOW_READ));

    private final FaultedServer server = FaultedServer.at("127.0.0.1", ":");
    private final SteadyClient steady = new SteadyClient(server.address(), KEPT, true, "");
    private final Path process = Path.of("/proc", "" + server.pid());

    WatchedServer() throws IOException {
    }

    private static List<Fault> possible(Fault... faults) {
        return Stream.of(faults).filter(Fault::isPossible).toList();
    }

    int port() {
        return server.port();
    }

    /** A round of a client that compares each answer with what it asked. */
    SoakLoad.Round steady() throws Exception {
        Seen seen = steady.watch(STEADY_MILLIS);
        return new SoakLoad.Round(seen.requests(), seen.errors().size(), seen.errors().toString());
    }

    /** Begins the faults of that turn. */
    void begin(int turn) throws IOException {
        for (List<Fault> kind : FAULTS) {
            server.begin(kind.get(turn % kind.size()), CONNECTIONS, ":");
        }
    }

    /** Ends all faults. */
    void endFaults() throws IOException {
        server.end();
    }

    /** A row, once nobody but the steady client is there any more. */
    SoakRow row(double minute, long requests, long failed) throws IOException {
        long limit = System.nanoTime() + LIMIT_NANOS;
        while (server.open() > REST && System.nanoTime() < limit) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
        long heap = server.liveHeap();
        return new SoakRow(minute, requests, failed, heap, descriptors(), status("Threads:"),
                server.directMemory(), status("VmRSS:") << 10);
    }

    private long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(process.resolve("fd"))) {
            return open.count();
        }
    }

    private long status(String name) throws IOException {
        String line = Files.readString(process.resolve("status")).lines()
                .filter(text -> text.startsWith(name)).findFirst().orElseThrow();
        return Long.parseLong(line.replaceAll("[^0-9]", ""));
    }

    @Override
    public void close() throws IOException {
        steady.close();
        server.close();
    }
}
