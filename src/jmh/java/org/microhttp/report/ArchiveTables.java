package org.microhttp.report;

import static org.microhttp.archives.ArchiveComparison.DUMMY;
import static org.microhttp.archives.ArchiveComparison.NGINX;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.microhttp.archives.ArchiveComparison;
import org.microhttp.compare.Case;
import org.microhttp.compare.Server;
import org.microhttp.measure.Row;
import org.microhttp.report.Table.Column;

/**
 * The comparison of archives: what is made of a tree, an archive beside none, and beside files in short; and
 * all figures beside files on a page of its own.
 */
final class ArchiveTables {

    private static final String SIZES = """
            What is made of TREE, in how long, on all processors. tinycdb counts as
            many records in each archive. Each is served, and asked for every address in each of its codings
            by the JDK's client: what comes, decoded, is the file. Behind the answers, how many of them were
            coded: of what hardly shrinks the identity alone is kept.

            """;

    private static final String BESIDE_NONE = """
            An archive of one page of 13 B beside no archive, on CONNECTIONS connections: CPU time per
            request, and the mean of its ratios to that of `--dummy` in the same round, with its interval of
            95 %.

            """;

    private static final String LOAD = """
            Beside nginx and lighttpd, which serve the same files from their folder; no coding is asked for.
            On CONNECTIONS connections. Each cell is of all of these: the
            least and the most of the ratios to nginx, each the median of its rounds. Of CPU time and latency
            less is better, of requests per second more. The figures themselves, with a row for each number of
            connections, are in [archive.md](PAGE).

            """;

    private static final String SHARED = """
            With COUNT threads the servers have all CPUs of the machine, and the load generator has none of
            its own: what it takes, the server does not have.

            """;

    private static final String PAGE = """
            # SiteArchive beside others, in full

            Made of [archive.tsv](archive.tsv) by `src/jmh/report`; what was measured on what is said
            [in short](../README.md#archives-beside-files). A row is a number of connections; where the
            descriptors did not allow that many, in brackets how many there were.

            Each figure is the median of all rounds, and in brackets the least and the most. In the tables of
            CPU time its ratio to nginx of the same round is behind it. A – is a server that failed there or
            takes no part: lighttpd takes half as many connections as it may have descriptors.

            """;

    private static final String ALONE = "The load generator has no CPU of its own.\n\n";

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

    String text() {
        return sizes() + besideNone() + shortly()
                + figures.measured(List.of("wrk", "brotli"), comparison.result);
    }

    private String sizes() {
        if (sizes.isEmpty()) return "";
        return SIZES.replace("TREE", figures.result().fact("tree")) + Table.of("", sizes,
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
        return figures.cases("part", "dummy").stream().map(asked ->
                BESIDE_NONE.replace("CONNECTIONS", "" + asked.connections())
                + Table.of("", figures.servers(List.of(asked)), Server::shown, List.of(
                new Column<>("CPU time, µs", server ->
                        Range.text(figures.range(asked, server, Figures.COST))),
                new Column<>("ratio to --dummy", server -> server.equals(DUMMY) ? ""
                        : interval(figures.ratios(asked, server, DUMMY, Figures.COST))))))
                .collect(Collectors.joining());
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
        if (load.isEmpty()) return "";
        String connections = load.stream().map(Case::connections).distinct().map(Range::grouped)
                .collect(Collectors.joining(" / "));
        String shared = load.stream().filter(figures::isShared).map(asked -> asked.get("threads"))
                .distinct().collect(Collectors.joining(" or "));
        return LOAD.replace("CONNECTIONS", connections).replace("PAGE", Report.RESULTS + "archive.md")
                + shortly("CPU time per request, nginx = 1", Figures.COST)
                + shortly("requests per second, nginx = 1", Figures.RATE)
                + shortly("99 % answered within, nginx = 1", HIGH)
                + (shared.isEmpty() ? "" : SHARED.replace("COUNT", shared));
    }

    private String shortly(String title, ToDoubleFunction<Row> figure) {
        Map<String, List<Case>> kinds = Figures.groups(load, ArchiveComparison::kind);
        List<Server> others = figures.servers(load).stream().filter(one -> !one.equals(NGINX)).toList();
        return Table.of(title, others, Server::shown, Table.columns(List.copyOf(kinds.keySet()), kind -> kind,
                (server, kind) -> figures.extremes(kinds.get(kind), server, NGINX, figure)));
    }

    /** The page with all figures beside files. */
    String page() {
        StringBuilder text = new StringBuilder(PAGE);
        Figures.groups(load, ArchiveComparison::kind).forEach((kind, alike) -> text
                .append(Report.heading(kind))
                .append(alike.stream().anyMatch(figures::isShared) ? ALONE : "")
                .append(table("CPU time per request, µs", alike, (asked, server) ->
                        text(asked, server, Figures.COST, Range::text)
                                + figures.behind(asked, server, NGINX, Figures.COST)))
                .append(table("requests per second", alike, (asked, server) ->
                        text(asked, server, Figures.RATE, Range::grouped)))
                .append(table("median latency, ms", alike, (asked, server) ->
                        text(asked, server, MEDIAN, Range::text)))
                .append(table("99 % within, ms", alike, (asked, server) ->
                        text(asked, server, HIGH, Range::text)))
                .append(table("errors", alike, (asked, server) ->
                        Range.grouped(figures.errors(asked, server)))));
        return text.toString().stripTrailing() + "\n";
    }

    private String table(String title, List<Case> cases, BiFunction<Case, Server, String> cell) {
        return Table.of(title, cases, figures::connections, Table.columns(figures.servers(load),
                Server::shown, (asked, server) -> figures.has(asked, server)
                        ? cell.apply(asked, server) : "–"));
    }

    private String text(Case asked, Server server, ToDoubleFunction<Row> figure,
                        DoubleFunction<String> form) {
        return Range.text(figures.range(asked, server, figure), form);
    }
}
