package org.microhttp.checks.faults.chaos;

import java.util.Random;

/** How a client uses one connection. */
enum ChaosManner implements ChaosWeighted {

    /** One request after the other. */
    STEADY(30),
    /** A batch, and its answers as they come. */
    PIPELINED(40),
    /** A long batch that other threads answer. */
    DEEP(6),
    /** Large answers that block, read slowly, and behind them one that comes later and is the last. */
    LAST(30),
    EXPECT(16),
    /** A request in many pieces. */
    TRICKLE(10),
    /** A part of a request, or none; then nothing. */
    STALL(1),
    /** Reads nothing for long. */
    UNREAD(1),
    RESET(16),
    VANISH(10),
    GARBAGE(20),
    TRUNCATED(10);

    private final int weight;

    ChaosManner(int weight) {
        this.weight = weight;
    }

    static ChaosManner random(Random random) {
        return ChaosWeighted.random(values(), random);
    }

    @Override
    public int weight() {
        return weight;
    }
}
