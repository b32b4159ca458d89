package org.microhttp.report;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.microhttp.compare.Comparison;
import org.microhttp.compare.Peer;
import org.microhttp.compare.Round;
import org.microhttp.compare.Scenario;

/**
 * The figures that tables and charts have in common: medians over the rounds, and ratios to the floor, each
 * of two runs of the same round. A server that had errors, or misses a round, has no figure in that scenario.
 */
final class Figures {

    /** The median over the rounds, and the extremes. */
    record Range(double median, double least, double most) {

        static Range of(double[] values) {
            double[] sorted = values.clone();
            Arrays.sort(sorted);
            int last = sorted.length - 1;
            return new Range((sorted[last / 2] + sorted[(last + 1) / 2]) / 2, sorted[0], sorted[last]);
        }

        String text(DoubleFunction<String> form) {
            return form.apply(median) + " (" + form.apply(least) + "–" + form.apply(most) + ")";
        }
    }

    /** The share of a CPU that a server takes which is at its limit. */
    private static final double BUSY = 0.95;

    final Comparison result;

    Figures(Comparison result) { this.result = result; }

    List<Scenario> scenarios() {
        return result.rounds().stream().map(Round::scenario).distinct().sorted().toList();
    }

    List<Peer> peers() {
        return result.rounds().stream().map(Round::peer).distinct().sorted().toList();
    }

    /** Null without a valid figure. */
    Range range(Scenario scenario, Peer peer, ToDoubleFunction<Round> figure) {
        List<Round> rounds = rounds(scenario, peer);
        return rounds.isEmpty() ? null : Range.of(rounds.stream().mapToDouble(figure).toArray());
    }

    /** Null without a valid figure of the server and of the floor. */
    Range ratio(Scenario scenario, Peer peer, ToDoubleFunction<Round> figure) {
        Map<Integer, Double> floor = rounds(scenario, Peer.FLOOR).stream()
                .collect(Collectors.toMap(Round::round, figure::applyAsDouble));
        List<Round> rounds = rounds(scenario, peer);
        if (floor.isEmpty() || rounds.isEmpty()) return null;
        return Range.of(rounds.stream()
                .mapToDouble(round -> figure.applyAsDouble(round) / floor.get(round.round())).toArray());
    }

    private List<Round> rounds(Scenario scenario, Peer peer) {
        List<Round> all =
                result.rounds().stream().filter(round -> round.scenario() == scenario).toList();
        List<Round> own = all.stream().filter(round -> round.peer() == peer).toList();
        boolean valid = own.size() == all.stream().mapToInt(Round::round).distinct().count()
                && own.stream().allMatch(round -> round.errors() == 0);
        return valid ? own : List.of();
    }

    /** Whether it had CPU to spare: then the load generator was the limit, not the server. */
    boolean isIdle(Scenario scenario, Peer peer) {
        Range busy = range(scenario, peer, round -> (round.user() + round.system()) / round.seconds());
        return busy != null && busy.median < BUSY;
    }

    /** Three digits that count, but no more than two behind the point. */
    static String text(double value) {
        if (value < 9.995) return text(value, 2);
        return text(value, value < 99.95 ? 1 : 0);
    }

    static String text(double value, int digits) {
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }
}
