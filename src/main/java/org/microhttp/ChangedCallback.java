package org.microhttp;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * The callback that a handler gets if {@link Handler#andThen} changes its responses. Its value is true once
 * it was called, which saves an object. Any thread may use it.
 */
final class ChangedCallback extends AtomicBoolean implements Consumer<Response> {

    private static final long serialVersionUID = 1;
    private final transient BiFunction<Request, Response, Response> change;
    private final transient Request request;
    private final transient Consumer<Response> callback;

    ChangedCallback(BiFunction<Request, Response, Response> change, Request request,
            Consumer<Response> callback) {
        this.change = change;
        this.request = request;
        this.callback = callback;
    }

    @Override
    public void accept(Response response) {
        set(true);
        Response changed;
        try {
            changed = Objects.requireNonNull(change.apply(request, response), "the response of andThen");
        } catch (Throwable t) {
            changed = Response.failed(t);
        }
        callback.accept(response == null ? changed : changed.insteadOf(response));
    }

    /** Responds for a handler that has thrown; returns false if it had responded before. */
    boolean tryFail(Throwable cause) {
        if (get()) return false;
        accept(Response.failed(cause));
        return true;
    }
}
