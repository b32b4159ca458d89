package org.microhttp.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.microhttp.archives.ArchiveCase;
import org.microhttp.archives.ArchivePart;
import org.microhttp.archives.ArchivePeer;
import org.microhttp.archives.ArchiveRound;
import org.microhttp.archives.ArchiveSize;
import org.microhttp.measure.ResultFile;

/** The benchmark of archives as the page has it: what they are of, beside none, and beside files in short. */
final class ArchiveTables {

    private static final String SIZES = """
            What is made of TREE, in how long, on all processors. tinycdb counts as
            many records in each archive. Each is served, and asked for every address in each of its codings
            by the JDK's client: what comes, decoded, is the file. Behind the answers, how many of them were
            coded: of what hardly shrinks the identity alone is kept.

            """;

    private static final String DUMMY = """
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

    private final ArchiveFigures figures;

    ArchiveTables(ArchiveFigures figures) { this.figures = figures; }

    String text() { return sizes() + dummy() + load() + measured(); }

    private String sizes() {
        List<ArchiveSize> sizes = figures.result.sizes();
        if (sizes.isEmpty()) return "";
        StringBuilder table = new StringBuilder(SIZES.replace("TREE", fact("tree")))
                .append(FileTables.head("",
                        List.of("time, s", "MB", "of the tree", "records", "answers compared")));
        for (ArchiveSize size : sizes) table.append("| ").append(row(size)).append(" |\n");
        return table.append("\n").toString();
    }

    private String row(ArchiveSize size) {
        boolean archive = size.records() > 0;
        double share = (double) size.bytes() / figures.result.sizes().get(0).bytes();
        return String.join(" | ",
                archive ? "**archive, " + size.what().replace(",", ", ") + "**" : size.what(),
                size.seconds() > 0 ? Figures.text(size.seconds(), 1) : "–",
                Figures.text(size.bytes() / 1e6, 1), Figures.text(100 * share, 0) + " %",
                archive ? RunFigures.whole(size.records()) : "–", archive ? answers(size) : "–");
    }

    private static String answers(ArchiveSize size) {
        String coded = size.coded() == 0 ? "" : "; " + RunFigures.whole(size.coded());
        return RunFigures.whole(size.answers()) + coded;
    }

    private String dummy() {
        StringBuilder text = new StringBuilder();
        for (ArchiveCase asked : figures.cases(ArchivePart.DUMMY)) {
            text.append(DUMMY.replace("CONNECTIONS", "" + asked.connections())).append(FileTables.head("",
                    List.of("CPU time, µs", "ratio to --dummy")));
            for (ArchivePeer peer : figures.peers(ArchivePart.DUMMY)) {
                double[] ratios = figures.ratios(asked, peer, ArchivePeer.DUMMY,
                        ArchiveRound::microsPerRequest);
                String ratio = ratios.length == 0 ? "–" : Interval.of(ratios).text();
                String time = RunFigures.text(figures.range(asked, peer, ArchiveRound::microsPerRequest));
                text.append("| ").append(ArchiveFigures.name(peer)).append(" | ").append(time).append(" |")
                        .append(peer == ArchivePeer.DUMMY ? "" : " " + ratio).append(" |\n");
            }
            text.append("\n");
        }
        return text.toString();
    }

    private String load() {
        List<ArchiveCase> cases = figures.cases(ArchivePart.LOAD);
        if (cases.isEmpty()) return "";
        String connections = cases.stream().map(ArchiveCase::connections).distinct()
                .map(RunFigures::whole).collect(Collectors.joining(" / "));
        String about = LOAD.replace("CONNECTIONS", connections).replace("PAGE", Report.ARCHIVE_PAGE);
        return about + shortly("CPU time per request, nginx = 1", ArchiveRound::microsPerRequest)
                + shortly("requests per second, nginx = 1", ArchiveRound::requestsPerSecond)
                + shortly("99 % answered within, nginx = 1", ArchiveRound::highMillis) + shared(cases);
    }

    private String shortly(String title, ToDoubleFunction<ArchiveRound> figure) {
        Map<String, List<ArchiveCase>> kinds = kinds(figures.cases(ArchivePart.LOAD));
        StringBuilder table = new StringBuilder(FileTables.head(title, List.copyOf(kinds.keySet())));
        for (ArchivePeer peer : figures.peers(ArchivePart.LOAD)) {
            if (peer == ArchivePeer.NGINX) continue;
            table.append("| ").append(ArchiveFigures.name(peer)).append(" |");
            kinds.values().forEach(alike -> table.append(" ")
                    .append(figures.extremes(alike, peer, ArchivePeer.NGINX, figure)).append(" |"));
            table.append("\n");
        }
        return table.append("\n").toString();
    }

    /** Those that differ in their number of connections alone. */
    static Map<String, List<ArchiveCase>> kinds(List<ArchiveCase> cases) {
        return cases.stream().collect(Collectors.groupingBy(ArchiveFigures::kind,
                LinkedHashMap::new, Collectors.toList()));
    }

    private String shared(List<ArchiveCase> cases) {
        String threads = cases.stream().filter(figures::isShared).map(asked -> "" + asked.threads())
                .distinct().collect(Collectors.joining(" or "));
        return threads.isEmpty() ? "" : SHARED.replace("COUNT", threads);
    }

    private String measured() {
        Map<String, String> facts = figures.result.facts();
        String failed = facts.get("failed");
        String programs = figures.peers().stream().filter(peer -> !peer.isJava())
                .map(peer -> peer.title + " " + fact(peer.name) + ", ").collect(Collectors.joining());
        return (failed == null ? "" : "Not measured, and shown as –: " + failed + ".\n\n")
                + ResultFile.measured(facts, "rounds: " + fact("rounds"))
                + "Programs: " + programs + "wrk " + fact("wrk") + ", brotli " + fact("brotli") + ".\n"
                + "Every round: [archive.tsv](" + Report.ARCHIVE + ").\n";
    }

    private String fact(String key) { return ResultFile.fact(figures.result.facts(), key); }
}
