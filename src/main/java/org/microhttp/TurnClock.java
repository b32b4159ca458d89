package org.microhttp;

/**
 * The time of a loop's turn: the clock is read when it is first asked for, and when the turn ends. Others see
 * when that was, but the loop's thread alone writes it.
 */
final class TurnClock {

    /** No time of a turn. */
    static final long NONE = Long.MIN_VALUE;

    private final Clock clock;

    /** When the present turn began, or {@link #NONE} while the loop sleeps; and how long the longest took. */
    volatile long turn = NONE, longest;

    TurnClock(Clock clock) { this.clock = clock; }

    /** What time it is, whenever that is asked; from any thread. */
    long read() { return clock.nanoTime(); }

    /** The time of this turn, which begins with the first who asks. */
    long now() {
        if (turn == NONE) turn = read();
        return turn;
    }

    /** Ends a turn, before the loop waits for its sockets, and says what time it is by then. */
    long endTurn() {
        long time = read();
        // one in which nobody has asked begins here, behind its end, and counts for nothing
        longest = Math.max(longest, time - now());
        turn = NONE;
        return time;
    }
}
