package org.microhttp;

/**
 * The time of a loop. It is read when a turn of the loop begins and ends, and after a step that may have
 * taken long. Only the loop's thread uses it, but any thread may read {@link #turnBegan}, {@link
 * #longestTurn} and the clock.
 */
final class LoopClock {

    /** No time. */
    static final long NONE = Long.MIN_VALUE;

    private final Options.Clock clock;

    /** When the present turn of the loop began, {@link #NONE} between turns; how long the longest took. */
    volatile long turnBegan = NONE, longestTurn;

    /** What {@link #now} returns; {@link #NONE} if the clock must be read first. */
    private long now = NONE;

    LoopClock(Options.Clock clock) { this.clock = clock; }

    /** Returns the time. The clock is read by the first call after {@link #forget}. */
    long now() {
        if (now == NONE) now = clock.nanoTime();
        return now;
    }

    /** Has the next call of {@link #now} read the clock, because a handler or a disk may have taken long. */
    void forget() { now = NONE; }

    long nanoTime() { return clock.nanoTime(); }

    /** Begins a turn of the loop, which is awake now. */
    void beginTurn() {
        forget();
        turnBegan = now();
    }

    /** Ends a turn of the loop, and returns the time. */
    long endTurn() {
        long end = clock.nanoTime();
        if (turnBegan != NONE) longestTurn = Math.max(longestTurn, end - turnBegan);
        turnBegan = NONE;
        forget();
        return end;
    }
}
