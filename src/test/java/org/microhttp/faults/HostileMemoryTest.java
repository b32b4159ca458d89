package org.microhttp.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.microhttp.faults.tools.FaultServer;
import org.microhttp.faults.tools.HostilePrefix;
import org.microhttp.faults.tools.HostilePrefixes;
import org.microhttp.faults.tools.ManyClients;
import org.microhttp.faults.tools.ServerCounts;
import org.microhttp.testing.RawClient;
import org.microhttp.testing.ServerProcess;
import org.microhttp.testing.Tier;

/**
 * Whatever clients send before they stop, the server keeps little more than that: at most twice what it has
 * read and 2 KB a connection; the budget counts it; of what is refused nothing is kept; and another client is
 * answered all the while.
 */
@Tier.Gate
class HostileMemoryTest {

    private static final int CONNECTIONS = 40;
    private static final int PER_CONNECTION = 2_048;
    /** After so many prefixes, what is live without clients is measured again. */
    private static final int LOOK_EACH = 10;

    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** The server will read nothing more that has read nothing for so long, and so often answered another. */
    private static final long STEADY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int STEADY_TURNS = 10;

    private final List<String> failures = new ArrayList<>();
    private ServerProcess server;
    private RawClient other;
    private long heap;
    private long asked;

    @Test
    void memoryIsInProportionToTheBytesRead() throws Exception {
        ServerProcess.assumePossible();
        try (var process = new ServerProcess("ulimit -n 1000", FaultServer.MAIN, "-Xmx128m",
                "-DsendBufferSize=4096", "-XX:+UseSerialGC", "-XX:MarkSweepAlwaysCompactCount=1");
                var client = new RawClient(process.port)) {
            server = process;
            other = client;
            List<HostilePrefix> prefixes = HostilePrefixes.all();
            // classes and buffers that come once, with one client or with many, are no cost of a connection
            stop(prefixes.get(0), CONNECTIONS);
            for (int i = 0; i < prefixes.size(); i += 5) {
                stop(prefixes.get(i), 1);
            }
            failures.clear();
            heap = heap();
            long began = heap;
            for (int i = 0; i < prefixes.size(); i++) {
                stop(prefixes.get(i), CONNECTIONS);
                // a collection takes as long as all else; what one leaves adds to what the next one keeps
                heap = i % LOOK_EACH == 0 ? heap() : heap;
            }
            heap = heap();
            check(heap - began < 100_000, "all together", "leave " + (heap - began) + " bytes behind");
        }
        assertEquals("", String.join("\n", failures));
    }

    private void check(boolean kept, String name, String otherwise) {
        if (!kept) {
            failures.add(name + ": " + otherwise);
        }
    }

    /** Some clients send a prefix and stop; then they are gone, and nothing is left of them. */
    private void stop(HostilePrefix prefix, int connections) throws IOException {
        ServerCounts before = counts();
        long readBefore = received(before);
        try (var clients = new ManyClients(server, connections, prefix.window())) {
            for (String piece : prefix.pieces()) {
                clients.send(0, connections, piece.getBytes(StandardCharsets.ISO_8859_1));
                awaitRead(readBefore + clients.sent);
            }
            askAsOther();
            if (connections > 1) {
                judge(prefix, connections, readBefore, before.refused());
            }
        }
        server.ask("answer");
        ServerCounts after = awaitGone(before.open());
        check(after.open() == before.open(), prefix.name(), after.open() - before.open() + " stay open");
        check(after.buffered() == 0, prefix.name(), after.buffered() + " bytes stay counted");
        // what was closed is freed when the loop looks at its sockets again
        askAsOther();
    }

    private void judge(HostilePrefix prefix, int connections, long readBefore, long refusedBefore)
            throws IOException {
        long grown = heap() - heap;
        ServerCounts now = counts();
        long received = received(now) - readBefore;
        long refused = Math.min(connections, now.refused() - refusedBefore);
        long mayKeep = 2 * received / connections * (connections - refused)
                + (long) connections * prefix.answers();
        long own = (long) connections * PER_CONNECTION;
        String figures = String.format("%,d bytes received, %,d of %,d refused, heap %,d more, %,d counted",
                received, refused, connections, grown, now.buffered());
        if (Boolean.getBoolean("figures")) {
            System.out.println(prefix + ": " + figures);
        }
        check(grown <= mayKeep + own, prefix.name(), "too much is kept: " + figures);
        check(now.buffered() >= (grown - own) / 2, prefix.name(), "too little is counted: " + figures);
        check(now.buffered() <= mayKeep, prefix.name(), "too much is counted: " + figures);
    }

    /** Waits until so much is read, or it is clear that the server reads no more. */
    private void awaitRead(long expected) throws IOException {
        long since = System.nanoTime();
        int turns = 0;
        long read = received(counts());
        while (read < expected && (System.nanoTime() - since < STEADY_NANOS || turns < STEADY_TURNS)) {
            askAsOther();
            turns++;
            long now = received(counts());
            if (now > read) {
                read = now;
                turns = 0;
                since = System.nanoTime();
            }
        }
    }

    /** Waits until only so many are open, but not forever. */
    private ServerCounts awaitGone(long open) throws IOException {
        long began = System.nanoTime();
        ServerCounts counts = counts();
        while ((counts.open() > open || counts.buffered() > 0) && System.nanoTime() - began < LIMIT_NANOS) {
            LockSupport.parkNanos(100_000);
            counts = counts();
        }
        return counts;
    }

    /** The other client asks, and is answered. */
    private void askAsOther() throws IOException {
        other.send(RawClient.GET).expectOk("/");
        asked += RawClient.GET.length();
    }

    private long heap() throws IOException {
        return Long.parseLong(server.ask("collected"));
    }

    private ServerCounts counts() throws IOException {
        return ServerCounts.of(server);
    }

    /** What was read of all but the other client. */
    private long received(ServerCounts counts) {
        return counts.received() - asked;
    }
}
