package org.microhttp.compare;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.microhttp.measure.Children;

/**
 * Compares servers on this machine. Writes the raw figures of every round to a file; {@code
 * org.microhttp.report} makes tables and charts of it. Servers that are not installed are left out. Ends with
 * 1 if something went wrong with others than guests, and always ends.
 */
public final class Compare {

    private Compare() { }

    public static void main(String[] args) throws IOException {
        Comparison comparison = switch (args[0]) {
            case "compare" -> new ServerComparison();
            case "files" -> new FileComparison();
            case "archive" -> new ArchiveComparison();
            default -> throw new IllegalArgumentException("there is no comparison " + args[0]);
        };
        Plan plan = Plan.of(comparison, Arrays.copyOfRange(args, 1, args.length));
        Children.endAfter(plan.secondsAtMost());
        Map<String, String> facts = facts(plan);
        facts.forEach((key, value) -> System.out.println(key + ": " + value));
        System.out.printf("this takes some %.0f minutes%n", Math.ceil(plan.secondsProbably() / 60));
        System.exit(new Runner(plan, facts).run() ? 0 : 1);
    }

    /** What was measured on what. */
    private static Map<String, String> facts(Plan plan) {
        Comparison comparison = plan.comparison();
        Map<String, String> facts = plan.facts();
        facts.put("command", plan.command());
        facts.put("rounds", (plan.rounds() + " of " + plan.seconds() + " s").replace(".0 ", " "));
        facts.put("descriptors", plan.descriptors() + " for a process");
        plan.cases().stream().map(asked -> asked.number("threads")).distinct().forEach(threads ->
                facts.put("CPUs for " + threads + (threads == 1 ? " thread" : " threads"),
                        LoadCpus.of(plan.cpus(), threads).text()));
        for (Server server : plan.servers()) {
            List<Case> cases = plan.cases().stream().filter(one -> comparison.takesPart(server, one))
                    .toList();
            if (cases.isEmpty()) continue;
            facts.put("command of " + server.name(),
                    Programs.shown(server.command(), comparison.values(plan, server, cases.get(0))));
        }
        plan.cases().stream().map(comparison::load).distinct().forEach(load ->
                facts.put("load by " + load.replaceFirst(" .*", ""), load));
        return facts;
    }
}
