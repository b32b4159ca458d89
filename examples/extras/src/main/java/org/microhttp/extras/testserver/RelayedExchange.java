package org.microhttp.extras.testserver;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.microhttp.Handler;
import org.microhttp.Request;
import org.microhttp.Response;

/** Takes the response to a request, and has the relay send the response as its plan says. */
final class RelayedExchange implements Consumer<Response> {

    /** Null if the client is gone. */
    private final RelayedConnection connection;
    private final Consumer<Response> callback;
    private final AtomicBoolean answered = new AtomicBoolean();

    RelayedExchange(RelayedConnection connection, Consumer<Response> callback) {
        this.connection = connection;
        this.callback = callback;
    }

    /** Has a handler answer; if the handler throws, the event loop answers. */
    void handle(Handler handler, Request request) {
        try {
            handler.handle(request, this);
        } catch (Throwable t) {
            if (!answered.getAndSet(true) && connection != null) {
                connection.begin(Plan.PLAIN);
            }
            throw t;
        }
    }

    /** The loop ignores and releases a second response, and answers for null. */
    @Override
    public void accept(Response response) {
        if (answered.getAndSet(true) || response == null) {
            callback.accept(response);
            return;
        }
        Plan plan = Plan.of(response);
        if (plan.isRaw()) {
            response.release();
        }
        if (connection != null) {
            connection.begin(plan);
        }
        callback.accept(plan.isRaw() ? RelayedConnection.MARK : plan.sentBy(response));
    }
}
