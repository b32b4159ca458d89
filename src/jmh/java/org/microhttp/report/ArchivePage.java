package org.microhttp.report;

import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.microhttp.archives.ArchiveCase;
import org.microhttp.archives.ArchivePart;
import org.microhttp.archives.ArchivePeer;
import org.microhttp.archives.ArchiveRound;

/** All figures of archives beside files, on a page of its own. */
final class ArchivePage {

    private static final String HEAD = """
            # SiteArchive beside others, in full

            Made of [archive.tsv](archive.tsv) by `src/jmh/report`; what was measured on what is said
            [in short](../README.md#archives-beside-files). A row is a number of connections; where the
            descriptors did not allow that many, in brackets how many there were.

            Each figure is the median of all rounds, and in brackets the least and the most. In the tables of
            CPU time its ratio to nginx of the same round is behind it. A – is a server that failed there or
            takes no part: lighttpd takes half as many connections as it may have descriptors.

            """;

    private final ArchiveFigures figures;

    ArchivePage(ArchiveFigures figures) { this.figures = figures; }

    String text() {
        StringBuilder text = new StringBuilder(HEAD);
        Map<String, List<ArchiveCase>> kinds = ArchiveTables.kinds(figures.cases(ArchivePart.LOAD));
        kinds.forEach((kind, alike) -> {
            String shared = alike.stream().anyMatch(figures::isShared)
                    ? "The load generator has no CPU of its own.\n\n" : "";
            text.append("## ").append(Character.toUpperCase(kind.charAt(0))).append(kind.substring(1))
                    .append("\n\n").append(shared)
                    .append(table("CPU time per request, µs", alike, this::cost))
                    .append(table("requests per second", alike, this::rate))
                    .append(table("median latency, ms", alike, (asked, peer) ->
                            text(asked, peer, ArchiveRound::medianMillis)))
                    .append(table("99 % within, ms", alike, (asked, peer) ->
                            text(asked, peer, ArchiveRound::highMillis)))
                    .append(table("errors", alike, (asked, peer) -> "" + figures.errors(asked, peer)));
        });
        return text.toString().stripTrailing() + "\n";
    }

    /** What a server has in a row of a case. */
    private interface Cell { String of(ArchiveCase asked, ArchivePeer peer); }

    private String table(String title, List<ArchiveCase> cases, Cell cell) {
        List<ArchivePeer> peers = figures.peers(ArchivePart.LOAD);
        StringBuilder table = new StringBuilder(
                FileTables.head(title, peers.stream().map(ArchiveFigures::name).toList()));
        for (ArchiveCase asked : cases) {
            int reached = figures.reached(asked);
            String fewer = reached < asked.connections() ? " (" + RunFigures.whole(reached) + ")" : "";
            table.append("| ").append(RunFigures.whole(asked.connections())).append(fewer).append(" |");
            for (ArchivePeer peer : peers) {
                boolean absent = figures.of(asked).stream().noneMatch(round -> round.peer() == peer);
                table.append(" ").append(absent ? "–" : cell.of(asked, peer)).append(" |");
            }
            table.append("\n");
        }
        return table.append("\n").toString();
    }

    private String text(ArchiveCase asked, ArchivePeer peer, ToDoubleFunction<ArchiveRound> figure) {
        return RunFigures.text(figures.range(asked, peer, figure));
    }

    private String cost(ArchiveCase asked, ArchivePeer peer) {
        String own = text(asked, peer, ArchiveRound::microsPerRequest);
        var ratio = figures.ratio(asked, peer, ArchivePeer.NGINX, ArchiveRound::microsPerRequest);
        return peer == ArchivePeer.NGINX || ratio == null ? own : own + "; " + RunFigures.text(ratio);
    }

    private String rate(ArchiveCase asked, ArchivePeer peer) {
        var rate = figures.range(asked, peer, ArchiveRound::requestsPerSecond);
        if (rate == null) return "–";
        boolean one = rate.least() == rate.most();
        return one ? RunFigures.whole(rate.median()) : rate.text(RunFigures::whole);
    }
}
