package org.microhttp;

import java.util.function.Consumer;

/**
 * Answers requests whose bodies a subscriber has received, see {@link Handler#receiving}.
 *
 * @param <S> the type of the subscriber
 */
@FunctionalInterface
public interface ReceivedHandler<S> {

    /**
     * Handles one request, by the rules of {@link Handler#handle}. It is called after the end of the body, or
     * once the subscriber has cancelled its subscription.
     *
     * @param request  the request; its body is empty if there is a receiver
     * @param receiver the subscriber that has received the body; null if there was no body to receive, or no
     *                 subscriber was chosen, so that the body is in memory
     * @param callback takes the response; safe to call from any thread
     */
    void handle(Request request, S receiver, Consumer<Response> callback);
}
