package org.microhttp;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The time of a loop's turn: the clock is read when it is first asked for, and when the turn ends. Others see
 * when that was: the loop's thread alone writes it, in opaque mode, as {@link Counters} are written.
 */
final class TurnClock {

    /** No time of a turn. */
    static final long NONE = Long.MIN_VALUE;

    private final Clock clock;

    /** When the present turn began, or {@link #NONE} while the loop sleeps; and how long the longest took. */
    final AtomicLong turn = new AtomicLong(NONE), longest = new AtomicLong();

    TurnClock(Clock clock) { this.clock = clock; }

    /** What time it is, whenever that is asked; from any thread. */
    long read() { return clock.nanoTime(); }

    /** The time of this turn, which begins with the first who asks. */
    long now() {
        if (turn.getPlain() == NONE) turn.setOpaque(read());
        return turn.getPlain();
    }

    /** Ends a turn, before the loop waits for its sockets, and says what time it is by then. */
    long endTurn() {
        long time = read();
        // one in which nobody has asked begins here, behind its end, and counts for nothing
        longest.setOpaque(Math.max(longest.getPlain(), time - now()));
        turn.setOpaque(NONE);
        return time;
    }
}
