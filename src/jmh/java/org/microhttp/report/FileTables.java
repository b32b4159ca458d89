package org.microhttp.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.microhttp.files.ColdRound;
import org.microhttp.files.FileCase;
import org.microhttp.files.FilePart;
import org.microhttp.files.FilePeer;
import org.microhttp.files.FileRound;
import org.microhttp.files.ServedContent;
import org.microhttp.measure.ResultFile;
import org.microhttp.report.Figures.Range;

/** The benchmark of files as the page has it: in short, and what is not of the matrix. */
final class FileTables {

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
            COUNTEDCherokee, which they were made for, is not among them: it is packaged nowhere any more.

            """;

    private static final String COUNTED = "The row with 20 connections is of 500,000 requests.\n";

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

    private final FileFigures figures;
    private final FileScope scope;

    FileTables(FileFigures figures) {
        this.figures = figures;
        scope = new FileScope(figures);
    }

    String text() {
        boolean counted = figures.cases(FilePart.OLDEST).stream()
                .anyMatch(asked -> asked.content() == ServedContent.SMALL);
        String oldest = OLDEST.replace("COUNTED", counted ? COUNTED : "");
        return scope.text() + (scope.has(FilePart.MATRIX) ? matrix() : "")
                + part(FilePart.OLDEST, oldest, this::oldest) + single()
                + part(FilePart.BODIES, BODIES, this::body) + cold() + measured();
    }

    private String matrix() {
        return (scope.hasCounts() ? SHORT : SHORT_OF_ONE).replace("PAGE", Report.FILES_PAGE)
                + shortly("CPU time per request, nginx = 1", true)
                + shortly("requests per second, nginx = 1", false);
    }

    private String shortly(String title, boolean cost) {
        List<FileCase> cases = figures.cases(FilePart.MATRIX);
        List<ServedContent> contents =
                cases.stream().map(FileCase::content).distinct().sorted().toList();
        ToDoubleFunction<FileRound> figure =
                cost ? FileRound::microsPerRequest : FileRound::requestsPerSecond;
        StringBuilder table = new StringBuilder(head(title, contents.stream().map(c -> c.title).toList()));
        for (String kind : cases.stream().map(FileTables::kind).distinct().toList()) {
            List<FileCase> alike = cases.stream().filter(asked -> kind(asked).equals(kind)).toList();
            for (FilePeer peer : figures.peers(FilePart.MATRIX)) {
                if (peer == FilePeer.NGINX || alike.stream().noneMatch(peer::takesPart)) continue;
                table.append("| ").append(kind).append(": ").append(name(peer)).append(" |");
                contents.forEach(content -> table.append(" ").append(figures.extremes(alike.stream()
                        .filter(asked -> asked.content() == content).toList(), peer, FilePeer.NGINX,
                        figure)).append(" |"));
                table.append("\n");
            }
        }
        return table.append("\n").toString();
    }

    static String kind(FileCase asked) { return asked.persistence() + ", " + asked.transport(); }

    static String name(FilePeer peer) { return peer.isOurs() ? "**" + peer.title + "**" : peer.title; }

    static String head(String first, List<String> columns) {
        return "| " + first + " | " + String.join(" | ", columns) + " |\n"
                + "|---|" + "---:|".repeat(columns.size()) + "\n";
    }

    /** What a server has in a row of a case. */
    private interface Cell { String of(FileCase asked, FilePeer peer); }

    private String part(FilePart part, String about, Cell cell) {
        List<FileCase> cases = figures.cases(part);
        if (cases.isEmpty()) return "";
        List<FilePeer> peers = figures.peers(part);
        StringBuilder table = new StringBuilder(about)
                .append(head("", peers.stream().map(FileTables::name).toList()));
        for (FileCase asked : cases) {
            table.append("| ").append(row(asked)).append(" |");
            peers.forEach(peer -> table.append(" ").append(cell.of(asked, peer)).append(" |"));
            table.append("\n");
        }
        return table.append("\n").toString();
    }

    private static String row(FileCase asked) {
        return asked.content().title + ", " + asked.connections()
                + (asked.connections() == 1 ? " connection, " : " connections, ") + kind(asked);
    }

    private String oldest(FileCase asked, FilePeer peer) {
        Range rate = figures.range(asked, peer, FileRound::requestsPerSecond);
        if (rate == null) return "–";
        return FileFigures.whole(rate.median())
                + behind(figures.ratio(asked, peer, FilePeer.NGINX, FileRound::requestsPerSecond), peer);
    }

    /** Of nginx itself there is no ratio. */
    private static String behind(Range ratio, FilePeer peer) {
        return peer == FilePeer.NGINX || ratio == null ? "" : "; " + FileFigures.text(ratio);
    }

    private String body(FileCase asked, FilePeer peer) {
        Range cost = figures.range(asked, peer, FileRound::microsPerRequest);
        Range ratio = figures.ratio(asked, peer, FilePeer.ARRAY, FileRound::microsPerRequest);
        if (cost == null) return "–";
        boolean alone = peer == FilePeer.ARRAY || ratio == null;
        return FileFigures.whole(cost.median()) + (alone ? "" : "; " + FileFigures.text(ratio));
    }

    private String single() {
        List<FileCase> cases = new ArrayList<>(figures.cases(FilePart.HUGE));
        cases.addAll(figures.cases(FilePart.CODED));
        if (cases.isEmpty()) return "";
        StringBuilder table = new StringBuilder(scope.has(FilePart.HUGE) ? HUGE : "")
                .append(scope.has(FilePart.CODED) ? CODED : "").append(SINGLE)
                .append(head("", List.of("MB/s", "CPU time of a GB, s")));
        for (FileCase asked : cases) {
            for (FilePeer peer : figures.peers(asked.part())) {
                table.append("| ").append(row(asked)).append(": ").append(name(peer)).append(" | ")
                        .append(single(asked, peer, FileRound::megabytesPerSecond, FileFigures::whole))
                        .append(" | ").append(single(asked, peer, FileRound::cpuPerGigabyte, Figures::text))
                        .append(" |\n");
            }
        }
        return table.append("\n").toString();
    }

    private String single(FileCase asked, FilePeer peer, ToDoubleFunction<FileRound> figure,
                          Function<Double, String> form) {
        Range range = figures.range(asked, peer, figure);
        if (range == null) return "–";
        return form.apply(range.median()) + behind(figures.ratio(asked, peer, FilePeer.NGINX, figure), peer);
    }

    private String cold() {
        List<ColdRound> all = figures.result.cold();
        if (all.isEmpty()) return "";
        StringBuilder table = new StringBuilder(COLD).append(head("",
                List.of("cold, MB/s", "others wait, ms", "warm, MB/s", "others wait, ms")));
        for (FilePeer peer : all.stream().map(ColdRound::peer).distinct().sorted().toList()) {
            table.append("| ").append(name(peer)).append(" |");
            for (boolean cold : List.of(true, false)) {
                List<ColdRound> rounds =
                        all.stream().filter(round -> round.peer() == peer && round.cold() == cold).toList();
                table.append(" ").append(of(rounds, round -> round.bytes() / round.seconds() / 1e6))
                        .append(" | ").append(of(rounds, ColdRound::longest)).append(" |");
            }
            table.append("\n");
        }
        return table.append("\n").toString();
    }

    private static String of(List<ColdRound> rounds, ToDoubleFunction<ColdRound> figure) {
        if (rounds.isEmpty()) return "–";
        return FileFigures.text(Range.of(rounds.stream().mapToDouble(figure).toArray()));
    }

    String measured() {
        var facts = figures.result.facts();
        String failed = facts.get("failed");
        String programs = figures.peers().stream().filter(peer -> !peer.isJava())
                .map(peer -> peer.title + " " + ResultFile.fact(facts, peer.name) + ", ")
                .collect(Collectors.joining());
        return (failed == null ? "" : "Not measured, and shown as –: " + failed + ".\n\n")
                + ResultFile.measured(facts, "rounds: " + ResultFile.fact(facts, "rounds"))
                + "Programs: " + programs
                + (scope.hasTls() ? "HAProxy " + ResultFile.fact(facts, "haproxy") + ", " : "")
                + "wrk " + ResultFile.fact(facts, "wrk")
                + (scope.has(FilePart.OLDEST) ? ", ab " + ResultFile.fact(facts, "ab") : "") + ".\n"
                + "Every round: [files.tsv](" + Report.FILES + ").\n";
    }
}
