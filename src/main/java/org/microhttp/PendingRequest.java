package org.microhttp;

import java.util.function.Consumer;
import org.microhttp.protocol.Budget;
import org.microhttp.protocol.RequestHead;

/**
 * A request that waits for its response, as the library's own handlers see it: the callback that a handler
 * gets, and the holder of a place among the pending requests.
 */
abstract class PendingRequest implements Consumer<Response>, Place.Holder {

    /** A note in an {@link Abandonment}: called when no client waits for the response any more. */
    interface Listener {

        /** Runs on the loop's thread. */
        void onAbandoned(PendingRequest abandoned);
    }

    final TaskQueue tasks;

    /** The head of the request, as far as it is known. */
    RequestHead head;

    final Abandonment abandonment = new Abandonment();

    /** Whether it holds a place, for which there is no object yet. */
    private boolean reserved;

    /** The place it holds, once the place may outlast the connection; else null. */
    Place place;

    PendingRequest(TaskQueue tasks, RequestHead head) {
        this.tasks = tasks;
        this.head = head;
        // no client waits for a response to no request
        if (head == RequestHead.NONE) abandonment.abandon();
    }

    /** Returns the limit on pending requests; not called when the exchange has ended. */
    abstract Budget places();

    /** Takes a place if it holds none; returns false if none is left. */
    final boolean reserve() {
        if (reserved) return true;
        Budget places = places();
        boolean left = places.tryTake(1);
        reserved = left && places.isLimited();
        return left;
    }

    /** Makes an object of its place, which may outlast the connection, for the handler's time. */
    final void keepPlace(Scheduler scheduler, long handlerTimeout, long called) {
        if (!reserved) return;
        place = new Place(this, tasks, scheduler, places(), handlerTimeout, called);
        reserved = false;
    }

    /** Has the place, if there is one, outlast the connection, because the handler still works. */
    final void outlast() {
        if (place == null) {
            releasePlace();
        } else {
            place.outlast();
        }
    }

    /** Releases its place, if it holds one, on the loop's thread, or on any once the loop has ended. */
    final void releasePlace() {
        Place held = place;
        place = null;
        if (held != null) held.release();
        if (reserved) places().release(1);
        reserved = false;
    }

    /** Releases its place by a task. Any thread may call it. */
    final void releasePlaceLater() {
        if (!tasks.add(this::releasePlace)) releasePlace();
    }

    @Override
    public final boolean giveUp() {
        place = null;
        return true;
    }
}
