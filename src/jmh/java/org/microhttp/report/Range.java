package org.microhttp.report;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.DoubleFunction;

/** The median of some values, and the extremes. */
public record Range(double median, double least, double most) {

    /** Null without a value. */
    public static Range of(double[] values) {
        if (values.length == 0) return null;
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int last = sorted.length - 1;
        return new Range((sorted[last / 2] + sorted[(last + 1) / 2]) / 2, sorted[0], sorted[last]);
    }

    /** The median, and the extremes in brackets. */
    String whole(DoubleFunction<String> form) {
        return form.apply(median) + " (" + form.apply(least) + "–" + form.apply(most) + ")";
    }

    /** Likewise; one value has no extremes, and none is a dash. */
    static String text(Range range, DoubleFunction<String> form) {
        if (range == null) return "–";
        return range.least == range.most ? form.apply(range.median) : range.whole(form);
    }

    static String text(Range range) { return text(range, Range::text); }

    /** The extremes alone, once if they are alike. */
    static String extremes(Range range) {
        if (range == null) return "–";
        String least = text(range.least), most = text(range.most);
        return least.equals(most) ? least : least + "–" + most;
    }

    /** Three digits that count, but no more than two behind the point. */
    static String text(double value) {
        if (value < 9.995) return text(value, 2);
        return text(value, value < 99.95 ? 1 : 0);
    }

    public static String text(double value, int digits) {
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }

    /** A rate or a number, with thousands set apart. */
    static String grouped(double value) { return String.format(Locale.ROOT, "%,.0f", value); }
}
