package org.microhttp.report;

import java.util.stream.Collectors;
import org.microhttp.compare.Peer;
import org.microhttp.compare.Scenario;
import org.microhttp.measure.ResultFile;

/** The comparison as the page has it: charts, each with a table of its figures, and what they are of. */
final class ComparisonTables {

    private static final String PICTURE = """
            <picture>
              <source media="(prefers-color-scheme: dark)" srcset="FOLDER/NAME-dark.svg">
              <img src="FOLDER/NAME-light.svg" alt="TITLE: a chart of the next table">
            </picture>

            """;

    private static final String RATIOS = """
            Behind the time is its ratio to the floor's in the same round: the median of all rounds, and in
            brackets the least and the most.

            """;

    private static final String MARKED = """
            \\* has CPU to spare: the load generator was the limit. Such a server wakes up more often, which
            costs it a little more per request.

            """;

    private final Figures figures;

    ComparisonTables(Figures figures) { this.figures = figures; }

    String text() {
        return picture(Metric.CPU) + RATIOS + table("CPU time per request, µs", Metric.CPU)
                + picture(Metric.RATE) + table("requests per second, floor = 1", Metric.RATE)
                + MARKED + scenarios() + measured();
    }

    private static String picture(Metric metric) {
        return PICTURE.replace("FOLDER", Report.RESULTS).replace("NAME", metric.name)
                .replace("TITLE", metric.title);
    }

    private String table(String title, Metric metric) {
        StringBuilder table = new StringBuilder("| " + title + " |"), rule = new StringBuilder("|---|");
        for (Scenario scenario : figures.scenarios()) {
            table.append(" ").append(scenario.name).append(" |");
            rule.append("---:|");
        }
        table.append("\n").append(rule).append("\n");
        for (Peer peer : figures.peers()) {
            table.append(peer.isOurs() ? "| **" + peer.title + "** |" : "| " + peer.title + " |");
            for (Scenario scenario : figures.scenarios()) {
                boolean empty = !peer.takesPart(scenario);
                table.append(empty ? " |" : " " + metric.cell(figures, scenario, peer) + " |");
            }
            table.append("\n");
        }
        return table.append("\n").toString();
    }

    private String scenarios() {
        StringBuilder list = new StringBuilder();
        for (Scenario scenario : figures.scenarios()) {
            list.append("- ").append(scenario.name).append(": ").append(scenario.about).append("\n");
        }
        return list + "\n";
    }

    private String measured() {
        String invalid = figures.result.facts().get("invalid");
        String versions = figures.peers().stream().filter(peer -> !peer.isJava())
                .map(peer -> peer.title + " " + fact(peer.name) + ", ").collect(Collectors.joining());
        return (invalid == null ? "" : "Not valid, and shown as –: " + invalid + ".\n\n")
                + ResultFile.measured(figures.result.facts(), "rounds: " + fact("rounds"))
                + "Programs: " + versions + "wrk " + fact("wrk") + ".\n"
                + "Every round: [comparison.tsv](" + Report.COMPARISON + ").\n";
    }

    private String fact(String key) { return ResultFile.fact(figures.result.facts(), key); }
}
