package org.microhttp.report;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.microhttp.files.FileCase;
import org.microhttp.files.FileComparison;
import org.microhttp.files.FilePart;
import org.microhttp.files.FilePeer;
import org.microhttp.files.FileRound;
import org.microhttp.report.Figures.Range;

/**
 * The figures of the benchmark of files: medians over the rounds, and ratios, each of two runs of the same
 * round. A server that had errors in a case has no figure there.
 */
final class FileFigures {

    final FileComparison result;

    FileFigures(FileComparison result) { this.result = result; }

    List<FileCase> cases() { return result.rounds().stream().map(FileRound::asked).distinct().toList(); }

    List<FileCase> cases(FilePart part) {
        return cases().stream().filter(asked -> asked.part() == part).toList();
    }

    List<FilePeer> peers() {
        return result.rounds().stream().map(FileRound::peer).distinct().sorted().toList();
    }

    List<FilePeer> peers(FilePart part) {
        return result.rounds().stream().filter(round -> round.asked().part() == part)
                .map(FileRound::peer).distinct().sorted().toList();
    }

    /** How many connections there were in fact. */
    int reached(FileCase asked) {
        return result.rounds().stream().filter(round -> round.asked().equals(asked))
                .mapToInt(FileRound::reached).max().orElse(0);
    }

    private List<FileRound> rounds(FileCase asked, FilePeer peer) {
        List<FileRound> rounds = result.rounds().stream()
                .filter(round -> round.asked().equals(asked) && round.peer() == peer).toList();
        return rounds.stream().allMatch(FileRound::isValid) ? rounds : List.of();
    }

    /** Null without a valid figure. */
    Range range(FileCase asked, FilePeer peer, ToDoubleFunction<FileRound> figure) {
        List<FileRound> rounds = rounds(asked, peer);
        return rounds.isEmpty() ? null : Range.of(rounds.stream().mapToDouble(figure).toArray());
    }

    /** Null without a round in which both have a valid figure. */
    Range ratio(FileCase asked, FilePeer peer, FilePeer other, ToDoubleFunction<FileRound> figure) {
        Map<Integer, Double> others = rounds(asked, other).stream()
                .collect(Collectors.toMap(FileRound::round, figure::applyAsDouble));
        double[] ratios = rounds(asked, peer).stream().filter(round -> others.containsKey(round.round()))
                .mapToDouble(round -> figure.applyAsDouble(round) / others.get(round.round())).toArray();
        return ratios.length == 0 ? null : Range.of(ratios);
    }

    /** A range as the tables have it; one round is no range. */
    static String text(Range range) {
        if (range == null) return "–";
        boolean one = range.least() == range.most();
        return one ? Figures.text(range.median()) : range.text(Figures::text);
    }

    /** A rate, with thousands set apart. */
    static String whole(double value) { return String.format(Locale.ROOT, "%,.0f", value); }
}
