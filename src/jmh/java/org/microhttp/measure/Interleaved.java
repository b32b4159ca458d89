package org.microhttp.measure;

import java.util.Collections;
import java.util.List;

/** Rounds that each go through all servers, beginning with another one each time. */
public interface Interleaved<S> {

    void measure(S server, int round);

    /** So whatever else the machine does meets all alike, and figures of the same round can be compared. */
    static <S> void run(List<S> servers, int rounds, Interleaved<S> one) {
        for (int round = 1; round <= rounds; round++) {
            for (S server : servers) one.measure(server, round);
            Collections.rotate(servers, -1);
        }
    }
}
