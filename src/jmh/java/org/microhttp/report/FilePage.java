package org.microhttp.report;

import java.util.List;
import org.microhttp.files.FileCase;
import org.microhttp.files.FilePart;
import org.microhttp.files.FilePeer;
import org.microhttp.files.FileRound;
import org.microhttp.report.Figures.Range;

/** The whole matrix of the benchmark of files, on a page of its own. */
final class FilePage {

    private static final String HEAD = """
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

    private static final String TLS = "Over TLS the last number is the ratio with HAProxy's time in both; "
            + "nginx has the sum itself there.\n";

    private final FileFigures figures;

    FilePage(FileFigures figures) { this.figures = figures; }

    String text() {
        StringBuilder text = new StringBuilder(head());
        List<FileCase> cases = figures.cases(FilePart.MATRIX);
        for (String kind : cases.stream().map(FileTables::kind).distinct().toList()) {
            List<FileCase> alike =
                    cases.stream().filter(asked -> FileTables.kind(asked).equals(kind)).toList();
            text.append("## ").append(Character.toUpperCase(kind.charAt(0))).append(kind.substring(1))
                    .append("\n\n").append(table("CPU time per request, µs", alike, true))
                    .append(table("requests per second", alike, false));
        }
        return text.toString().stripTrailing() + "\n";
    }

    private String head() {
        FileScope scope = new FileScope(figures);
        return HEAD.replace("FEWER\n", (scope.hasFewer() ? FEWER : "") + "\n")
                .replace("TLS\n", (scope.hasTls() ? TLS : "") + "\n");
    }

    private String table(String title, List<FileCase> cases, boolean cost) {
        List<FilePeer> peers = figures.peers(FilePart.MATRIX).stream()
                .filter(peer -> cases.stream().anyMatch(peer::takesPart)).toList();
        StringBuilder table = new StringBuilder(
                FileTables.head(title, peers.stream().map(FileTables::name).toList()));
        for (FileCase asked : cases) {
            table.append("| ").append(row(asked)).append(" |");
            for (FilePeer peer : peers) {
                table.append(" ").append(cost ? cost(asked, peer) : rate(asked, peer)).append(" |");
            }
            table.append("\n");
        }
        return table.append("\n").toString();
    }

    private String row(FileCase asked) {
        int reached = figures.reached(asked);
        String all = FileFigures.whole(asked.connections());
        boolean fewer = reached < asked.connections();
        return asked.content().title + ", " + all + (fewer ? " (" + FileFigures.whole(reached) + ")" : "");
    }

    private String cost(FileCase asked, FilePeer peer) {
        Range cost = figures.range(asked, peer, FileRound::microsPerRequest);
        if (cost == null) return "–";
        String own = Figures.text(cost.median());
        if (peer == FilePeer.NGINX) {
            Range sum = figures.range(asked, peer, FileRound::microsWithProxy);
            return asked.tls() ? own + "; " + Figures.text(sum.median()) : own;
        }
        Range alone = figures.ratio(asked, peer, FilePeer.NGINX, FileRound::microsPerRequest);
        Range sum = figures.ratio(asked, peer, FilePeer.NGINX, FileRound::microsWithProxy);
        boolean shown = asked.tls() && sum != null;
        return own + "; " + FileFigures.text(alone) + (shown ? "; " + Figures.text(sum.median()) : "");
    }

    private String rate(FileCase asked, FilePeer peer) {
        Range rate = figures.range(asked, peer, FileRound::requestsPerSecond);
        if (rate == null) return "–";
        if (peer != FilePeer.NGINX) {
            return FileFigures.text(figures.ratio(asked, peer, FilePeer.NGINX, FileRound::requestsPerSecond));
        }
        Range bytes = figures.range(asked, peer, FileRound::megabytesPerSecond);
        return FileFigures.whole(rate.median()) + "; " + FileFigures.whole(bytes.median()) + " MB/s";
    }
}
