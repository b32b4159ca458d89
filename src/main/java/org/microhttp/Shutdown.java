package org.microhttp;

/**
 * Whether and how a loop is ending: stopped, so that no request is taken any more; or leaving, so that what
 * is here may finish until a time. While it leaves, a connection that waits for a request, or for what is
 * discarded, is closed when for a second nothing was read or written that counts. Other threads may set
 * {@link #stopped} and ask {@link #leaving}; all else is for the loop's alone.
 */
final class Shutdown {

    /** How long a loop that leaves waits for what a proxy may be sending, on what was used so recently. */
    private static final long STAY = 1_000_000_000L;

    /** Whether no request is taken any more; set from any thread. */
    volatile boolean stopped;

    /** Whether no connection is wanted any more; asked from any thread. */
    volatile boolean leaving;

    /** Whether an interrupt asked for it. */
    boolean interrupted;

    /** Until when it may leave. */
    private long until;

    /** Whether no request is taken any more. Puts an interrupt flag aside, which would close files. */
    boolean checkStop() {
        if (Thread.interrupted()) {
            interrupted = true;
            stopped = true;
        }
        return stopped;
    }

    /** Begins to leave; the earlier end holds. True for the first time. */
    boolean leave(long end) {
        boolean first = !leaving;
        if (first || end - until < 0) until = end;
        leaving = true;
        return first;
    }

    /** How much time is left to a loop that leaves, and how long it may sleep: 0 or more nanoseconds. */
    long nanosLeft(long now) { return leaving ? Math.max(0, until - now) : Long.MAX_VALUE; }

    /** When a connection that is idle is closed: at a deadline of its own, or earlier if the loop leaves. */
    long deadline(ClientSocket idle, long own) {
        return leaving ? Scheduler.earlier(idle.lastActive + STAY, own) : own;
    }
}
