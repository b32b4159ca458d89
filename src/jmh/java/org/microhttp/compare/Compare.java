package org.microhttp.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.microhttp.measure.Children;
import org.microhttp.measure.Machine;

/**
 * Compares our server with others on this machine, and with the floor, which is what the JVM and the kernel
 * cost without HTTP. Writes the raw figures of every round to a file; {@code org.microhttp.report}
 * makes tables and charts of it. Servers that are not installed are left out. Ends with 1 if something went
 * wrong, and always ends.
 */
public final class Compare {

    private Compare() { }

    public static void main(String[] args) throws IOException {
        Plan plan = Plan.of(args);
        Children.endAfter(plan.secondsAtMost());
        Map<String, String> facts = facts(plan);
        facts.forEach((key, value) -> System.out.println(key + ": " + value));
        Rounds loop = new Rounds(plan);
        List<Round> rounds = loop.run();
        if (!loop.problems().isEmpty()) facts.put("invalid", String.join("; ", loop.problems()));
        if (!rounds.isEmpty()) {
            new Comparison(facts, rounds).write(Path.of(plan.result()));
            System.out.println("\nthe figures of every round are in " + plan.result());
        }
        loop.problems().forEach(problem -> System.out.println("INVALID: " + problem));
        System.exit(loop.problems().isEmpty() ? 0 : 1);
    }

    private static Map<String, String> facts(Plan plan) {
        Map<String, String> facts = Machine.facts(plan.project());
        facts.put("command", plan.command());
        facts.put("rounds", plan.rounds() + " of " + plan.duration() + " s");
        for (Peer peer : plan.peers()) {
            if (!peer.isJava()) facts.put(peer.name, Machine.version(peer.name));
        }
        facts.put("wrk", Machine.version("wrk"));
        for (Peer peer : plan.peers()) {
            List<String> command = StartCommand.SHOWN.of(peer, plan.scenarios().get(0));
            facts.put("command of " + peer.name, String.join(" ", command));
        }
        for (Scenario scenario : plan.scenarios()) {
            List<String> command = WrkRun.command(scenario, plan.seconds(), "SCRIPT", "PORT");
            facts.put("command of " + scenario.name, String.join(" ", command));
        }
        return facts;
    }
}
