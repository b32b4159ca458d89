package org.microhttp.checks.endurance;

import java.util.Arrays;
import java.util.Random;

/** What the handler does with a request, which its target tells; and so what the client may get for it. */
enum ChaosAnswer {

    INLINE(60, 200),
    ELSEWHERE(60, 200),
    LATE(30, 200),
    /** As late as is just allowed, or just not. */
    EDGE(1, 200),
    NEVER(1, 0),
    /** A copy with other fields, as a handler around another makes it. */
    COPY(15, 200),
    /** Another than was made, which is kept back. */
    INSTEAD(10, 200),
    TWICE(20, 200),
    NULL(6, 500),
    NULL_LATE(6, 500),
    FAILED(6, 500),
    FAILED_LATE(6, 500),
    THROW(6, 500),
    ERROR(6, 500),
    THROW_AFTER(8, 200),
    ELSEWHERE_THEN_THROW(4, 200),
    /** Holds the loop for some milliseconds. */
    BLOCK(1, 200),
    /** Leaves an interrupt flag behind. */
    INTERRUPT(6, 200),
    BLOCKING(10, 200),
    BLOCKING_THROW(6, 500),
    /** Asks for the connection to be closed. */
    CLOSE(4, 200);

    private static final int WEIGHTS = Arrays.stream(values()).mapToInt(answer -> answer.weight).sum();

    /** 0 for none until the server gives up. */
    final int status;
    private final int weight;

    ChaosAnswer(int weight, int status) {
        this.weight = weight;
        this.status = status;
    }

    /** The more weight one has, the more often it is chosen. */
    static ChaosAnswer random(Random random) {
        int at = random.nextInt(WEIGHTS);
        int i = 0;
        while (at >= values()[i].weight) {
            at -= values()[i].weight;
            i++;
        }
        return values()[i];
    }
}
