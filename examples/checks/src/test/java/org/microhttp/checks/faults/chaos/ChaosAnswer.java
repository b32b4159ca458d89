package org.microhttp.checks.faults.chaos;

import java.util.Random;

/** What the handler does with a request, which its target tells; and so what the client may get for it. */
enum ChaosAnswer implements ChaosWeighted {

    INLINE(60, Outcome.ANSWER),
    ELSEWHERE(60, Outcome.ANSWER),
    LATE(30, Outcome.ANSWER),
    /** As late as is just allowed, or just not. */
    EDGE(1, Outcome.ANSWER),
    NEVER(1, Outcome.NOTHING),
    /** A copy with other fields, as a handler around another makes it. */
    COPY(15, Outcome.ANSWER),
    /** Another than was made, which is kept back. */
    INSTEAD(10, Outcome.ANSWER),
    TWICE(10, Outcome.ANSWER),
    TWICE_ELSEWHERE(10, Outcome.ANSWER),
    NULL(6, Outcome.FAILURE),
    NULL_LATE(6, Outcome.FAILURE),
    FAILED(6, Outcome.FAILURE),
    FAILED_LATE(6, Outcome.FAILURE),
    THROW(6, Outcome.FAILURE),
    ERROR(6, Outcome.FAILURE),
    THROW_AFTER(8, Outcome.ANSWER),
    ELSEWHERE_THEN_THROW(4, Outcome.ANSWER),
    /** Holds the loop for some milliseconds. */
    BLOCK(1, Outcome.ANSWER),
    /** Leaves an interrupt flag behind. */
    INTERRUPT(6, Outcome.ANSWER),
    BLOCKING(10, Outcome.ANSWER),
    BLOCKING_THROW(6, Outcome.FAILURE),
    /** Asks for the connection to be closed. */
    CLOSE(4, Outcome.ANSWER);

    /** A 200, a 500, or nothing until the server gives up. */
    enum Outcome { ANSWER, FAILURE, NOTHING }

    final Outcome outcome;
    private final int weight;

    ChaosAnswer(int weight, Outcome outcome) {
        this.weight = weight;
        this.outcome = outcome;
    }

    static ChaosAnswer random(Random random) {
        return ChaosWeighted.random(values(), random);
    }

    @Override
    public int weight() {
        return weight;
    }
}
