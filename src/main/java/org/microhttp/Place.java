package org.microhttp;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A place among the pending requests. When a connection closes, the handler still works, so the place
 * outlasts the connection: the scheduler then releases it when the handler's time has passed, unless the
 * handler responds first. While the connection is open, the connection's own deadline releases it. A task of
 * {@link BlockingHandler} may take it over.
 */
final class Place extends Scheduler.Entry {

    private final TaskQueue tasks;
    private final Scheduler scheduler;
    private final Budget places;
    private final long handlerTimeout;

    /** Who has it: an exchange, then perhaps a task. */
    private Exchange exchange;
    private BlockingHandler.Task task;

    /** The end of the handler's time; of a task's place, when it is looked at. */
    private long until;

    /** Once the loop has ended, several threads may release it. */
    private final AtomicBoolean released = new AtomicBoolean();

    Place(Exchange exchange, LoopContext loop) {
        this.exchange = exchange;
        tasks = loop.tasks;
        scheduler = loop.scheduler;
        places = loop.group.requests;
        handlerTimeout = loop.handlerTimeout;
        restart(loop);
    }

    /** Begins the handler's time. */
    void restart(LoopContext loop) { until = loop.now() + handlerTimeout; }

    /** Files the place with the scheduler, because its connection is closed and the handler still works. */
    void outlast() { scheduler.schedule(this, until); }

    /** Has a task keep the place, until it is run or {@link BlockingHandler.Task#isDoubtful}. */
    void passTo(BlockingHandler.Task waiting) {
        exchange = null;
        task = waiting;
        until += handlerTimeout;
        outlast();
    }

    void release() {
        if (released.getAndSet(true)) return;
        cancelDeadline();
        places.release(1);
    }

    /** Releases the place of a task. Any thread may call it. */
    void releaseLater() {
        // the loop may have ended, and not look at it any more
        if (!tasks.add(this::releaseTaken)) release();
    }

    private void releaseTaken() {
        task = null;
        release();
    }

    @Override
    void onDeadline() {
        if (task == null) {
            exchange.releasePlace();
        } else if (task.isDoubtful()) {
            releaseTaken();
        } else {
            until += handlerTimeout;
            outlast();
        }
    }
}
