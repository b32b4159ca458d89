package org.microhttp.report;

import static org.microhttp.compare.FileComparison.ARRAY;
import static org.microhttp.compare.FileComparison.NGINX;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.microhttp.compare.Case;
import org.microhttp.compare.FileComparison;
import org.microhttp.compare.FileContent;
import org.microhttp.compare.Server;
import org.microhttp.measure.Row;
import org.microhttp.report.Table.Column;

/** The tables of the comparison of files: the matrix in short, the other parts, and the whole matrix. */
final class FileTables {

    private static final ToDoubleFunction<Row> COST_OF_BOTH =
            row -> (row.cpu() + row.number("proxy_s")) / row.number("answers") * 1e6;
    private static final ToDoubleFunction<Row> COST_OF_GIGABYTE =
            row -> row.cpu() / row.number("bytes") * 1e9;

    /** A server in a row of a table, and what is asked of it. */
    private record Line(Server server, List<Case> cases) { }

    private final FileComparison comparison;
    private final Figures figures;
    private final List<Case> matrix;

    FileTables(FileComparison comparison, Figures figures) {
        this.comparison = comparison;
        this.figures = figures;
        matrix = figures.cases("part", "matrix");
    }

    /** {@return the tables of the page, by the names of their places} */
    Map<String, String> tables() {
        return Map.of("files-scope", scope(),
                "files-cpu", shortly("CPU time per request, nginx = 1", Figures.COST),
                "files-throughput", shortly("requests per second, nginx = 1", Figures.RATE),
                "files-oldest", part("oldest", this::oldest), "files-single", single(),
                "files-bodies", part("bodies", this::body), "files-cold", cold(), "files-measured",
                figures.measured(List.of("haproxy", "wrk", "ab"), comparison.result), "matrix", matrix());
    }

    private String scope() {
        String connections = matrix.stream().map(Case::connections).distinct().sorted()
                .map(Range::grouped).collect(Collectors.joining(" / "));
        return matrix.isEmpty() ? "" : "Files: " + all(asked -> FileContent.of(asked).title)
                + ".\nConnections: " + connections + "; " + all(asked -> asked.get("persistence")) + "; "
                + all(asked -> asked.get("transport")) + ".\n\n";
    }

    private String all(Function<Case, String> part) {
        return matrix.stream().map(part).distinct().collect(Collectors.joining(", "));
    }

    private String shortly(String title, ToDoubleFunction<Row> figure) {
        List<Line> lines = new ArrayList<>();
        for (List<Case> alike : Figures.groups(matrix, FileComparison::kind).values()) {
            for (Server server : figures.servers(matrix)) {
                boolean takesPart = alike.stream().anyMatch(asked -> comparison.takesPart(server, asked));
                if (takesPart && !server.equals(NGINX)) lines.add(new Line(server, alike));
            }
        }
        List<String> contents = matrix.stream().map(asked -> FileContent.of(asked).title).distinct().toList();
        return Table.of(title, lines,
                line -> FileComparison.kind(line.cases.get(0)) + ": " + line.server.shown(),
                Table.columns(contents, content -> content, (line, content) -> figures.extremes(line.cases
                        .stream().filter(asked -> FileContent.of(asked).title.equals(content)).toList(),
                        line.server, NGINX, figure)));
    }

    /** What a server has in a row of a case. */
    private interface Cell { String of(Case asked, Server server); }

    private String part(String part, Cell cell) {
        List<Case> cases = figures.cases("part", part);
        return Table.of("", cases, comparison::row,
                Table.columns(figures.servers(cases), Server::shown, cell::of));
    }

    private String oldest(Case asked, Server server) {
        return figure(asked, server, NGINX, Figures.RATE, Range::grouped);
    }

    private String body(Case asked, Server server) {
        return figure(asked, server, ARRAY, Figures.COST, Range::grouped);
    }

    /** The median, and the ratio to another server. */
    private String figure(Case asked, Server server, Server other, ToDoubleFunction<Row> figure,
                          DoubleFunction<String> form) {
        Range range = figures.range(asked, server, figure);
        if (range == null) return "–";
        return form.apply(range.median()) + figures.behind(asked, server, other, figure);
    }

    private String single() {
        List<Line> lines = Stream.of("huge", "coded").map(part -> figures.cases("part", part))
                .flatMap(cases -> figures.servers(cases).stream().map(server -> new Line(server, cases)))
                .toList();
        return Table.of("", lines,
                line -> comparison.row(line.cases.get(0)) + ": " + line.server.shown(), List.of(
                new Column<>("MB/s", line -> figure(line.cases.get(0), line.server, NGINX,
                        Figures.MEGABYTES, Range::grouped)),
                new Column<>("CPU time of a GB, s", line -> figure(line.cases.get(0), line.server, NGINX,
                        COST_OF_GIGABYTE, Range::text))));
    }

    private String cold() {
        List<Column<Server>> columns = new ArrayList<>();
        for (String cache : List.of("cold", "warm")) {
            List<Case> cases = figures.cases("cache", cache);
            if (cases.isEmpty()) continue;
            columns.add(column(cases.get(0), cache + ", MB/s", Figures.MEGABYTES));
            columns.add(column(cases.get(0), "others wait, ms", row -> row.number("longest_ms")));
        }
        List<Case> cases = figures.cases().stream().filter(asked -> !asked.get("cache").isEmpty()).toList();
        return Table.of("", figures.servers(cases), Server::shown, columns);
    }

    private Column<Server> column(Case asked, String title, ToDoubleFunction<Row> figure) {
        return new Column<>(title, server -> Range.text(figures.range(asked, server, figure)));
    }

    private String matrix() {
        StringBuilder text = new StringBuilder();
        Figures.groups(matrix, FileComparison::kind).forEach((kind, alike) -> text
                .append(Report.heading(kind)).append(table("CPU time per request, µs", alike, this::cost))
                .append(table("requests per second", alike, this::rate)));
        return text.toString();
    }

    private String table(String title, List<Case> cases, Cell cell) {
        List<Server> servers = figures.servers(matrix).stream()
                .filter(one -> cases.stream().anyMatch(asked -> comparison.takesPart(one, asked))).toList();
        return Table.of(title, cases,
                asked -> FileContent.of(asked).title + ", " + figures.connections(asked),
                Table.columns(servers, Server::shown, cell::of));
    }

    private String cost(Case asked, Server server) {
        Range sum = figures.range(asked, server, COST_OF_BOTH);
        if (sum == null) return "–";
        Range ratio = figures.ratio(asked, server, NGINX, COST_OF_BOTH);
        Range both = server.equals(NGINX) ? sum : ratio;
        return figure(asked, server, NGINX, Figures.COST, Range::text)
                + (asked.isTls() && both != null ? "; " + Range.text(both.median()) : "");
    }

    private String rate(Case asked, Server server) {
        if (server.equals(NGINX)) {
            Range rate = figures.range(asked, server, Figures.RATE);
            Range bytes = figures.range(asked, server, Figures.MEGABYTES);
            return rate == null ? "–"
                    : Range.grouped(rate.median()) + "; " + Range.grouped(bytes.median()) + " MB/s";
        }
        return Range.text(figures.ratio(asked, server, NGINX, Figures.RATE));
    }
}
