package org.microhttp.report;

import java.util.List;
import org.microhttp.archives.ArchiveCase;
import org.microhttp.archives.ArchiveComparison;
import org.microhttp.archives.ArchivePart;
import org.microhttp.archives.ArchivePeer;
import org.microhttp.archives.ArchiveRound;

/** The figures of the benchmark of archives. */
final class ArchiveFigures extends RunFigures<ArchiveCase, ArchivePeer, ArchiveRound> {

    final ArchiveComparison result;

    ArchiveFigures(ArchiveComparison result) {
        super(result.rounds());
        this.result = result;
    }

    List<ArchiveCase> cases(ArchivePart part) {
        return cases().stream().filter(asked -> asked.part() == part).toList();
    }

    List<ArchivePeer> peers(ArchivePart part) {
        return result.rounds().stream().filter(round -> round.asked().part() == part)
                .map(ArchiveRound::peer).distinct().sorted().toList();
    }

    /** How many connections there were in fact. */
    int reached(ArchiveCase asked) {
        return of(asked).stream().mapToInt(ArchiveRound::reached).max().orElse(0);
    }

    /** Whether the load generator had no CPU that the server did not have. */
    boolean isShared(ArchiveCase asked) { return of(asked).stream().anyMatch(ArchiveRound::shared); }

    long errors(ArchiveCase asked, ArchivePeer peer) {
        return of(asked).stream().filter(round -> round.peer() == peer).mapToLong(ArchiveRound::errors).sum();
    }

    static String name(ArchivePeer peer) { return peer.isJava() ? "**" + peer.title + "**" : peer.title; }

    /** As the head of a row or column of a table. */
    static String kind(ArchiveCase asked) {
        String threads = asked.threads() == 1 ? " thread" : " threads";
        return asked.content().title + ", " + asked.threads() + threads;
    }
}
