package org.microhttp.checks.endurance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.microhttp.checks.proxies.tools.ProxyKind;
import org.microhttp.testing.TemporaryFolder;
import org.microhttp.tools.testing.ArchiveSite;
import org.microhttp.tools.testing.SwappedSite;

/**
 * An hour of what a server may meet: {@code [minutes]}, or seconds as in {@code 30s}. Real clients (curl,
 * h2load, {@code ab}, {@code wrk}, the JDK's) send requests to servers behind HAProxy and nginx, to a server
 * that gets two other faults every twenty seconds, and to a SiteArchive whose archive is replaced every few
 * seconds. Every ten minutes, or every tenth of a shorter time, the servers behind the proxies are restarted
 * in turn, and a row is printed.
 * <p>
 * No request may fail or be dropped at a restart. The last row of what the server that is never restarted has
 * in use may exceed the second by at most 2 MiB of heap, 4 descriptors, 2 threads and 256 KiB of direct
 * memory. Needs curl, h2load, HAProxy, nginx and openssl; uses ab, wrk and slowhttptest, too.
 */
final class Soak implements AutoCloseable {

    private static final String HEAD = """
            | minute | requests | failures | live heap, KiB | descriptors | threads | direct memory, KiB \
            | resident memory, KiB |
            |---:|---:|---:|---:|---:|---:|---:|---:|
            """;

    private static final long SECONDS = 3_600;

    /** Between rows: of the whole in seconds, or of a shorter time in parts of it. */
    private static final double INTERVAL = 600;
    private static final double SHARE = 0.1;

    /** In seconds; a restart takes some ten of them. */
    private static final double LEAST_BETWEEN_RESTARTS = 15;

    /** What a fault lasts, and its connections. */
    private static final long TURN_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final int CONNECTIONS = 80;

    /** For how many seconds a client may be silent. */
    private static final int SILENCE = 15;

    private static final int KEPT = 2;

    /** Connections that may be open while a row is taken: also one that the steady client has anew. */
    private static final int REST = KEPT + 1;

    private static final long REST_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long STEADY_MILLIS = 250;
    private static final long STEADY_PAUSE_MILLIS = 750;
    private static final long PAGE_PAUSE_MILLIS = 20;
    private static final long SWAP_PAUSE_MILLIS = 5_000;

    /** Faults that come and go, and faults that stay. */
    private static final List<List<Fault>> FAULTS = List.of(
            possible(Fault.HANDLERS, Fault.STORM, Fault.GARBAGE, Fault.RANGE),
            possible(Fault.SLOW_HEADERS, Fault.UNREAD, Fault.SLOW_BODY, Fault.SLOW_READ));

    private final Report report;
    private final Load load;
    private final TestedServer server = TestedServer.of(Fault.STORM, ":", SILENCE, "127.0.0.1");
    private final SteadyClient steady;
    private final List<EdgePair> pairs = new ArrayList<>();
    private final SwappedSite site;
    private int turns;
    private int restarts;
    private volatile int swaps;

    static void run(Report report, String... arguments) throws Exception {
        String length = arguments.length > 0 ? arguments[0] : "60";
        if (!EdgePair.isPossible()) {
            throw new IOException("needs the Debian packages curl, haproxy, nginx-light, nghttp2-client and"
                    + " openssl");
        }
        Path folder = Files.createTempDirectory("soak");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> TemporaryFolder.delete(folder)));
        long seconds = length.endsWith("s") ? Long.parseLong(length.replace("s", ""))
                : TimeUnit.MINUTES.toSeconds(Long.parseLong(length));
        try (var soak = new Soak(report, folder)) {
            soak.run(seconds);
        }
    }

    private static List<Fault> possible(Fault... faults) {
        return Stream.of(faults).filter(Fault::isPossible).toList();
    }

    private Soak(Report report, Path folder) throws Exception {
        this.report = report;
        load = new Load(report);
        steady = new SteadyClient(report, server.address, KEPT).connectingAnew(true);
        Path certificate = EdgePair.makeCertificate(folder.resolve("certificate"));
        for (ProxyKind kind : List.of(ProxyKind.HAPROXY, ProxyKind.NGINX)) {
            Path own = Files.createDirectory(folder.resolve("" + kind));
            pairs.add(new EdgePair(kind, own, certificate));
        }
        site = new SwappedSite(Files.createDirectory(folder.resolve("site")), ArchiveSite.Way.MAPPED_INDEXED,
                PAGE_PAUSE_MILLIS);
        var clients = new SoakClients(load);
        clients.ask(server.address("127.0.0.1").getPort());
        for (EdgePair pair : pairs) {
            clients.ask(pair);
        }
        load.addRestless("steady", STEADY_PAUSE_MILLIS, () -> {
            steady.watch(STEADY_MILLIS);
            return Load.Round.COUNTED;
        });
        load.add("swaps", SWAP_PAUSE_MILLIS, this::swap);
    }

    /** A page that is asked for until it is of the new archive is a request of the site's clients. */
    private Load.Round swap() throws Exception {
        site.swap(1);
        swaps++;
        return Load.Round.COUNTED;
    }

    private void run(long seconds) throws Exception {
        double interval = seconds < SECONDS ? seconds * SHARE : INTERVAL;
        long rows = Math.round(seconds / interval);
        // with each row, unless it is a run of seconds
        long restartEvery = (long) Math.ceil(LEAST_BETWEEN_RESTARTS / interval);
        var taken = new ArrayList<Usage>();
        long began = System.nanoTime();
        System.out.print(HEAD);
        for (int i = 1; i <= rows; i++) {
            runUntil(began + (long) (i * interval * 1e9), (i - 1) % restartEvery == 0);
            double minute = (System.nanoTime() - began) / 60e9;
            taken.add(load.atRest(() -> takeRow(minute)));
        }
        load.end();
        site.endLoad();
        System.out.printf("Both servers of each proxy were restarted %d times. The archive was replaced %d"
                + " times. The server that is never restarted got two new faults %d times.%n",
                restarts, swaps, turns);
        taken.get(taken.size() - 1).checkGrowth(taken.get(1), report);
        site.faults().forEach(fault -> report.violation("archives", fault));
        long open = site.open(1);
        report.check(open <= 1, "archives", open + " are open");
        if (!report.isKept()) {
            for (EdgePair pair : pairs) {
                pair.remarks().forEach(line -> report.violation(pair.name + " wrote", line));
            }
        }
    }

    /** Goes on until that time, with faults; all servers behind proxies are restarted at first if asked. */
    private void runUntil(long end, boolean restarting) throws Exception {
        boolean due = restarting;
        do {
            for (List<Fault> kind : FAULTS) {
                server.begin(kind.get(turns % kind.size()), CONNECTIONS, ":");
            }
            turns++;
            long turnEnd = Math.min(end, System.nanoTime() + TURN_NANOS);
            if (due) {
                restart();
                due = false;
            }
            LockSupport.parkNanos(turnEnd - System.nanoTime());
            server.end();
        } while (System.nanoTime() < end);
    }

    private void restart() throws IOException, InterruptedException {
        for (EdgePair pair : pairs) {
            pair.restartInTurn();
        }
        restarts++;
    }

    /** What there is, once only the steady client and those of the archive are there. */
    private Usage takeRow(double minute) throws IOException {
        long limit = System.nanoTime() + REST_LIMIT_NANOS;
        while (server.counts().open() > REST && System.nanoTime() < limit) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
        Usage usage = Usage.of(server.process);
        System.out.printf(Locale.ROOT, "| " + (minute < 10 ? "%.1f" : "%.0f")
                + " | %,d | %,d | %,d | %,d | %,d | %,d | %,d |%n", minute, report.asked() + site.answers(),
                report.failed() + site.faults().size(), usage.heap() >> 10, usage.descriptors(),
                usage.threads(), usage.direct() >> 10, usage.resident() >> 10);
        return usage;
    }

    @Override
    public void close() throws IOException {
        steady.close();
        server.close();
        for (EdgePair pair : pairs) {
            pair.close();
        }
        site.close();
    }
}
