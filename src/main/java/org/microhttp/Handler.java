package org.microhttp;

import java.util.function.Consumer;

/** The user's code: a request in, a callback to answer it. */
@FunctionalInterface
public interface Handler {

    /**
     * Handles one request. Called on the loop's thread, so it must not block: every connection of the loop
     * waits meanwhile. Hand long work to an executor and call back from there.
     * <p>
     * The callback may be called at once or later, from any thread, and answers once: a second call is
     * ignored and logged. It never blocks and never throws. {@code null} for a response, or an exception or
     * error thrown before the callback was called, is answered with 500; one thrown afterwards is only
     * logged. A request that is not answered within {@link Options#withHandlerTimeout} gets a 503 and its
     * connection is closed.
     *
     * @param request  the complete request, never null; safe to keep
     * @param callback takes the response; safe to call from any thread
     */
    void handle(Request request, Consumer<Response> callback);
}
