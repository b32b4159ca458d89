package org.microhttp;

/**
 * A place among the pending requests. The handler works on, so its place outlasts a connection that closes:
 * it is filed with the scheduler then, which releases it when the handler's time has passed, unless the
 * handler responds before. While the connection is open, its own deadline sees to that.
 */
final class Place extends Scheduler.Entry {

    private final Exchange exchange;
    private final Scheduler scheduler;
    private final Budget places;

    /** When the handler's time has passed. */
    private long until;

    Place(Exchange exchange, LoopContext loop) {
        this.exchange = exchange;
        scheduler = loop.scheduler;
        places = loop.group.requests;
        restart(loop);
    }

    /** The handler's time begins. */
    void restart(LoopContext loop) { until = loop.now() + loop.handlerTimeout; }

    /** The connection is closed, and the handler has the request, perhaps for longer than its time. */
    void outlast() { scheduler.schedule(this, until); }

    void release() {
        cancelDeadline();
        places.release(1);
    }

    @Override
    void onDeadline() { exchange.releasePlace(); }
}
