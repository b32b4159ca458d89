package org.microhttp.faults.suite;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/**
 * Measures one fault, or several at once, beside a client that does all right: in turn without, with, and
 * without it, on one server. The median p99 of the windows with it is compared with the median of those
 * without it, so that what else the machine does at some time does not count.
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
    private final FaultedServer server;
    private final SocketAddress address;
    private final SteadyClient client;
    private final List<Long> ordinary = new ArrayList<>();
    private final List<Long> faulted = new ArrayList<>();
    private Seen meanwhile = Seen.NOTHING;
    private Seen without = Seen.NOTHING;
    private Seen with = Seen.NOTHING;
    private long least = Long.MAX_VALUE;
    private long accepted;

    /**
     * @param faults      one, or several of those that need no server of their own
     * @param connections how many of each
     * @param silence     for how many seconds a client may be silent
     */
    public FaultTrial(List<Fault> faults, String pin, int connections, int silence) throws Exception {
        // whose packets are to be dropped must all have connected, which is told by their number
        this.faults = faults.stream().sorted(Comparator.comparing(fault -> fault != Fault.VANISHED)).toList();
        this.connections = connections;
        Fault first = faults.get(0);
        Path socket = Path.of(System.getProperty("java.io.tmpdir"), "faults-" + UUID.randomUUID());
        var properties = new ArrayList<String>(List.of("-DsocketTimeout=" + silence));
        if (first == Fault.UNIX) {
            properties.add("-Dunix=" + socket);
        }
        if (first == Fault.BAD_PROXY) {
            properties.add("-Dproxy=true");
        }
        server = new FaultedServer(pin, first.descriptors(), properties.toArray(new String[0]));
        address = first == Fault.UNIX ? UnixDomainSocketAddress.of(socket) : server.address("127.0.0.1");
        client = new SteadyClient(address, KEPT, first.letsOthersConnect(), first.preface());
    }

    /**
     * So often the fault comes and goes.
     *
     * @param windows how many times the client watches meanwhile
     * @param millis  for how long each time, and before and after it
     */
    public FaultRow run(int times, int windows, long millis) throws Exception {
        client.watch(millis);
        long before = server.liveHeap();
        quiet(windows, millis);
        for (int i = 0; i < times; i++) {
            faulty(windows, millis);
            quiet(windows, millis);
        }
        var others = new ArrayList<>(meanwhile.errors());
        others.addAll(client.leftovers());
        String name = faults.size() == 1 ? faults.get(0).text : "all at once that one server can have";
        return new FaultRow(name, load(times * windows * millis), without, with, others,
                median(faulted) / median(ordinary), new long[] {before, server.liveHeap()});
    }

    /** A quarter of the time that the fault has, at least a window, on either side of it. */
    private void quiet(int windows, long millis) throws Exception {
        for (int i = 0; i < Math.max(1, windows / 4); i++) {
            Seen seen = client.watch(millis);
            without = without.and(seen);
            ordinary.add(seen.percentile(99));
        }
    }

    private void faulty(int windows, long millis) throws Exception {
        begin();
        long first = server.accepted();
        for (int i = 0; i < windows; i++) {
            Seen seen = client.watch(millis);
            with = with.and(seen);
            faulted.add(seen.percentile(99));
            least = Math.min(least, server.open() - KEPT);
        }
        accepted += server.accepted() - first;
        server.end();
        watchUntil(() -> server.open() <= REST, "others are gone");
        if (Namespace.isInside()) {
            Namespace.dropNothing();
        }
    }

    private void begin() throws Exception {
        int held = KEPT;
        for (Fault fault : faults) {
            long before = server.accepted();
            server.begin(fault, address, connections);
            held += fault.held(connections);
            int wanted = held;
            watchUntil(() -> server.open() >= wanted && server.accepted() > before + SOME,
                    fault + " is held");
            if (fault == Fault.VANISHED) {
                Namespace.dropVanishing();
            }
        }
    }

    /** The client does not rest meanwhile, lest the server gives it up; what goes wrong then counts, too. */
    private void watchUntil(Callable<Boolean> reached, String what) throws Exception {
        long began = System.nanoTime();
        while (!reached.call()) {
            meanwhile = meanwhile.and(client.watch(LOOK_MILLIS));
            if (System.nanoTime() - began > MOST_NANOS) {
                throw new IOException(server.open() + " connections are open, and it is not so that " + what);
            }
        }
    }

    private String load(long millis) {
        long anew = faults.get(0).letsOthersConnect() ? accepted * 1000 / millis : 0;
        String rate = anew > 0 ? String.format(Locale.ROOT, ", %,d new a second", anew) : "";
        return String.format(Locale.ROOT, "%,d connections%s", least, rate);
    }

    private static double median(List<Long> values) {
        long[] sorted = values.stream().mapToLong(value -> value).sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2.0;
    }

    @Override
    public void close() throws IOException {
        client.close();
        server.close();
        // the server ends by force, and leaves its socket
        if (address instanceof UnixDomainSocketAddress unix) {
            Files.deleteIfExists(unix.getPath());
        }
    }
}
