package org.microhttp;

import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.*;

/** The user's code: a request in, a callback to answer it. */
@FunctionalInterface
public interface Handler {

    /**
     * Handles one request. Called on the loop's thread, so it must not block: every connection of the loop
     * waits meanwhile. Hand long work to an executor and call back from there.
     * <p>
     * The callback may be called at once or later, from any thread, and answers once: a second call is
     * ignored and logged. It never blocks, and throws nothing but an {@link Error} when memory lacks.
     * {@code null} for a response, or an exception or error thrown before the callback was called, is
     * answered with 500; one thrown afterwards is only logged. A request that is not answered within
     * {@link Options#withHandlerTimeout} gets a 503 and its connection is closed.
     *
     * @param request  the complete request, never null; safe to keep
     * @param callback takes the response; safe to call from any thread
     */
    void handle(Request request, Consumer<Response> callback);

    /**
     * Makes a handler of a function that may block: the executor's threads call it, and the loop goes on. A
     * response of null, and what the function throws, an {@link Error} too, is answered with 500 and logged;
     * so is a request that the executor rejects. Another handler around this one may wrap the callback, which
     * then gets the 500, or hand on another request; where it does both the server's log cannot be found, and
     * what the function throws is thrown in the executor.
     * <p>
     * The function is not called for a request that was abandoned before a thread was free for it
     * ({@link Request#isAbandoned}). Such a request is released at once, though it stands in the executor's
     * queue still, and its place of {@link Options#withMaxPendingRequests} is free. A callback that wraps the
     * server's is called all the same, with a 500 that nobody gets.
     *
     * @param executor where the function runs; the program's to shut down
     * @param function makes the response; called by several threads at once if the executor has several
     * @return the handler
     * @throws NullPointerException if an argument is null
     */
    static Handler blocking(Executor executor, Function<Request, Response> function) {
        Objects.requireNonNull(executor, "executor");
        Objects.requireNonNull(function, "function");
        return (request, callback) -> {
            // a program may have wrapped the one or the other
            Exchange exchange = callback instanceof Exchange own ? own : request.head.exchange;
            // an abandoned request is taken out, so that the executor's queue does not keep it
            var waiting = new AtomicReference<>(request);
            if (exchange != null) exchange.waiting = waiting;
            executor.execute(() -> {
                Request taken = waiting.getAndSet(null);
                try {
                    if (taken != null && !taken.isAbandoned()) {
                        callback.accept(function.apply(taken));
                    } else if (callback != exchange) {
                        // it may count on being called
                        callback.accept(Exchange.FAILED);
                    }
                } catch (Throwable t) {
                    if (exchange != null) {
                        exchange.fail(callback, t);
                    } else {
                        callback.accept(Exchange.FAILED);
                        // without a server to tell it is the executor's
                        throw t;
                    }
                }
            });
        };
    }
}
