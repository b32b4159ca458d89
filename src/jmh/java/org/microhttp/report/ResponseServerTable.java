package org.microhttp.report;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.microhttp.compare.Case;
import org.microhttp.compare.Server;
import org.microhttp.measure.ResultFile;
import org.microhttp.measure.Row;
import org.microhttp.report.Table.Column;

/**
 * The table that sets the example ResponseServer beside others: its CPU time for a request over theirs in the
 * same round, how long each takes from its start to the first answer, and how much memory it takes. A row of
 * the result file is one figure: CPU time is in µs of a request, start in ms, memory in MiB.
 */
final class ResponseServerTable {

    private static final Server OURS = server("ResponseServer", Server.Kind.OURS);
    private static final ToDoubleFunction<Row> VALUE = row -> row.number("value");

    private final ResultFile result;
    private final List<Server> servers;
    private final Figures figures;

    ResponseServerTable(ResultFile result) {
        this.result = result;
        servers = result.rows().stream().map(Row::server).distinct().map(name ->
                name.equals(OURS.name()) ? OURS : server(name, Server.Kind.GUEST)).toList();
        figures = new Figures(result, servers, row -> 1);
    }

    private static Server server(String name, Server.Kind kind) {
        return new Server(name, name, kind, "");
    }

    String text() {
        return Table.of("ResponseServer's CPU time / the server's", servers, Server::shown, List.of(
                cost("keep-alive", 1), cost("pipelined", 1), cost("keep-alive", 2), cost("pipelined", 2),
                extremes("start", "start, ms"), extremes("memory", "memory, MiB")))
                + result.measured("rounds: " + result.fact("rounds")) + "Programs: "
                + result.fact("programs") + ".\nEvery round and command: [response-server.tsv]("
                + Report.RESULTS + "response-server.tsv).\n\n";
    }

    /** Of our own the time, of another the ratio. */
    private Column<Server> cost(String name, int threads) {
        Case asked = Case.of("figure", name, "threads", threads);
        return new Column<>(name + (threads == 1 ? "" : ", " + threads + " threads"), server ->
                server.equals(OURS) ? text(figures.range(asked, OURS, VALUE), 2, " µs")
                        : text(figures.ratio(asked, OURS, server, VALUE), 2, ""));
    }

    private Column<Server> extremes(String name, String title) {
        Case asked = Case.of("figure", name, "threads", 1);
        return new Column<>(title, server -> text(figures.range(asked, server, VALUE), 0, ""));
    }

    private static String text(Range range, int digits, String unit) {
        return range == null ? "" : range.whole(value -> Range.text(value, digits)) + unit;
    }
}
