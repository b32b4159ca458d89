package org.microhttp;

import java.time.Duration;

/**
 * Watches from a thread of its own whether a loop's turn takes too long, as it does when a handler blocks,
 * and reports such a turn once, with the stack of the loop's thread at that moment.
 */
final class Watchdog extends Thread {

    private final LoopContext loop;
    private final Thread watched = Thread.currentThread();
    private final long limit;

    /** For the loop that the calling thread runs. */
    Watchdog(LoopContext loop, Duration limit) {
        this.loop = loop;
        this.limit = limit.toNanos();
        setName(watched.getName() + "-watchdog");
        setDaemon(true);
    }

    /** Looks some four times in the limit, until the loop has ended, or interrupts it. */
    @Override
    public void run() {
        long reported = TurnClock.NONE;
        // a logger may have taken the interrupt
        while (!loop.tasks.ended) {
            try {
                Thread.sleep(limit / 4_000_000 + 1);
            } catch (InterruptedException e) {
                return;
            }
            long turn = loop.clock.turn;
            long nanos = loop.clock.read() - turn;
            if (turn == TurnClock.NONE || turn == reported || nanos < limit) continue;
            reported = turn;
            var stack = new IllegalStateException("the loop's thread is busy here");
            stack.setStackTrace(watched.getStackTrace());
            // it may have gone on meanwhile, and the stack be of another turn
            if (loop.clock.turn == turn) loop.log.blocked(nanos / 1_000_000, stack);
        }
    }
}
