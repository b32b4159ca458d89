package org.microhttp.files;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.microhttp.measure.CpuMeter;
import org.microhttp.measure.CpuTime;
import org.microhttp.measure.Interleaved;
import org.microhttp.measure.LoadCount;
import org.microhttp.measure.MeasuredRun;
import org.microhttp.measure.Problems;
import org.microhttp.measure.Warmth;

/**
 * The benchmark itself. In each case every server is checked and warmed up; then each round goes through all
 * of them, beginning with another one each time, so that whatever else the machine does meets all alike, and
 * figures of the same round can be compared. A server is started when it is needed first, and goes on.
 */
final class FileRounds {

    /** Until a JVM is warm, beside the least. */
    private static final int MORE_SECONDS = 20;

    private final FilePlan plan;
    private final MeasuredSite site;
    private final List<ServedSite> running = new ArrayList<>();
    private final List<ServedSite> huge = new ArrayList<>();
    private final Set<String> warm = new HashSet<>();
    private final List<FileRound> rounds = new ArrayList<>();
    private final Problems problems = new Problems();

    FileRounds(FilePlan plan, MeasuredSite site) {
        this.plan = plan;
        this.site = site;
    }

    /** What went wrong: a wrong answer, or errors that the load generator counted. */
    List<String> problems() { return problems.all(); }

    /** What was measured up to now. */
    List<FileRound> rounds() { return rounds; }

    void run(FileCase asked) {
        System.out.println("\n" + asked.title());
        List<ServedSite> servers = ready(asked);
        int most = servers.stream().mapToInt(server -> plan.rounds(asked, server.peer)).max().orElse(0);
        Interleaved.run(servers, most, (server, round) -> {
            if (round <= plan.rounds(asked, server.peer)) measure(server, asked, round);
        });
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
        Warmth.reach(least, least + MORE_SECONDS, server::compilerTime,
                () -> FileLoad.run(warming(asked), 20, 1, server, plan, site));
    }

    /** The same, but on few connections and for a time. */
    private static FileCase warming(FileCase asked) {
        FilePart part = asked.part() == FilePart.OLDEST ? FilePart.MATRIX : asked.part();
        return new FileCase(part, asked.content(), 20, asked.keepAlive(), asked.tls());
    }

    private void measure(ServedSite server, FileCase asked, int number) {
        try {
            FileRound round = MeasuredRun.quiet(asked.isMany(), () -> load(server, asked, number));
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
        String disturbed = round.disturbance();
        System.out.printf(Locale.ROOT, "%3d/%d  %-24s %9.2f us of CPU%s, %,9.0f requests/s, %,7.1f MB/s%s%n",
                round.round(), plan.rounds(asked, round.peer()), round.peer().title, round.microsPerRequest(),
                with, round.requestsPerSecond(), round.megabytesPerSecond(), disturbed);
    }

    private static String text(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }

    private FileRound load(ServedSite server, FileCase asked, int number) throws IOException {
        int connections = asked.reachable(plan.descriptors());
        // also starts the proxy, if it was not needed before
        server.url(asked);
        CpuTime proxy = server.proxyTime();
        CpuMeter meter = CpuMeter.start(server::time);
        double seconds = asked.seconds(plan.seconds());
        LoadCount load = FileLoad.run(asked, connections, seconds, server, plan, site);
        if (load.bytes() == 0) throw new IOException("no answer in " + load.seconds() + " s");
        CpuMeter.Spent spent = meter.stop();
        double between = server.proxyTime().minus(proxy).total();
        double others = Math.max(0, spent.others() - between);
        if (asked.isMany()) CpuMeter.settle(server::allTime);
        return new FileRound(asked, connections, number, server.peer, load.requests(), load.bytes(),
                load.seconds(), spent.server().user(), spent.server().system(), between, load.errors(),
                spent.generator(), others);
    }

    private void problem(FileCase asked, FilePeer peer, String what) {
        problems.add(peer.title + ", " + asked.title(), what);
    }

    void end() {
        running.forEach(ServedSite::end);
        huge.forEach(ServedSite::end);
    }
}
