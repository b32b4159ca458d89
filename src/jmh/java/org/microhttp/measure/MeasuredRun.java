package org.microhttp.measure;

import java.io.IOException;

/** A server in one round of a case. Figures of the same round can be compared. */
public interface MeasuredRun<C, P> {

    /** What makes one. */
    interface Once<R> { R run() throws IOException; }

    C asked();

    P peer();

    int round();

    double seconds();

    /** CPU time of what else ran on the machine meanwhile, in seconds. */
    double others();

    /** Whether it answered, and answered all. */
    boolean isValid();

    default String disturbance() { return CpuMeter.disturbance(seconds(), others()); }

    /** One that is run again, unless it is long, if others disturbed it; the less disturbed counts. */
    static <R extends MeasuredRun<?, ?>> R quiet(boolean isLong, Once<R> once) throws IOException {
        R run = once.run();
        if (isLong || !CpuMeter.isDisturbed(run.seconds(), run.others())) return run;
        R other = once.run();
        return other.others() < run.others() ? other : run;
    }
}
