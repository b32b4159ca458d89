package org.microhttp.archives;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.microhttp.measure.Interleaved;
import org.microhttp.measure.MeasuredRun;
import org.microhttp.measure.Problems;
import org.microhttp.measure.Warmth;

/**
 * Servers under load. In each case every one is checked and warmed up; then each round goes through all of
 * them. A server is started when it is needed first, and goes on for as long as it is what is needed.
 */
final class ArchiveRounds {

    /** In seconds: before, the compiler may not have begun. */
    private static final int WARMING_AT_LEAST = 4;

    private static final int WARMING_CONNECTIONS = 100;

    private final ArchivePlan plan;
    private final List<ServedArchive> running = new ArrayList<>();
    private final List<ArchiveRound> rounds = new ArrayList<>();
    private final Problems problems = new Problems();

    ArchiveRounds(ArchivePlan plan) { this.plan = plan; }

    /** What went wrong: a wrong answer, or errors that the load generator counted. */
    List<String> problems() { return problems.all(); }

    /** What was measured up to now. */
    List<ArchiveRound> rounds() { return rounds; }

    void run(ArchiveCase asked, MeasuredArchive site) {
        System.out.println("\n" + asked.title());
        Interleaved.run(ready(asked, site), plan.rounds(asked),
                (server, round) -> measure(server, asked, round));
    }

    private List<ServedArchive> ready(ArchiveCase asked, MeasuredArchive site) {
        running.stream().filter(server -> !server.fits(asked)).forEach(ServedArchive::end);
        running.removeIf(server -> !server.fits(asked));
        List<ServedArchive> ready = new ArrayList<>();
        for (ArchivePeer peer : plan.peers(asked)) {
            try {
                ServedArchive server = server(peer, asked, site);
                server.check(asked.content());
                warmUp(server, asked);
                ready.add(server);
            } catch (IOException e) {
                problem(asked, peer, e.getMessage());
            }
        }
        return ready;
    }

    private ServedArchive server(ArchivePeer peer, ArchiveCase asked, MeasuredArchive site)
            throws IOException {
        for (ServedArchive server : running) {
            if (server.peer == peer) return server;
        }
        ServedArchive server = new ServedArchive(peer, asked, plan, site);
        running.add(server);
        return server;
    }

    private void warmUp(ServedArchive server, ArchiveCase asked) throws IOException {
        boolean needed = plan.warmup() > 0 && server.peer.isJava() && server.warm.add(asked.content());
        if (!needed) return;
        Warmth.reach(Math.min(WARMING_AT_LEAST, plan.warmup()), plan.warmup(), server::compilerTime,
                () -> server.load(asked, WARMING_CONNECTIONS, 1));
    }

    private void measure(ServedArchive server, ArchiveCase asked, int number) {
        try {
            ArchiveRound round = MeasuredRun.quiet(asked.isMany(), () -> server.measure(asked, number));
            rounds.add(round);
            print(round);
            if (round.errors() == 0) return;
            problem(asked, server.peer, round.errors() + " errors in round " + number);
        } catch (IOException e) {
            problem(asked, server.peer, e.getMessage());
        }
    }

    private void print(ArchiveRound round) {
        System.out.printf(Locale.ROOT,
                "%3d/%d  %-35s %7.2f us of CPU, %,9.0f requests/s, %8.2f ms, 99 %% within %8.2f ms%s%n",
                round.round(), plan.rounds(round.asked()), round.peer().title, round.microsPerRequest(),
                round.requestsPerSecond(), round.medianMillis(), round.highMillis(),
                round.disturbance());
    }

    private void problem(ArchiveCase asked, ArchivePeer peer, String what) {
        problems.add(peer.title + ", " + asked.title(), what);
    }

    void end() { running.forEach(ServedArchive::end); }
}
