package org.microhttp.versions;

import java.util.Arrays;

/**
 * The mean of the ratios of all rounds, and half the width of its interval of 95 %. The mean is taken of
 * their logarithms, so that a ratio and its inverse weigh the same; the interval is by Student's t.
 */
record Ratio(double mean, double halfWidth) {

    /** What decides nothing: with fewer rounds the interval is a guess. */
    private static final int LEAST_ROUNDS = 5;

    /** The 97.5 % quantile of the normal distribution. */
    private static final double Z = 1.959964;

    static Ratio of(double[] ratios) {
        double[] logarithms = Arrays.stream(ratios).map(Math::log).toArray();
        double mean = Arrays.stream(logarithms).average().orElseThrow();
        double squares = Arrays.stream(logarithms).map(value -> (value - mean) * (value - mean)).sum();
        double width = Double.POSITIVE_INFINITY;
        if (ratios.length >= LEAST_ROUNDS) {
            int freedom = ratios.length - 1;
            width = t(freedom) * Math.sqrt(squares / freedom / ratios.length);
        }
        return new Ratio(Math.exp(mean), Math.exp(mean) * Math.sinh(width));
    }

    /** Student's quantile of 97.5 %, from the normal one: exact to three digits from four degrees on. */
    private static double t(int freedom) {
        double z3 = Math.pow(Z, 3), z5 = Math.pow(Z, 5), z7 = Math.pow(Z, 7);
        return Z + (z3 + Z) / (4 * freedom) + (5 * z5 + 16 * z3 + 3 * Z) / (96 * Math.pow(freedom, 2))
                + (3 * z7 + 19 * z5 + 17 * z3 - 15 * Z) / (384 * Math.pow(freedom, 3));
    }

    /** Whether it keeps a limit; undecided where the interval is wider than this on either side. */
    String verdict(double limit, double mostHalfWidth) {
        if (halfWidth > mostHalfWidth) return "undecided";
        return mean <= limit ? "met" : "missed";
    }
}
