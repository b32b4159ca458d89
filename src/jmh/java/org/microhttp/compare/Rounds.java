package org.microhttp.compare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.microhttp.measure.CpuMeter;
import org.microhttp.measure.Interleaved;
import org.microhttp.measure.Problems;

/**
 * The comparison itself. In each scenario every server is started, checked and warmed up; then each round
 * goes through all of them, beginning with another one each time, so that whatever else the machine does
 * meets all alike, and figures of the same round can be compared.
 */
final class Rounds {

    /** A JVM is warm when a request's cost differs by less than this share from one second to the next. */
    private static final double STEADY = 0.05;

    private final Plan plan;
    private final List<RunningServer> running = new ArrayList<>();
    private final List<Round> rounds = new ArrayList<>();
    private final Problems problems = new Problems();

    Rounds(Plan plan) { this.plan = plan; }

    /** What went wrong: a wrong answer, or errors that the load generator counted. */
    List<String> problems() { return problems.all(); }

    List<Round> run() throws IOException {
        for (Scenario scenario : plan.scenarios()) {
            System.out.println("\n" + scenario.name + ": " + scenario.about);
            List<RunningServer> servers = ready(scenario);
            Interleaved.run(servers, plan.rounds(), (server, round) -> measure(server, scenario, round));
        }
        running.forEach(RunningServer::end);
        return rounds;
    }

    private List<RunningServer> ready(Scenario scenario) {
        running.removeIf(server -> {
            boolean unused = plan.peers().stream().noneMatch(peer -> isWanted(server, peer, scenario));
            if (unused) server.end();
            return unused;
        });
        List<RunningServer> ready = new ArrayList<>();
        for (Peer peer : plan.peers()) {
            if (!peer.takesPart(scenario)) continue;
            try {
                RunningServer server = server(peer, scenario);
                server.check(scenario);
                warmUp(server, scenario);
                ready.add(server);
            } catch (IOException e) {
                problem(scenario, peer, e.getMessage());
            }
        }
        return ready;
    }

    /** Whether this scenario or one that is still to come has a use for it. */
    private boolean isWanted(RunningServer server, Peer peer, Scenario from) {
        return plan.scenarios().stream().skip(plan.scenarios().indexOf(from))
                .anyMatch(scenario -> peer.takesPart(scenario) && server.fits(peer, scenario));
    }

    private RunningServer server(Peer peer, Scenario scenario) throws IOException {
        for (RunningServer server : running) {
            if (server.fits(peer, scenario)) return server;
        }
        RunningServer server = new RunningServer(peer, scenario, plan);
        running.add(server);
        return server;
    }

    /** The compiler of a JVM shares the server's CPU, so it has to be done before a figure counts. */
    private void warmUp(RunningServer server, Scenario scenario) throws IOException {
        if (!server.peer.isJava()) {
            if (plan.warmup() > 0) load(server, scenario, 0, 1);
            return;
        }
        int least = server.warmed ? plan.warmup() * 3 / 8 : plan.warmup();
        double last = Double.MAX_VALUE;
        for (int second = 1; second <= 3 * least; second++) {
            double cost = load(server, scenario, 0, 1).microsPerRequest();
            if (second >= least && Math.abs(cost - last) < STEADY * last) break;
            last = cost;
        }
        server.warmed = true;
    }

    private void measure(RunningServer server, Scenario scenario, int number) {
        try {
            Round round = load(server, scenario, number, plan.seconds());
            for (int again = 0; again < 2 && round.isDisturbed(); again++) {
                Round other = load(server, scenario, number, plan.seconds());
                if (other.others() < round.others()) round = other;
            }
            rounds.add(round);
            System.out.printf(Locale.ROOT, "%3d/%d  %-18s %8.2f us of CPU, %,9.0f requests/s%s%n", number,
                    plan.rounds(), server.peer.title, round.microsPerRequest(), round.requestsPerSecond(),
                    CpuMeter.disturbance(round.seconds(), round.others()));
            if (round.errors() == 0) return;
            problem(scenario, server.peer, round.errors() + " errors in round " + number);
        } catch (IOException e) {
            problem(scenario, server.peer, e.getMessage());
        }
    }

    private Round load(RunningServer server, Scenario scenario, int number, double seconds)
            throws IOException {
        CpuMeter meter = CpuMeter.start(server::time);
        WrkRun load = WrkRun.run(scenario, seconds, server.port, plan.clientCpu());
        CpuMeter.Spent spent = meter.stop();
        return new Round(scenario, number, server.peer, load.requests(), load.seconds(),
                spent.server().user(), spent.server().system(), load.errors(), spent.generator(),
                spent.others());
    }

    private void problem(Scenario scenario, Peer peer, String what) {
        problems.add(scenario.name + ", " + peer.title, what);
    }
}
