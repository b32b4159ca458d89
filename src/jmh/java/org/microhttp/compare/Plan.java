package org.microhttp.compare;

import static org.microhttp.measure.Usage.take;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.microhttp.measure.Children;
import org.microhttp.measure.Machine;
import org.microhttp.measure.Usage;

/** What is compared, how often, how long and where. */
record Plan(String project, String result, int rounds, double seconds, int warmup,
            List<Scenario> scenarios, List<Peer> peers, String serverCpu, String clientCpu) {

    private static final Usage USAGE = new Usage("""
            usage: Compare PROJECT RESULT [OPTIONS]
              --rounds N        how often each server is measured in each scenario, default 5
              --seconds N       how long each time, default 2; less than 1 only to see that it works
              --warmup N        seconds at least before a JVM counts as warm, default 8
              --scenarios LIST  names, separated by commas, default all
              --servers LIST    likewise; ratios need the one called floor
              --server-cpu N    the CPU for servers, default the first that this process may use
              --client-cpu N    the CPU for the load generator, default the second""");

    static Plan of(String[] args) throws IOException {
        if (args.length < 2 || args.length % 2 != 0) throw USAGE.wrong("two arguments, then pairs");
        Map<String, String> given = new HashMap<>();
        for (int i = 2; i < args.length; i += 2) given.put(args[i], args[i + 1]);
        List<String> cpus = Machine.cpus();
        Plan plan = new Plan(args[0], args[1],
                (int) USAGE.number(take(given, "--rounds", "5"), "[1-9][0-9]{0,3}"),
                USAGE.number(take(given, "--seconds", "2"), "[1-9][0-9]{0,3}|0[.][1-9]"),
                (int) USAGE.number(take(given, "--warmup", "8"), "[0-9]{1,3}"),
                USAGE.named(given.remove("--scenarios"), Scenario.values(), Scenario::named),
                installed(USAGE.named(given.remove("--servers"), Peer.values(), Peer::named)),
                take(given, "--server-cpu", cpus.get(0)),
                take(given, "--client-cpu", cpus.get(Math.min(1, cpus.size() - 1))));
        if (!given.isEmpty()) throw USAGE.wrong("unknown: " + given.keySet());
        return plan;
    }

    /** More than it can take, if every round is disturbed twice: the limit of everything that is started. */
    double secondsAtMost() {
        long rows = scenarios.stream().flatMap(scenario -> peers.stream().filter(p -> p.takesPart(scenario)))
                .count();
        return 60 + rows * (3 * rounds * (seconds + 1) + 3 * warmup + 5);
    }

    String duration() { return seconds < 1 ? "" + seconds : "" + (int) seconds; }

    /** What to type for the same again. */
    String command() {
        return "ROUNDS=" + rounds + " DURATION=" + duration() + " WARMUP=" + warmup + " SCENARIOS="
                + String.join(",", scenarios.stream().map(scenario -> scenario.name).toList()) + " SERVERS="
                + String.join(",", peers.stream().map(peer -> peer.name).toList())
                + " SERVER_CPU=" + serverCpu + " CLIENT_CPU=" + clientCpu + " src/jmh/compare";
    }

    private static List<Peer> installed(List<Peer> peers) {
        return peers.stream().filter(peer -> peer.isJava() || Children.isThere(peer.name, peer.title))
                .toList();
    }
}
