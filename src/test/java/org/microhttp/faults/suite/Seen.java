package org.microhttp.faults.suite;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.microhttp.faults.tools.Probe;

/**
 * What a client saw.
 *
 * @param nanos  how long each request took, the shortest first
 * @param errors what was wrong, for each request that failed
 */
public record Seen(long[] nanos, List<String> errors) {

    static final Seen NOTHING = new Seen(new long[0], List.of());

    Seen and(Seen other) {
        var both = new ArrayList<>(errors);
        both.addAll(other.errors);
        LongStream all = LongStream.concat(Arrays.stream(nanos), Arrays.stream(other.nanos));
        return new Seen(all.sorted().toArray(), both);
    }

    public int requests() {
        return nanos.length;
    }

    /** In microseconds; 0 if nothing was asked. */
    public long percentile(double percent) {
        return nanos.length == 0 ? 0 : Probe.percentile(nanos, percent);
    }
}
