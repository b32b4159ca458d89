package org.microhttp.measure;

import java.util.Arrays;
import java.util.Locale;

/** The median of some values, and the extremes. */
public record Range(double median, double least, double most) {

    public static Range of(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int last = sorted.length - 1;
        return new Range((sorted[last / 2] + sorted[(last + 1) / 2]) / 2, sorted[0], sorted[last]);
    }

    public static String text(double value, int digits) {
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }
}
