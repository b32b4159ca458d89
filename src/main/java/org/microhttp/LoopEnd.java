package org.microhttp;

import java.util.concurrent.*;

/**
 * Whether and when a loop ends. A stopped loop takes no more requests. A leaving loop, in a graceful stop,
 * finishes pending requests until a time, and closes idle connections, see {@link #idleDeadline}.
 * <p>
 * Only the loop's thread uses it, except that any thread may set {@link #stopped}, read it and
 * {@link #leaving}, and use {@link #done}.
 */
final class LoopEnd {

    /** In a graceful stop a connection used so recently stays open, for a proxy may be sending on it. */
    private static final long STAY = 1_000_000_000L;

    /** Whether no more requests are taken; whether the loop leaves or ends, so others hand nothing over. */
    volatile boolean stopped, leaving;

    /** Whether an interrupt asked for the end. */
    boolean interrupted;

    /** The latest end of a leaving loop. */
    long until;

    /** Completes when the loop has ended and everything is closed; fails with what the start throws. */
    final CompletableFuture<Void> done = new CompletableFuture<>();

    /**
     * Treats an interrupt as a stop; clears its flag, which would close files. True if this stops the loop.
     */
    boolean noticeInterrupt() {
        if (!Thread.interrupted()) return false;
        boolean first = !stopped;
        interrupted = true;
        stopped = true;
        return first;
    }

    /** Sets the end of a graceful stop that begins, or moves it earlier. */
    void leaveUntil(long end) {
        if (!leaving || end - until < 0) until = end;
    }

    /**
     * Returns when an idle connection is closed: at its own deadline, or in a graceful stop a second after
     * its last use, if that is earlier. A connection is idle in the states IDLE and LINGERING.
     * {@code EventLoop.beginLeaving} has each connection take a turn, at whose end {@code Connection.settle}
     * sets this deadline; when it has passed, {@code Timeouts.giveUp} reads once more, and closes the
     * connection if no request has come.
     */
    long idleDeadline(long lastActive, long own) {
        return leaving ? Scheduler.earlier(lastActive + STAY, own) : own;
    }

    /** Waits for an end, at most so long; returns whether it has come. */
    static boolean await(CompletableFuture<Void> end, long nanos) throws InterruptedException {
        try {
            end.get(nanos, TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            // start() throws what has failed
        } catch (TimeoutException e) {
            return false;
        }
        return true;
    }
}
