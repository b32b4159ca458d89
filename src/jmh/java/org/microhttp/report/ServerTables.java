package org.microhttp.report;

import java.util.List;
import java.util.Map;
import org.microhttp.compare.Case;
import org.microhttp.compare.Server;
import org.microhttp.compare.ServerComparison;

/** The tables of the comparison of servers, each with the figures of a chart. */
final class ServerTables {

    private ServerTables() { }

    /** {@return the tables of the page, by the names of their places} */
    static Map<String, String> of(ServerComparison comparison, Figures figures) {
        return Map.of("cpu", table("CPU time per request, µs", comparison, figures, Metric.CPU),
                "throughput", table("requests per second, floor = 1", comparison, figures, Metric.RATE),
                "compare-measured", figures.measured(List.of("wrk"), Report.RESULTS + comparison.result));
    }

    private static String table(String title, ServerComparison comparison, Figures figures, Metric metric) {
        List<Case> cases = figures.cases();
        return Table.of(title, figures.servers(cases), Server::shown, Table.columns(cases, comparison::title,
                (server, asked) -> comparison.takesPart(server, asked)
                        ? metric.cell(figures, asked, server) : ""));
    }
}
