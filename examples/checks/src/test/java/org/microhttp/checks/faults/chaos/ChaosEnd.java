package org.microhttp.checks.faults.chaos;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.microhttp.Occupancy;
import org.microhttp.Stats;
import org.microhttp.testing.Freed;

/** What has to be free when a server has ended. */
final class ChaosEnd {

    private static final File DESCRIPTORS = new File("/proc/self/fd");

    private final ChaosLedger ledger;
    private final ChaosServer server;

    ChaosEnd(ChaosLedger ledger, ChaosServer server) {
        this.ledger = ledger;
        this.server = server;
    }

    /** When start() has just returned. */
    void checkPort() {
        try {
            Freed.bind(server.port);
        } catch (IOException e) {
            ledger.violation("port", "cannot be bound anew: " + e);
        }
    }

    /** Those of the loops have ended before start() returned; those that watch them are told to. */
    void checkThreads() {
        ledger.check(threads("microhttp-\\d+") == 0, "threads", "a loop's is left");
        long dogs = settled(() -> threads(".*-watchdog"), 0);
        ledger.check(dogs == 0, "threads", dogs + " watchdogs are left");
    }

    private static long threads(String pattern) {
        var threads = new Thread[Thread.activeCount() + 100];
        int count = Thread.enumerate(threads);
        return Arrays.stream(threads, 0, count).filter(t -> t.getName().matches(pattern)).count();
    }

    /** When every client is gone and every answer given. */
    void check() throws ReflectiveOperationException {
        Occupancy occupied = server.occupancy;
        checkFree("bytes", occupied.bytes());
        checkFree("connections", occupied.connections());
        occupied.open().forEach(open -> checkFree("open", open));
        ledger.check(!occupied.hasTasks(), "tasks", "are left");
        checkFree("timers", occupied.timers());
        Stats stats = server.itself.stats();
        checkFree("connections open by the stats", stats.connections());
        checkFree("accepted and not closed", stats.accepted() - stats.closed());
    }

    private void checkFree(String what, long used) {
        ledger.check(used == 0, what, used + " at the end");
    }

    /**
     * How many descriptors the process has open; 0 where that cannot be seen. The least of some looks, for
     * the JVM opens files of the system for moments.
     */
    static long descriptors() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            String[] open = DESCRIPTORS.list();
            least = Math.min(least, open == null ? 0 : open.length);
        }
        return least;
    }

    /** What they are of: sockets, pipes, files. */
    static String describeDescriptors() {
        var kinds = new TreeMap<String, Integer>();
        for (File descriptor : DESCRIPTORS.listFiles()) {
            try {
                kinds.merge(Files.readSymbolicLink(descriptor.toPath()).toString(), 1, Integer::sum);
            } catch (IOException e) {
                kinds.merge("gone", 1, Integer::sum);
            }
        }
        return kinds.toString();
    }

    /** A number that falls to the wanted one soon, or what it is then. */
    static long settled(LongSupplier number, long wanted) {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
        long now = number.getAsLong();
        while (now > wanted && System.nanoTime() - until < 0) {
            LockSupport.parkNanos(1_000_000);
            now = number.getAsLong();
        }
        return now;
    }
}
