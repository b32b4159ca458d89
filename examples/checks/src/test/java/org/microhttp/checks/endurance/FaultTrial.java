package org.microhttp.checks.endurance;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.microhttp.faults.tools.ServerCounts;

/**
 * Measures one fault, or several at once, beside a client that does all right: in turn without it, with it at
 * another server, and with it at the server that the client asks. What the load takes of the machine it takes
 * at either server, so what the server owes is the difference between these two. Medians of the p99 of the
 * windows are compared, so that what else the machine does at some time does not count.
 */
public final class FaultTrial implements AutoCloseable {

    private static final int KEPT = 2;

    /** Connections that may stay open beside the client's own: one that it is just closing. */
    private static final int REST = KEPT + 1;

    /** So many have to come before those count that come and go. */
    private static final int SOME = 20;

    private static final long LOOK_MILLIS = 100;
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(90);

    private final List<Fault> faults;
    private final int connections;
    private final TestedServer server;

    /** Null if times are not judged. */
    private final TestedServer other;

    private final SteadyClient client;
    private final Report report;
    private final Times without = new Times();
    private final Times elsewhere = new Times();
    private final Times with = new Times();
    private long least = Long.MAX_VALUE;
    private long accepted;

    /**
     * @param faults      one, or several of those that need no server of their own
     * @param connections how many of each
     * @param silence     for how many seconds a client may be silent
     * @param judged      whether times are, for which another server has the faults in turn
     */
    public FaultTrial(Report report, List<Fault> faults, String pin, int connections, int silence,
            boolean judged) throws Exception {
        this.report = report;
        // whose packets are to be dropped must all have connected, which is told by their number
        this.faults = faults.stream().sorted(Comparator.comparing(fault -> fault != Fault.VANISHED)).toList();
        this.connections = connections;
        Fault first = faults.get(0);
        server = TestedServer.of(first, pin, silence, "127.0.0.1");
        other = judged ? TestedServer.of(first, Fault.BEHIND_OTHERS, silence, "127.0.0.1") : null;
        client = new SteadyClient(report, server.address, KEPT).connectingAnew(first.letsOthersConnect())
                .beginningWith(first.preface());
    }

    /**
     * So often the fault comes and goes, at either server.
     *
     * @param windows how many times the client watches meanwhile
     * @param millis  for how long each time, and before and after it
     */
    public FaultRow run(int times, int windows, long millis) throws Exception {
        String name = faults.size() == 1 ? faults.get(0).text
                : "all faults that one server can have, at once";
        report.begin(name);
        long failed = report.failed();
        client.watch(millis);
        long before = server.liveHeap();
        quiet(windows, millis);
        for (int i = 0; i < times; i++) {
            if (other != null) {
                faulty(other, 0, windows, millis, elsewhere);
            }
            faulty(server, KEPT, windows, millis, with);
            quiet(windows, millis);
        }
        client.checkLeftovers();
        return new FaultRow(name, load(times * windows * millis), without, elsewhere, with,
                report.failed() - failed, new long[] {before, server.liveHeap()});
    }

    /** A quarter of the time that the fault has, at least a window, on either side of it. */
    private void quiet(int windows, long millis) throws Exception {
        for (int i = 0; i < Math.max(1, windows / 4); i++) {
            without.add(client.watch(millis));
        }
    }

    /** @param own connections that the client has to that server */
    private void faulty(TestedServer faulted, int own, int windows, long millis, Times watched)
            throws Exception {
        begin(faulted, own);
        long first = faulted.counts().accepted();
        for (int i = 0; i < windows; i++) {
            watched.add(client.watch(millis));
            if (faulted == server) {
                least = Math.min(least, server.counts().open() - KEPT);
            }
        }
        if (faulted == server) {
            accepted += server.counts().accepted() - first;
        }
        faulted.end();
        watchUntil(faulted, () -> faulted.counts().open() <= REST, "others are gone");
        if (Namespace.isInside()) {
            Namespace.dropNothing();
        }
    }

    private void begin(TestedServer faulted, int own) throws Exception {
        int held = own;
        for (Fault fault : faults) {
            long before = faulted.counts().accepted();
            // where time counts the client comes first: what a load does is not the server's work
            faulted.begin(fault, connections, other == null ? ":" : Fault.BEHIND_OTHERS);
            held += fault.held(connections);
            int wanted = held;
            watchUntil(faulted, () -> {
                ServerCounts counts = faulted.counts();
                return counts.open() >= wanted && counts.accepted() > before + SOME;
            }, fault + " is held");
            if (fault == Fault.VANISHED) {
                Namespace.dropVanishing();
            }
        }
    }

    /** The client does not rest meanwhile, lest the server gives it up; what goes wrong then counts, too. */
    private void watchUntil(TestedServer faulted, Callable<Boolean> reached, String what) throws Exception {
        long began = System.nanoTime();
        while (!reached.call()) {
            client.watch(LOOK_MILLIS);
            if (System.nanoTime() - began > MOST_NANOS) {
                throw new IOException(
                        faulted.counts().open() + " connections are open, and it is not so that " + what);
            }
        }
    }

    private String load(long millis) {
        long anew = faults.get(0).letsOthersConnect() ? accepted * 1000 / millis : 0;
        String rate = anew > 0 ? String.format(Locale.ROOT, ", %,d new a second", anew) : "";
        return String.format(Locale.ROOT, "%,d connections%s", least, rate);
    }

    @Override
    public void close() throws IOException {
        client.close();
        if (other != null) {
            other.close();
        }
        server.close();
    }
}
