package org.microhttp.report;

import java.util.List;
import java.util.Map;
import org.microhttp.compare.Case;
import org.microhttp.compare.Server;
import org.microhttp.servers.ServerComparison;

/** The tables of the comparison of servers, each with the figures of a chart. */
final class ServerTables {

    private final ServerComparison comparison;
    private final Figures figures;

    ServerTables(ServerComparison comparison, Figures figures) {
        this.comparison = comparison;
        this.figures = figures;
    }

    /** {@return the tables of the page, by the names of their places} */
    Map<String, String> tables() {
        return Map.of("cpu", table("CPU time per request, µs", Metric.CPU),
                "throughput", table("requests per second, floor = 1", Metric.RATE),
                "compare-measured", figures.measured(List.of("wrk"), comparison.result));
    }

    private String table(String title, Metric metric) {
        List<Case> cases = figures.cases();
        return Table.of(title, figures.servers(cases), Server::shown, Table.columns(cases, comparison::title,
                (server, asked) -> comparison.takesPart(server, asked)
                        ? metric.cell(figures, asked, server) : ""));
    }
}
