package org.microhttp.checks.endurance.scale;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.microhttp.simulation.network.SimulatedSelector;
import org.microhttp.simulation.network.Witness;

/** The CPU time of the calling thread in each part of a life, and in the longest turn of some. */
final class Meter implements Witness {

    /** The parts of a life whose cost is of interest. */
    enum Part {

        /** All connections are accepted. */
        ACCEPTING(false),

        /** Turns in which nothing is due. */
        IDLE_TURNS(false),

        /** One connection in ten asks a request within a minute, each in a turn of its own. */
        ASKING(false),

        /** One turn takes longer than a tick, so that all connections are looked at. */
        LONG_TURN(true),

        /** Ticks in which one deadline fires. */
        ORDINARY_TICKS(false),

        /** The deadlines of nine connections in ten fire at the same time, in as many turns as that takes. */
        MOST_DEADLINES(true),

        /** The server leaves, and all connections are idle. */
        LEAVING(true);

        /** Whether its turns are worth a look at the clock, which costs as much as a small turn. */
        final boolean hasLongTurns;

        Part(boolean hasLongTurns) {
            this.hasLongTurns = hasLongTurns;
        }
    }

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final long[] total = new long[Part.values().length];
    private final long[] longest = new long[Part.values().length];
    private Part part;
    private long partBegan;
    private long turnBegan;

    /** What follows belongs to this part; to none, with null. */
    void enter(Part next) {
        long now = cpu();
        if (part != null) total[part.ordinal()] += now - partBegan;
        part = next;
        partBegan = now;
    }

    /** In nanoseconds. */
    long total(Part asked) {
        return total[asked.ordinal()];
    }

    /** In nanoseconds. */
    long longestTurn(Part asked) {
        return longest[asked.ordinal()];
    }

    private static long cpu() {
        return THREADS.getCurrentThreadCpuTime();
    }

    private boolean watchesTurns() {
        return part != null && part.hasLongTurns;
    }

    @Override
    public void onTurnBegin(SimulatedSelector selector) {
        if (watchesTurns()) turnBegan = cpu();
    }

    @Override
    public void onTurnEnd(SimulatedSelector selector) {
        if (!watchesTurns()) return;
        int index = part.ordinal();
        longest[index] = Math.max(longest[index], cpu() - turnBegan);
    }

    /** What follows the last turn is part of it. */
    @Override
    public void onEnd(SimulatedSelector selector) {
        onTurnEnd(selector);
    }
}
