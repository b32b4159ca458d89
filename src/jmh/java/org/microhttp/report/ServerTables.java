package org.microhttp.report;

import static org.microhttp.compare.ServerComparison.FLOOR;
import static org.microhttp.compare.ServerComparison.OURS;

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
        return Map.of("cpu", table("CPU time per request, µs", comparison, figures, Metric.CPU::cell),
                "modes", table("user + system, µs", comparison, figures, ServerTables::modes),
                "throughput", table("requests per second, floor = 1", comparison, figures, Metric.RATE::cell),
                "compare-measured", figures.measured(List.of("wrk"), Report.RESULTS + comparison.result));
    }

    /** What a cell says of a server in a case. */
    private interface Cell { String of(Figures figures, Case asked, Server server); }

    private static String table(String title, ServerComparison comparison, Figures figures, Cell cell) {
        List<Case> cases = figures.cases();
        return Table.of(title, figures.servers(cases), Server::shown, Table.columns(cases, comparison::title,
                (server, asked) -> comparison.takesPart(server, asked)
                        ? cell.of(figures, asked, server) : ""));
    }

    /** Time in user mode and in the kernel; what the first is above the floor's, as a ratio to ours. */
    private static String modes(Figures figures, Case asked, Server server) {
        double user = figures.mean(asked, server, "user_s");
        if (Double.isNaN(user)) return "–";
        String text = Range.text(user) + " + " + Range.text(figures.mean(asked, server, "system_s"));
        double floor = figures.mean(asked, FLOOR, "user_s");
        double ratio = (user - floor) / (figures.mean(asked, OURS, "user_s") - floor);
        return server.equals(FLOOR) || !Double.isFinite(ratio) ? text : text + "; " + Range.text(ratio);
    }
}
