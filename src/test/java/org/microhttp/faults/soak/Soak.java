package org.microhttp.faults.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.microhttp.examples.tools.ArchiveSite;
import org.microhttp.examples.tools.SwappedSite;
import org.microhttp.proxies.tools.ProxyKind;

/** All that runs at the same time: servers, proxies, clients, faults, and archives that replace others. */
public final class Soak implements AutoCloseable {

    /** What a fault lasts. */
    private static final long TURN_NANOS = TimeUnit.SECONDS.toNanos(20);

    private static final long PAGE_PAUSE_MILLIS = 20;
    private static final long SWAP_PAUSE_MILLIS = 5_000;

    private final SoakLoad load = new SoakLoad();
    private final WatchedServer watched = new WatchedServer();
    private final List<EdgePair> pairs = new ArrayList<>();
    private final SwappedSite site;
    private int turns;
    private int restarts;
    private volatile int swaps;

    /** Starts it. @param folder for what it writes */
    public Soak(Path folder) throws Exception {
        Certificate certificate = Certificate.make(folder.resolve("certificate"));
        for (ProxyKind kind : List.of(ProxyKind.HAPROXY, ProxyKind.NGINX)) {
            Path own = Files.createDirectory(folder.resolve("" + kind));
            pairs.add(new EdgePair(kind, own, certificate));
        }
        site = new SwappedSite(Files.createDirectory(folder.resolve("site")), ArchiveSite.Way.MAPPED_INDEXED,
                PAGE_PAUSE_MILLIS);
        var clients = new SoakClients(load);
        clients.ask(watched);
        for (EdgePair pair : pairs) {
            clients.ask(pair);
        }
        load.add("swaps", SWAP_PAUSE_MILLIS, this::swap);
    }

    /** A page that is asked for until it is of the new archive is a request of the site's clients. */
    private SoakLoad.Round swap() throws Exception {
        site.swap(1);
        swaps++;
        return new SoakLoad.Round(0, 0, "");
    }

    /** Goes on until that time, with faults; all servers behind proxies are restarted at first if asked. */
    public void runUntil(long end, boolean restarting) throws Exception {
        boolean due = restarting;
        do {
            watched.begin(turns++);
            long turnEnd = Math.min(end, System.nanoTime() + TURN_NANOS);
            if (due) {
                restart();
                due = false;
            }
            LockSupport.parkNanos(turnEnd - System.nanoTime());
            watched.endFaults();
        } while (System.nanoTime() < end);
    }

    private void restart() throws IOException, InterruptedException {
        for (EdgePair pair : pairs) {
            pair.restartInTurn();
        }
        restarts++;
    }

    /** What there is, while all but the clients of the archive rest. */
    public SoakRow row(double minute) throws Exception {
        return load.atRest(() -> watched.row(minute, load.requests() + site.answers(),
                load.failed() + site.faults().size()));
    }

    /** Has the clients end. */
    public void end() throws InterruptedException {
        load.end();
        site.endLoad();
    }

    /** {@return what went wrong, in words: the first failures, and archives that were not closed} */
    public List<String> wrong() throws IOException {
        var wrong = new ArrayList<>(load.failures());
        wrong.addAll(site.faults());
        if (site.open() > 1) {
            wrong.add(site.open() + " archives are open");
        }
        if (!wrong.isEmpty()) {
            for (EdgePair pair : pairs) {
                pair.remarks().forEach(line -> wrong.add(pair.name + " wrote: " + line));
            }
        }
        return wrong;
    }

    /** {@return what was done, in words} */
    public String done() {
        return String.format(Locale.ROOT, "%d restarts of both servers behind each proxy, %d archives in the"
                + " place of others, %d turns of faults", restarts, swaps, turns);
    }

    @Override
    public void close() throws IOException {
        watched.close();
        for (EdgePair pair : pairs) {
            pair.close();
        }
        site.close();
    }
}
