package org.microhttp.measure;

import java.io.IOException;

/**
 * Load on a JVM until it is warm: its compiler shares the CPU with what is measured, so it has to be done
 * before a figure counts.
 */
public final class Warmth {

    /** What puts load on it for a second. */
    public interface Second { void load() throws IOException; }

    /** A JVM is warm when its compiler took less than this share of a second under load. */
    private static final double COMPILED = 0.03;

    private Warmth() { }

    /**
     * For so many seconds at least, and so many at most, since some code is never compiled for good.
     *
     * @param compilers  the CPU time of the threads that compile
     */
    public static void reach(int least, int most, CpuMeter.Timed compilers, Second second)
            throws IOException {
        for (int passed = 1; passed <= most; passed++) {
            CpuTime before = compilers.time();
            second.load();
            double compiling = compilers.time().minus(before).total();
            // less than nothing: a thread has ended, which does so when it has nothing to do
            if (passed >= least && compiling < COMPILED) break;
        }
    }
}
