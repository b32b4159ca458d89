package org.microhttp.checks.faults.chaos;

import java.util.Arrays;
import java.util.Random;

/** One of several things, which is chosen more often the more weight it has. */
interface ChaosWeighted {

    int weight();

    static <T extends ChaosWeighted> T random(T[] all, Random random) {
        int at = random.nextInt(Arrays.stream(all).mapToInt(ChaosWeighted::weight).sum());
        int i = 0;
        while (at >= all[i].weight()) {
            at -= all[i].weight();
            i++;
        }
        return all[i];
    }
}
