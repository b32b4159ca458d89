package org.microhttp.checks.endurance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.microhttp.testing.Leaks;
import org.microhttp.testing.ServerProcess;

/**
 * What a server has in use at a moment.
 *
 * @param heap        bytes live after a full collection
 * @param descriptors that are open
 * @param direct      bytes of direct buffers
 * @param resident    bytes of memory that the process has
 */
record Usage(long heap, long descriptors, long threads, long direct, long resident) {

    /** What may be more at the end. */
    static final long MORE_HEAP = 2 << 20;
    private static final long MORE_DESCRIPTORS = 4;
    private static final long MORE_THREADS = 2;
    private static final long MORE_DIRECT = 256 << 10;

    /** Of a server that understands the orders {@code heap} and {@code direct}. */
    static Usage of(ServerProcess server) throws IOException {
        Path process = Path.of("/proc", "" + server.process.pid());
        long heap = Long.parseLong(server.ask("heap"));
        try (Stream<Path> open = Files.list(process.resolve("fd"))) {
            return new Usage(heap, open.count(), status(process, "Threads:"),
                    Long.parseLong(server.ask("direct")), status(process, "VmRSS:") << 10);
        }
    }

    private static long status(Path process, String name) throws IOException {
        String line = Files.readString(process.resolve("status")).lines()
                .filter(text -> text.startsWith(name)).findFirst().orElseThrow();
        return Long.parseLong(line.replaceAll("[^0-9]", ""));
    }

    /** Of this JVM: the least of some looks, for the JVM opens files of the system for moments. */
    static long openDescriptors() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            try {
                least = Math.min(least, Leaks.descriptors());
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
        return least;
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

    /** Whether nothing has grown since an earlier moment by more than it may. */
    void checkGrowth(Usage earlier, Report report) {
        check(report, "bytes of live heap", heap - earlier.heap, MORE_HEAP);
        check(report, "descriptors", descriptors - earlier.descriptors, MORE_DESCRIPTORS);
        check(report, "threads", threads - earlier.threads, MORE_THREADS);
        check(report, "bytes of direct memory", direct - earlier.direct, MORE_DIRECT);
    }

    static void check(Report report, String what, long more, long allowed) {
        report.check(more <= allowed, what,
                String.format(Locale.ROOT, "%,d more than at first; allowed: %,d", more, allowed));
    }
}
