package org.microhttp.report;

import static org.microhttp.compare.ArchiveComparison.DUMMY;
import static org.microhttp.compare.ArchiveComparison.NGINX;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.microhttp.compare.ArchiveComparison;
import org.microhttp.compare.Case;
import org.microhttp.compare.Server;
import org.microhttp.measure.Row;
import org.microhttp.report.Table.Column;

/** The tables of archives: what is made of a tree, an archive beside none, and beside files. */
final class ArchiveTables {

    private static final ToDoubleFunction<Row> MEDIAN = row -> row.number("p50_us") / 1e3;
    private static final ToDoubleFunction<Row> HIGH = row -> row.number("p99_us") / 1e3;

    /** Student's t for 95 %, with 1 to 30 degrees of freedom; with more it is hardly less. */
    private static final double[] STUDENT = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262,
            2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069,
            2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};

    private final ArchiveComparison comparison;
    private final Figures figures;
    private final List<Row> sizes;
    private final List<Case> load;

    ArchiveTables(ArchiveComparison comparison, Figures figures) {
        this.comparison = comparison;
        this.figures = figures;
        sizes = figures.result().rows().stream().filter(row -> !row.text("what").isEmpty()).toList();
        load = figures.cases("part", "load");
    }

    /** {@return the tables of the page, by the names of their places} */
    Map<String, String> tables() {
        return Map.of("archive-sizes", sizes(), "archive-dummy", besideNone(), "archive-load", shortly(),
                "archive-measured", figures.measured(List.of("wrk", "brotli"), comparison.result),
                "load", all());
    }

    private String sizes() {
        return Table.of("", sizes,
                row -> isArchive(row) ? "**archive, " + row.text("what").replace(",", ", ") + "**"
                        : row.text("what"), List.of(
                new Column<>("time, s", row -> row.number("seconds") > 0
                        ? Range.text(row.number("seconds"), 1) : "–"),
                new Column<>("MB", row -> Range.text(row.number("bytes") / 1e6, 1)),
                new Column<>("of the tree", row -> Range.text(
                        100 * row.number("bytes") / sizes.get(0).number("bytes"), 0) + " %"),
                new Column<>("records", row -> isArchive(row) ? Range.grouped(row.number("records")) : "–"),
                new Column<>("answers compared", ArchiveTables::answers)));
    }

    private static boolean isArchive(Row row) { return row.number("records") > 0; }

    private static String answers(Row row) {
        if (!isArchive(row)) return "–";
        double coded = row.number("coded_answers");
        return Range.grouped(row.number("answers")) + (coded == 0 ? "" : "; " + Range.grouped(coded));
    }

    private String besideNone() {
        List<Case> cases = figures.cases("part", "dummy");
        return Table.of("", figures.servers(cases), Server::shown, List.of(
                new Column<>("CPU time, µs", server ->
                        Range.text(figures.range(cases.get(0), server, Figures.COST))),
                new Column<>("ratio to --dummy", server -> server.equals(DUMMY) ? ""
                        : interval(figures.ratios(cases.get(0), server, DUMMY, Figures.COST)))));
    }

    /** The mean, and where 95 of 100 such intervals have the mean of all that there could be. */
    private static String interval(double[] values) {
        if (values.length == 0) return "–";
        double mean = Arrays.stream(values).average().orElseThrow();
        int freedom = values.length - 1;
        if (freedom == 0) return Range.text(mean);
        double squares = Arrays.stream(values).map(value -> (value - mean) * (value - mean)).sum();
        double error = Math.sqrt(squares / freedom / values.length);
        double half = STUDENT[Math.min(freedom, STUDENT.length) - 1] * error;
        return new Range(mean, mean - half, mean + half).whole(Range::text);
    }

    private String shortly() {
        String connections = load.stream().map(Case::connections).distinct().map(Range::grouped)
                .collect(Collectors.joining(" / "));
        return "On " + connections + " connections.\n\n"
                + shortly("CPU time per request, nginx = 1", Figures.COST)
                + shortly("requests per second, nginx = 1", Figures.RATE)
                + shortly("99 % answered within, nginx = 1", HIGH);
    }

    private String shortly(String title, ToDoubleFunction<Row> figure) {
        Map<String, List<Case>> kinds = Figures.groups(load, ArchiveComparison::kind);
        List<Server> others = figures.servers(load).stream().filter(one -> !one.equals(NGINX)).toList();
        return Table.of(title, others, Server::shown, Table.columns(List.copyOf(kinds.keySet()), kind -> kind,
                (server, kind) -> figures.extremes(kinds.get(kind), server, NGINX, figure)));
    }

    private String all() {
        StringBuilder text = new StringBuilder();
        Figures.groups(load, ArchiveComparison::kind).forEach((kind, alike) -> text
                .append(Report.heading(kind))
                .append(table("CPU time per request, µs", alike, (asked, server) ->
                        Range.text(figures.range(asked, server, Figures.COST))
                                + figures.behind(asked, server, NGINX, Figures.COST)))
                .append(table("requests per second", alike, (asked, server) ->
                        Range.text(figures.range(asked, server, Figures.RATE), Range::grouped)))
                .append(table("median latency, ms", alike, (asked, server) ->
                        Range.text(figures.range(asked, server, MEDIAN))))
                .append(table("99 % within, ms", alike, (asked, server) ->
                        Range.text(figures.range(asked, server, HIGH))))
                .append(table("errors", alike, (asked, server) ->
                        Range.grouped(figures.errors(asked, server)))));
        return text.toString();
    }

    private String table(String title, List<Case> cases, BiFunction<Case, Server, String> cell) {
        return Table.of(title, cases, figures::connections, Table.columns(figures.servers(load),
                Server::shown, (asked, server) -> figures.servers(List.of(asked)).contains(server)
                        ? cell.apply(asked, server) : "–"));
    }
}
