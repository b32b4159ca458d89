package org.microhttp.files;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.microhttp.measure.CpuTime;

/**
 * The benchmark itself. In each case every server is checked and warmed up; then each round goes through all
 * of them, beginning with another one each time, so that whatever else the machine does meets all alike, and
 * figures of the same round can be compared. A server is started when it is needed first, and goes on.
 */
final class FileRounds {

    /** A JVM is warm when its compiler took less than this share of a second under load. */
    private static final double COMPILED = 0.03;

    /** Some code is never compiled for good. */
    private static final int MORE_SECONDS = 20;

    /** Above this share of a CPU for others a run is repeated once; the less disturbed counts. */
    private static final double DISTURBED = 0.25;

    /** Until the kernel and the server are done with what was before. */
    private static final int SETTLE_MILLIS = 100, SETTLES = 50;

    private final FilePlan plan;
    private final MeasuredSite site;
    private final List<ServedSite> running = new ArrayList<>();
    private final List<ServedSite> huge = new ArrayList<>();
    private final Set<String> warm = new HashSet<>();
    private final List<FileRound> rounds = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    FileRounds(FilePlan plan, MeasuredSite site) {
        this.plan = plan;
        this.site = site;
    }

    /** What went wrong: a wrong answer, or errors that the load generator counted. */
    List<String> problems() { return problems; }

    /** What was measured up to now. */
    List<FileRound> rounds() { return rounds; }

    void run(FileCase asked) {
        System.out.println("\n" + asked.title());
        List<ServedSite> servers = ready(asked);
        int most = servers.stream().mapToInt(server -> plan.rounds(asked, server.peer)).max().orElse(0);
        for (int round = 1; round <= most; round++) {
            for (ServedSite server : servers) {
                if (round <= plan.rounds(asked, server.peer)) measure(server, asked, round);
            }
            Collections.rotate(servers, -1);
        }
    }

    /** The servers that take part, started, checked and warm. */
    List<ServedSite> ready(FileCase asked) {
        List<ServedSite> ready = new ArrayList<>();
        for (FilePeer peer : plan.peers()) {
            if (!peer.takesPart(asked)) continue;
            try {
                ServedSite server = server(peer, asked);
                server.check(asked, site);
                warmUp(server, asked);
                ready.add(server);
            } catch (IOException e) {
                problem(asked, peer, e.getMessage());
            }
        }
        return ready;
    }

    private ServedSite server(FilePeer peer, FileCase asked) throws IOException {
        // with a small heap
        boolean own = asked.part() == FilePart.HUGE && peer == FilePeer.FILES;
        List<ServedSite> among = own ? huge : running;
        among.removeIf(server -> !server.isAlive());
        for (ServedSite server : among) {
            if (server.peer == peer) return server;
        }
        ServedSite server = new ServedSite(peer, asked.part(), plan, site);
        among.add(server);
        return server;
    }

    /** The compiler of a JVM shares the server's CPU, so it has to be done before a figure counts. */
    private void warmUp(ServedSite server, FileCase asked) throws IOException {
        String kind = String.join(" ", server.peer.name, asked.content().name, asked.persistence(),
                asked.transport());
        boolean needed = plan.warmup() > 0 && server.peer.isJava() && asked.part() != FilePart.COLD;
        if (!needed || !warm.add(kind)) return;
        int least = warm.add(server.peer.name) ? plan.warmup() : 1;
        for (int second = 1; second <= least + MORE_SECONDS; second++) {
            CpuTime before = server.compilerTime();
            FileLoad.run(warming(asked), 20, 1, server, plan, site);
            double compiling = server.compilerTime().minus(before).total();
            // less than nothing: a thread has ended, which does so when it has nothing to do
            if (second >= least && compiling < COMPILED) break;
        }
    }

    /** The same, but on few connections and for a time. */
    private static FileCase warming(FileCase asked) {
        FilePart part = asked.part() == FilePart.OLDEST ? FilePart.MATRIX : asked.part();
        return new FileCase(part, asked.content(), 20, asked.keepAlive(), asked.tls());
    }

    private void measure(ServedSite server, FileCase asked, int number) {
        try {
            FileRound round = load(server, asked, number);
            if (isDisturbed(round) && !asked.isMany()) {
                FileRound other = load(server, asked, number);
                if (other.others() < round.others()) round = other;
            }
            rounds.add(round);
            print(round);
            if (round.errors() == 0) return;
            problem(asked, server.peer, round.errors() + " errors in round " + number);
        } catch (IOException e) {
            problem(asked, server.peer, e.getMessage());
        }
    }

    private void print(FileRound round) {
        FileCase asked = round.asked();
        String with = asked.tls() ? text(" (%.2f with HAProxy)", round.microsWithProxy()) : "";
        String disturbed = isDisturbed(round) ? text(", others %.2f s", round.others()) : "";
        System.out.printf(Locale.ROOT, "%3d/%d  %-24s %9.2f us of CPU%s, %,9.0f requests/s, %,7.1f MB/s%s%n",
                round.round(), plan.rounds(asked, round.peer()), round.peer().title, round.microsPerRequest(),
                with, round.requestsPerSecond(), round.megabytesPerSecond(), disturbed);
    }

    private static String text(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }

    /** It tells what others did, so choosing by it favours no server. A smoke run is too short to tell. */
    private static boolean isDisturbed(FileRound round) {
        return round.seconds() >= 0.9 && round.others() > DISTURBED * round.seconds();
    }

    private FileRound load(ServedSite server, FileCase asked, int number) throws IOException {
        int connections = asked.reachable(plan.descriptors());
        // also starts the proxy, if it was not needed before
        server.url(asked);
        CpuTime before = server.time(), proxy = server.proxyTime(), ended = CpuTime.ofEnded();
        CpuTime machine = CpuTime.ofMachine();
        double seconds = asked.seconds(plan.seconds());
        FileLoad load = FileLoad.run(asked, connections, seconds, server, plan, site);
        if (load.bytes() == 0) throw new IOException("no answer in " + load.seconds() + " s");
        CpuTime spent = server.time().minus(before);
        double between = server.proxyTime().minus(proxy).total();
        double generator = CpuTime.ofEnded().minus(ended).total();
        double all = CpuTime.ofMachine().minus(machine).total();
        double others = Math.max(0, all - spent.total() - between - generator);
        if (asked.isMany()) settle(server);
        return new FileRound(asked, connections, number, server.peer, load.requests(), load.bytes(),
                load.seconds(), spent.user(), spent.system(), between, load.errors(), generator, others);
    }

    /** Closing 10,000 connections shall not be counted for the next run. */
    private static void settle(ServedSite server) throws IOException {
        double last = -1;
        for (int i = 0; i < SETTLES; i++) {
            double now = server.time().total() + server.proxyTime().total();
            if (now == last) return;
            last = now;
            try {
                Thread.sleep(SETTLE_MILLIS);
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }

    private void problem(FileCase asked, FilePeer peer, String what) {
        String problem = peer.title + ", " + asked.title() + ": " + what.replaceAll("\\s+", " ");
        problems.add(problem);
        System.out.println("  " + problem);
    }

    void end() {
        running.forEach(ServedSite::end);
        huge.forEach(ServedSite::end);
    }
}
