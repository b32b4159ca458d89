package org.microhttp.simulation;

/** When the server looked at the clock in a turn, first and last: for all it knows, it was busy meanwhile. */
final class ClockReadings {

    private static final long NEVER = -1;

    private Thread thread;
    private long first = NEVER, last, longest;

    /** The server looks at the clock. */
    void onLook(long now) {
        // that of another loop, which has not slept yet
        if (Thread.currentThread() != thread) onTurn();
        thread = Thread.currentThread();
        last = now;
        if (first == NEVER) first = now;
    }

    /** When the last was. */
    long last() {
        return last;
    }

    /** A turn is over, or begins. */
    void onTurn() {
        if (first != NEVER) longest = Math.max(longest, last - first);
        first = NEVER;
    }

    /** The longest of all turns. */
    long longest() {
        onTurn();
        return longest;
    }
}
