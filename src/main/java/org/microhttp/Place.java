package org.microhttp;

import java.util.concurrent.atomic.AtomicBoolean;
import org.microhttp.protocol.Budget;

/**
 * The place of an abandoned request among the pending requests: the handler may still work, so the place
 * outlasts the connection. The scheduler releases it when the handler's time has passed, unless the handler
 * responds first. A task of {@link BlockingHandler} may take it over. While a client waits, the place is a
 * flag of its {@link PendingRequest}, and the connection's own deadline releases it.
 */
final class Place extends Scheduler.Entry {

    /** The owner of a place: an exchange, then perhaps a task. */
    interface Holder {

        /** Gives the place up, because its time has passed; false if the holder still needs it. */
        boolean giveUp();
    }

    private final TaskQueue tasks;
    private final Scheduler scheduler;
    private final Budget places;
    private final long handlerTimeout;

    private Holder holder;

    /** The end of the handler's time; for a task's place, when the task is asked again. */
    private long until;

    /** Once the loop has ended, several threads may release it. */
    private final AtomicBoolean released = new AtomicBoolean();

    /** Makes a place that was taken from a budget, of a request whose handler was called at a time. */
    Place(Holder holder, TaskQueue tasks, Scheduler scheduler, Budget places, long handlerTimeout,
            long called) {
        this.holder = holder;
        this.tasks = tasks;
        this.scheduler = scheduler;
        this.places = places;
        this.handlerTimeout = handlerTimeout;
        until = called + handlerTimeout;
    }

    /** Files the place with the scheduler: no client waits, and the handler, or a task, still works. */
    void outlast() { scheduler.schedule(this, until); }

    /** Has another holder keep the place, until it releases the place or gives it up. */
    void passTo(Holder other) {
        assert !released.get();
        holder = other;
        until += handlerTimeout;
        outlast();
    }

    void release() {
        if (released.getAndSet(true)) return;
        cancelDeadline();
        places.release(1);
    }

    /** Releases it by a task. Any thread may call it. */
    void releaseLater() {
        // the loop may have ended, and not look at it any more
        if (!tasks.add(this::leave)) release();
    }

    private void leave() {
        holder = null;
        release();
    }

    @Override
    void onDeadline() {
        if (holder.giveUp()) {
            leave();
        } else {
            until += handlerTimeout;
            outlast();
        }
    }
}
