package org.microhttp.report;

import java.util.Arrays;

/** The mean of some rounds, and where 95 of 100 such intervals have the mean of all that there could be. */
record Interval(double mean, double low, double high) {

    /** Student's t for 95 %, with 1 to 30 degrees of freedom; with more it is hardly less. */
    private static final double[] STUDENT = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262,
            2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069,
            2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};

    /** Of one value there is no interval. */
    static Interval of(double[] values) {
        double mean = Arrays.stream(values).average().orElseThrow();
        int freedom = values.length - 1;
        if (freedom == 0) return new Interval(mean, mean, mean);
        double squares = Arrays.stream(values).map(value -> (value - mean) * (value - mean)).sum();
        double error = Math.sqrt(squares / freedom / values.length);
        double half = STUDENT[Math.min(freedom, STUDENT.length) - 1] * error;
        return new Interval(mean, mean - half, mean + half);
    }

    String text() {
        return low == high ? Figures.text(mean)
                : Figures.text(mean) + " (" + Figures.text(low) + "–" + Figures.text(high) + ")";
    }
}
