package org.microhttp.report;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.microhttp.measure.MeasuredRun;
import org.microhttp.report.Figures.Range;

/**
 * The figures of servers in cases: medians over the rounds, and ratios, each of two runs of the same round. A
 * server that had errors in a case has no figure there.
 */
class RunFigures<C, P, R extends MeasuredRun<C, P>> {

    private final List<R> rounds;

    RunFigures(List<R> rounds) { this.rounds = rounds; }

    List<C> cases() { return rounds.stream().map(MeasuredRun::asked).distinct().toList(); }

    List<P> peers() { return rounds.stream().map(MeasuredRun::peer).distinct().sorted().toList(); }

    List<R> of(C asked) { return rounds.stream().filter(round -> round.asked().equals(asked)).toList(); }

    /** None, if one of them is not valid. */
    List<R> valid(C asked, P peer) {
        List<R> own = of(asked).stream().filter(round -> round.peer().equals(peer)).toList();
        return own.stream().allMatch(MeasuredRun::isValid) ? own : List.of();
    }

    /** Null without a valid figure. */
    Range range(C asked, P peer, ToDoubleFunction<R> figure) {
        List<R> own = valid(asked, peer);
        return own.isEmpty() ? null : Range.of(own.stream().mapToDouble(figure).toArray());
    }

    /** Of each round in which both have a valid figure. */
    double[] ratios(C asked, P peer, P other, ToDoubleFunction<R> figure) {
        Map<Integer, Double> others = valid(asked, other).stream()
                .collect(Collectors.toMap(MeasuredRun::round, figure::applyAsDouble));
        return valid(asked, peer).stream().filter(round -> others.containsKey(round.round()))
                .mapToDouble(round -> figure.applyAsDouble(round) / others.get(round.round())).toArray();
    }

    /** Null without such a round. */
    Range ratio(C asked, P peer, P other, ToDoubleFunction<R> figure) {
        double[] ratios = ratios(asked, peer, other, figure);
        return ratios.length == 0 ? null : Range.of(ratios);
    }

    /** The least and the most of the medians of several cases. */
    String extremes(List<C> cases, P peer, P other, ToDoubleFunction<R> figure) {
        double[] medians = cases.stream().map(asked -> ratio(asked, peer, other, figure))
                .filter(range -> range != null).mapToDouble(Range::median).toArray();
        if (medians.length == 0) return "–";
        Range range = Range.of(medians);
        String least = Figures.text(range.least()), most = Figures.text(range.most());
        return least.equals(most) ? least : least + "–" + most;
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
