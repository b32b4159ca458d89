package org.microhttp.extras.routing;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.function.Function;
import org.microhttp.Handler;
import org.microhttp.Options;
import org.microhttp.ReceivedHandler;
import org.microhttp.Request;
import org.microhttp.Responder;
import org.microhttp.Response;

/**
 * A handler with a limit for its bodies, which answers a {@link RequestException}. All of a route is in one
 * place:
 * <pre>{@code
 *   Handler router = new Router()
 *           .on("POST", "/notes", Route.blocking(request -> add(request)).withMaxBody(10_000))
 *           .on("PUT", "/photos/{name}", Route.receiving(
 *                   request -> BodySubscribers.ofFile(folder.resolve(UUID.randomUUID() + ".photo")),
 *                   (request, photo, callback) -> stored(request, photo, callback)).withMaxBody(10_000_000));
 * }</pre>
 * If the handler, or what chooses its receiver, fails with that exception, the client gets its status and its
 * message. A {@link Router} makes a route of each handler, so name one only for a limit, or for a responder
 * that blocks.
 * <p>
 * Immutable, and safe for any number of loops if the handler is.
 */
public final class Route implements Handler {

    private final Handler handler;
    private final long maxBody;
    private final Handler limited = Handler.receiving(this::receive, this::answer);

    /** Receives nothing, so that the route that made it answers at once. */
    private record Refusing(Route by, Response response) implements Flow.Subscriber<List<ByteBuffer>> {

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.cancel();
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
        }

        @Override
        public void onError(Throwable cause) {
        }

        @Override
        public void onComplete() {
        }
    }

    private Route(Handler handler, long maxBody) {
        this.handler = handler;
        this.maxBody = maxBody;
    }

    /**
     * Makes a route of a handler. Its bodies have no limit but those of the server.
     *
     * @param handler answers the requests, and decides who receives their bodies
     * @return the route
     * @throws NullPointerException if the handler is null
     */
    public static Route of(Handler handler) {
        Objects.requireNonNull(handler, "handler");
        return handler instanceof Route route ? route
                : new Route(handler.andThen((request, response) -> RequestException.answer(response)),
                        Options.NO_LIMIT);
    }

    /**
     * Makes a route whose responder may block, as {@link Handler#blocking(Responder)} does. There the server
     * would log each {@link RequestException} as a failure; here it does not.
     *
     * @param responder makes the responses; several threads call it at once
     * @return the route
     * @throws NullPointerException if the responder is null
     */
    public static Route blocking(Responder responder) {
        return blocking(Handler.blockingExecutor(), responder);
    }

    /**
     * Makes a route whose responder may block, as {@link Handler#blocking(Executor, Responder)} does. There
     * the server would log each {@link RequestException} as a failure; here it does not.
     *
     * @param executor  runs the responder; the program shuts it down after the server
     * @param responder makes the responses; several threads may call it at once
     * @return the route
     * @throws NullPointerException if an argument is null
     */
    public static Route blocking(Executor executor, Responder responder) {
        Objects.requireNonNull(responder, "responder");
        return of(Handler.blocking(executor, RequestException.answering(responder)));
    }

    /**
     * Makes a route whose bodies are received by subscribers, as {@link Handler#receiving} does. {@link
     * #withMaxBody} then also limits a body in chunks while it comes.
     *
     * @param receiver chooses a subscriber for a body, or null, by the rules of {@link Handler#receiver}
     * @param handler  gets each request, with the subscriber that has received its body
     * @param <S>      the type of the subscribers
     * @return the route
     * @throws NullPointerException if an argument is null
     */
    public static <S extends Flow.Subscriber<? super List<ByteBuffer>>> Route receiving(
            Function<Request, S> receiver, ReceivedHandler<S> handler) {
        Objects.requireNonNull(receiver, "receiver");
        Objects.requireNonNull(handler, "handler");
        return of(Handler.receiving(
                request -> {
                    S chosen = receiver.apply(request);
                    return chosen == null ? null : new CountedBody<>(chosen);
                },
                (request, body, callback) -> {
                    if (body != null && body.isOver()) {
                        callback.accept(tooLarge(body.most()));
                    } else {
                        handler.handle(request, body == null ? null : body.receiver, callback);
                    }
                }));
    }

    /**
     * Limits the body of each request, without its framing. A longer one gets a 413, and the handler does not
     * get the request:
     * <ul>
     * <li>A body with a {@code Content-Length} is refused before it is received, and the connection closes. A
     *     client that sends {@code Expect: 100-continue} sends nothing of it.
     * <li>A body in chunks that {@link #receiving} receives is refused when it exceeds the limit, and the
     *     connection closes. Its subscriber gets an {@code IOException}.
     * <li>A body in chunks that is kept in memory is refused when it is complete. Until then the server's
     *     {@code maxRequestSize} limits it.
     * <li>A body in chunks that another handler receives, such as {@link Handler#receiving}, cannot be
     *     counted here: it gets a 411, and the connection closes.
     * </ul>
     * The limits of the server still hold. Of two limits, one around the other, the lower one counts.
     *
     * @param bytes 0 or more
     * @return a copy with this limit instead of an earlier one
     * @throws IllegalArgumentException if it is negative
     */
    public Route withMaxBody(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("maxBody is " + bytes + "; allowed: 0 or more");
        }
        return new Route(handler, bytes);
    }

    @Override
    public void handle(Request request, Consumer<Response> callback) {
        limited.handle(request, callback);
    }

    @Override
    public Flow.Subscriber<? super List<ByteBuffer>> receiver(Request request) {
        return limited.receiver(request);
    }

    private Flow.Subscriber<? super List<ByteBuffer>> receive(Request request) {
        String length = request.header("Content-Length");
        // at most 18 digits, as the server has checked
        if (length != null && Long.parseLong(length) > maxBody) {
            return new Refusing(this, tooLarge(maxBody));
        }
        Flow.Subscriber<? super List<ByteBuffer>> receiver;
        try {
            receiver = handler.receiver(request);
        } catch (RequestException e) {
            return new Refusing(this, e.response());
        }
        if (receiver instanceof CountedBody<?> counted) {
            counted.limit(maxBody);
            return counted;
        }
        boolean chunked = receiver != null && length == null && !(receiver instanceof Refusing);
        // RFC 9110 §15.5.12
        return chunked && maxBody < Options.NO_LIMIT
                ? new Refusing(this, Response.text(411, "the body is in chunks; allowed: a Content-Length\n"))
                : receiver;
    }

    private void answer(Request request, Flow.Subscriber<? super List<ByteBuffer>> receiver,
            Consumer<Response> callback) {
        if (receiver instanceof Refusing refusing && refusing.by == this) {
            callback.accept(refusing.response);
        } else if (request.body().length > maxBody) {
            callback.accept(tooLarge(maxBody));
        } else {
            handler.handle(request, callback);
        }
    }

    /** RFC 9110 §15.5.14 */
    private static Response tooLarge(long most) {
        return Response.text(413, "the body is too large; allowed: up to " + most + " bytes\n");
    }
}
