package org.microhttp;

/**
 * A place among the pending requests. When a connection closes, the handler still works, so the place
 * outlasts the connection: the scheduler then releases it when the handler's time has passed, unless the
 * handler responds first. While the connection is open, the connection's own deadline releases it.
 */
final class Place extends Scheduler.Entry {

    private final Exchange exchange;
    private final Scheduler scheduler;
    private final Budget places;

    /** The end of the handler's time. */
    private long until;

    Place(Exchange exchange, LoopContext loop) {
        this.exchange = exchange;
        scheduler = loop.scheduler;
        places = loop.group.requests;
        restart(loop);
    }

    /** Begins the handler's time. */
    void restart(LoopContext loop) { until = loop.now() + loop.handlerTimeout; }

    /** Files the place with the scheduler, because its connection is closed and the handler still works. */
    void outlast() { scheduler.schedule(this, until); }

    void release() {
        cancelDeadline();
        places.release(1);
    }

    @Override
    void onDeadline() { exchange.releasePlace(); }
}
