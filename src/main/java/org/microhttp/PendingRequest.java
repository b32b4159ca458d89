package org.microhttp;

import java.util.function.Consumer;

/**
 * A request that waits for its response, as the library's own handlers see it: the callback that a handler
 * gets, and the holder of a place among the pending requests.
 */
abstract class PendingRequest implements Consumer<Response>, Place.Holder {

    /** A note in a {@link RequestHead}: it is told that no client waits for the response any more. */
    interface Listener {

        /** Runs on the loop's thread. */
        void onAbandoned(PendingRequest abandoned);
    }

    final TaskQueue tasks;

    /** The head of the request, as far as it is known. */
    RequestHead request;

    /** Its place; null if it holds none, or if the number of pending requests has no limit. */
    Place place;

    PendingRequest(TaskQueue tasks, RequestHead request) {
        this.tasks = tasks;
        this.request = request;
    }

    /** Releases its place, if it holds one, on the loop's thread, or on any once the loop has ended. */
    final void releasePlace() {
        Place held = place;
        if (held == null) return;
        held.release();
        place = null;
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
