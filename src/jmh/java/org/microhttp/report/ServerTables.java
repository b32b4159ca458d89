package org.microhttp.report;

import java.util.List;
import java.util.stream.Collectors;
import org.microhttp.compare.Case;
import org.microhttp.compare.Server;
import org.microhttp.servers.Scenario;
import org.microhttp.servers.ServerComparison;

/** The comparison of servers as the page has it: charts, each with a table of its figures. */
final class ServerTables {

    private static final String PICTURE = """
            <picture>
              <source media="(prefers-color-scheme: dark)" srcset="results/NAME-dark.svg">
              <img src="results/NAME-light.svg" alt="TITLE: a chart of the next table">
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

    private final ServerComparison comparison;
    private final Figures figures;

    ServerTables(ServerComparison comparison, Figures figures) {
        this.comparison = comparison;
        this.figures = figures;
    }

    String text() {
        return picture(Metric.CPU) + RATIOS + table("CPU time per request, µs", Metric.CPU)
                + picture(Metric.RATE) + table("requests per second, floor = 1", Metric.RATE)
                + MARKED + scenarios() + figures.measured(List.of("wrk"), comparison.result);
    }

    private static String picture(Metric metric) {
        return PICTURE.replace("NAME", metric.name).replace("TITLE", metric.title);
    }

    private String table(String title, Metric metric) {
        List<Case> cases = figures.cases();
        return Table.of(title, figures.servers(cases), Server::shown, Table.columns(cases, comparison::title,
                (server, asked) -> comparison.takesPart(server, asked)
                        ? metric.cell(figures, asked, server) : ""));
    }

    private String scenarios() {
        return figures.cases().stream().map(Scenario::of)
                .map(scenario -> "- " + scenario.name + ": " + scenario.about + "\n")
                .collect(Collectors.joining()) + "\n";
    }
}
