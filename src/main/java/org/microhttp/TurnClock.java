package org.microhttp;

/** The time of a loop's turn: the clock is read when it is first asked for, and when the turn ends. */
final class TurnClock {

    private final Clock clock;
    private final Counters counters;
    private long now;

    /** Whether the loop sleeps, so that the next who asks begins a turn. */
    private boolean asleep = true;

    TurnClock(Clock clock, Counters counters) {
        this.clock = clock;
        this.counters = counters;
    }

    /** What time it is, whenever that is asked; from any thread. */
    long read() { return clock.nanoTime(); }

    /** The time of this turn. */
    long now() {
        if (asleep) {
            now = read();
            counters.turnBegins(now);
            asleep = false;
        }
        return now;
    }

    /** Ends a turn, before the loop waits for its sockets, and says what time it is by then. */
    long endTurn() {
        long time = read();
        if (!asleep) counters.turnEnds(time);
        asleep = true;
        return time;
    }
}
