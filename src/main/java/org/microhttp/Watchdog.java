package org.microhttp;

import java.time.Duration;

/**
 * A thread that reports a turn of a loop that takes too long, because a handler blocks for example: once,
 * with the stack of the loop's thread at that moment. It checks about four times per limit, and ends with the
 * loop.
 */
final class Watchdog implements Runnable {

    private final LoopContext context;
    private final Thread watched = Thread.currentThread();
    private final long limit;

    /** Watches the loop that the calling thread runs. */
    Watchdog(LoopContext context, Duration limit) {
        this.context = context;
        this.limit = limit.toNanos();
        var thread = new Thread(this, watched.getName() + "-watchdog");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void run() {
        long reported = LoopClock.NONE;
        try {
            while (!LoopEnd.await(context.end.done, limit / 4)) {
                long turn = context.clock.turnBegan;
                long nanos = context.clock.nanoTime() - turn;
                if (turn == LoopClock.NONE || turn == reported || nanos < limit) continue;
                reported = turn;
                var stack = new IllegalStateException("the loop's thread is busy here");
                stack.setStackTrace(watched.getStackTrace());
                // if the turn has ended meanwhile, the stack may be of another turn
                boolean same = context.clock.turnBegan == turn;
                if (same) context.log.report(Event.LOOP_BLOCKED, nanos / 1_000_000, stack);
            }
        } catch (InterruptedException e) {
            // only a logger can have interrupted it
        }
    }
}
