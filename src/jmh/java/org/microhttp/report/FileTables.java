package org.microhttp.report;

import static org.microhttp.files.FileComparison.ARRAY;
import static org.microhttp.files.FileComparison.NGINX;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.microhttp.compare.Case;
import org.microhttp.compare.Server;
import org.microhttp.files.FileComparison;
import org.microhttp.files.FileContent;
import org.microhttp.measure.Row;
import org.microhttp.report.Table.Column;

/**
 * The comparison of files: in short, with what is not of the matrix, and the whole matrix on a page of its
 * own. Both speak of what was run alone.
 */
final class FileTables {

    private static final String TLS = """
            Over TLS each server is behind an HAProxy of its own, on the same CPU, which keeps its connections
            to the server open: what the server costs and what HAProxy costs are counted apart. HAProxy has
            two descriptors for a client.

            """;

    private static final String PYTHON = """
            Python's http.server takes part on up to 20 connections, each for one request: it speaks HTTP/1.0,
            and its listen queue has five places.

            """;

    private static final String MANY = """
            1.5 MB on COUNT connections would measure the kernel's memory for sockets, and is not asked
            for.

            """;

    private static final String MANY_TLS = """
            1.5 MB on COUNT connections would measure the kernel's memory for sockets, and that many
            handshakes at once the proxy, so over TLS they are asked for the smallest files alone, and kept.

            """;

    private static final String SHORT = """
            Each cell is of all numbers of connections: the least and the most of the ratios to nginx, each
            the median of its rounds. Of CPU time, the server's alone, less is better; of requests per second
            more. The whole matrix, with a row for each number of connections, is in [files.md](PAGE).

            """;

    private static final String SHORT_OF_ONE = """
            Each cell is the ratio to nginx, the median of its rounds. Of CPU time, the server's alone, less
            is better; of requests per second more. The figures themselves are in [files.md](PAGE).

            """;

    private static final String OLDEST = """
            The oldest of these benchmarks, by ab: requests per second, and behind them the ratio to nginx.
            The row with 20 connections is of 500,000 requests.
            Cherokee, which they were made for, is not among them: it is packaged nowhere any more.

            """;

    private static final String HUGE = "A file of 5 GB, with a heap of 64 MB for ours.\n";

    private static final String CODED =
            "The 600 files for a client that takes gzip, from variants made before.\n";

    private static final String SINGLE = "Behind each figure is its ratio to nginx.\n\n";

    private static final String BODIES = """
            The library without FileServer, by what its body is: CPU time per request in µs, and its ratio to
            that of an array.

            """;

    private static final String COLD = """
            A file of 256 MiB that is not in the page cache, and again when it is: how fast it comes, and how
            long another connection waits for 99 B meanwhile at most.

            """;

    private static final String PAGE = """
            # FileServer beside others, in full

            Made of [files.tsv](files.tsv) by `src/jmh/report`; what was measured on what is said
            [in short](../README.md#files-beside-others). A row is a file and a number of connections.
            FEWER
            In the tables of CPU time each server has its own per request, in µs, and behind it the ratio to
            nginx of the same round: the median of all rounds, and in brackets the least and the most.
            TLS
            In those of requests per second nginx has its own, and its MB/s, and others the ratio. A – is a
            server that failed there or takes no part. Only ours and nginx are measured in every round.

            """;

    private static final String FEWER = "Where the descriptors do not allow that many, in brackets how many "
            + "there were.\n";

    private static final String BOTH = "Over TLS the last number is the ratio with HAProxy's time in both; "
            + "nginx has the sum itself there.\n";

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

    String text() {
        List<String> programs = Stream.of("haproxy", "wrk", "ab").filter(program -> switch (program) {
            case "haproxy" -> hasTls();
            case "ab" -> !figures.cases("part", "oldest").isEmpty();
            default -> true;
        }).toList();
        return scope() + shortly() + part("oldest", OLDEST, this::oldest) + single()
                + part("bodies", BODIES, this::body) + cold()
                + figures.measured(programs, comparison.result);
    }

    private boolean hasTls() { return figures.cases().stream().anyMatch(Case::isTls); }

    private String scope() {
        if (matrix.isEmpty()) return "";
        List<Integer> counts = matrix.stream().map(Case::connections).distinct().sorted().toList();
        String connections = counts.stream().map(Range::grouped).collect(Collectors.joining(" / "));
        int most = counts.get(counts.size() - 1);
        return "Asked for: " + all(asked -> FileContent.of(asked).title) + ".\nOn " + connections
                + (most == 1 ? " connection: " : " connections: ") + all(asked -> asked.get("persistence"))
                + "; " + all(asked -> asked.get("transport")) + ".\n\n" + (hasTls() ? TLS : "")
                + (figures.servers(matrix).stream().anyMatch(one -> one.name().equals("python3"))
                        ? PYTHON : "")
                + many().replace("COUNT", Range.grouped(most));
    }

    /** Why some are not asked for on many connections. */
    private String many() {
        List<Case> many = matrix.stream().filter(Case::isMany).toList();
        if (many.isEmpty()) return "";
        return many.stream().anyMatch(Case::isTls) ? MANY_TLS : MANY;
    }

    private String all(Function<Case, String> part) {
        return matrix.stream().map(part).distinct().collect(Collectors.joining(", "));
    }

    private String shortly() {
        if (matrix.isEmpty()) return "";
        boolean one = matrix.stream().map(Case::connections).distinct().count() == 1;
        return (one ? SHORT_OF_ONE : SHORT).replace("PAGE", Report.RESULTS + "files.md")
                + shortly("CPU time per request, nginx = 1", Figures.COST)
                + shortly("requests per second, nginx = 1", Figures.RATE);
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

    private String part(String part, String about, Cell cell) {
        List<Case> cases = figures.cases("part", part);
        return cases.isEmpty() ? "" : about + Table.of("", cases, comparison::row,
                Table.columns(figures.servers(cases), Server::shown, cell::of));
    }

    private String oldest(Case asked, Server server) {
        return figure(asked, server, Figures.RATE, Range::grouped);
    }

    /** The median, and the ratio to nginx. */
    private String figure(Case asked, Server server, ToDoubleFunction<Row> figure,
                          DoubleFunction<String> form) {
        Range range = figures.range(asked, server, figure);
        if (range == null) return "–";
        return form.apply(range.median()) + figures.behind(asked, server, NGINX, figure);
    }

    private String body(Case asked, Server server) {
        Range cost = figures.range(asked, server, Figures.COST);
        if (cost == null) return "–";
        return Range.grouped(cost.median()) + figures.behind(asked, server, ARRAY, Figures.COST);
    }

    private String single() {
        List<Case> huge = figures.cases("part", "huge"), coded = figures.cases("part", "coded");
        List<Line> lines = Stream.of(huge, coded).flatMap(cases -> figures.servers(cases).stream()
                .map(server -> new Line(server, cases))).toList();
        if (lines.isEmpty()) return "";
        return (huge.isEmpty() ? "" : HUGE) + (coded.isEmpty() ? "" : CODED) + SINGLE + Table.of("", lines,
                line -> comparison.row(line.cases.get(0)) + ": " + line.server.shown(), List.of(
                new Column<>("MB/s", line -> figure(line.cases.get(0), line.server, Figures.MEGABYTES,
                        Range::grouped)),
                new Column<>("CPU time of a GB, s", line -> figure(line.cases.get(0), line.server,
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
        return cases.isEmpty() ? "" : COLD + Table.of("", figures.servers(cases), Server::shown, columns);
    }

    private Column<Server> column(Case asked, String title, ToDoubleFunction<Row> figure) {
        return new Column<>(title, server -> Range.text(figures.range(asked, server, figure)));
    }

    /** The page with the whole matrix. */
    String page() {
        boolean fewer = matrix.stream().anyMatch(asked -> figures.reached(asked) < asked.connections());
        StringBuilder text = new StringBuilder(PAGE.replace("FEWER\n", (fewer ? FEWER : "") + "\n")
                .replace("TLS\n", (hasTls() ? BOTH : "") + "\n"));
        Map<String, List<Case>> kinds = Figures.groups(matrix, FileComparison::kind);
        kinds.forEach((kind, alike) -> text.append(Report.heading(kind))
                .append(table("CPU time per request, µs", alike, this::cost))
                .append(table("requests per second", alike, this::rate)));
        return text.toString().stripTrailing() + "\n";
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
        return figure(asked, server, Figures.COST, Range::text)
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
