package org.microhttp.extras.routing;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.microhttp.Handler;
import org.microhttp.Options;
import org.microhttp.ReceivedHandler;
import org.microhttp.Request;
import org.microhttp.Responder;
import org.microhttp.Response;

/**
 * A handler that may limit the size and the media types of its bodies. All of a route is in one place:
 * <pre>{@code
 *   Handler router = new Router()
 *           .on("POST", "/notes", Route.blocking(request -> add(request))
 *                   .withTypes("application/json").withMaxBody(10_000))
 *           .on("PUT", "/photos/{name}", Route.receiving(
 *                   request -> BodySubscribers.ofFile(folder.resolve(UUID.randomUUID() + ".photo")),
 *                   (request, photo, callback) -> stored(request, photo, callback)).withMaxBody(10_000_000));
 * }</pre>
 * If the handler, or the function that chooses its receiver, fails with a {@link RequestException}, the
 * client gets the status and the message of the exception. A {@link Router} makes a route of each handler, so
 * write {@code Route} only for a limit, for types, or for a responder that blocks.
 * <p>
 * Immutable, and safe for any number of loops if the handler is.
 */
public final class Route implements Handler {

    private static final Pattern TYPE = Pattern.compile("[\\w!#$%&'+.^`|~-]+/[\\w!#$%&'+.^`|~-]+");
    private static final long UNKNOWN = -1;

    private final Handler handler;
    private final long maxBody;

    /** In lower case; empty for any. */
    private final List<String> types;
    private final Handler limited = Handler.receiving(this::receive, this::answer);

    /** Cancels the body, so that the route {@code by}, which made this receiver, answers at once. */
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

    private Route(Handler handler, long maxBody, List<String> types) {
        this.handler = handler;
        this.maxBody = maxBody;
        this.types = types;
    }

    /**
     * Makes a route of a handler. Its bodies have no limit but those of the server.
     *
     * @param handler answers the requests, and chooses the receivers of their bodies
     * @return the route
     * @throws NullPointerException if the handler is null
     */
    public static Route of(Handler handler) {
        Objects.requireNonNull(handler, "handler");
        return handler instanceof Route route ? route
                : new Route(handler.andThen((request, response) -> RequestException.answer(response)),
                        Options.NO_LIMIT, List.of());
    }

    /**
     * Makes a route whose responder may block, as {@link Handler#blocking(Responder)} does. But here the
     * server does not log a {@link RequestException} as a failure.
     *
     * @param responder makes the responses; several threads call it at once
     * @return the route
     * @throws NullPointerException if the responder is null
     */
    public static Route blocking(Responder responder) {
        return blocking(Handler.blockingExecutor(), responder);
    }

    /**
     * Makes a route whose responder may block, as {@link Handler#blocking(Executor, Responder)} does. But
     * here the server does not log a {@link RequestException} as a failure.
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
     * #withMaxBody} then also limits a body in chunks while it arrives.
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
                        callback.accept(tooLarge(body.most()).response());
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
     *     client that sends {@code Expect: 100-continue} does not send the body.
     * <li>A body in chunks that {@link #receiving} receives is refused when it exceeds the limit, and the
     *     connection closes. Its subscriber gets an {@code IOException}.
     * <li>A body in chunks that is kept in memory is refused when it is complete. Until then the server's
     *     {@code maxRequestSize} limits it.
     * <li>A body in chunks that another handler receives, such as {@link Handler#receiving}, cannot be
     *     counted here. The client gets a 411, and the connection closes.
     * </ul>
     * The limits of the server still hold. If a route wraps another, the lower of their limits counts.
     *
     * @param bytes 0 or more
     * @return a copy with this limit instead of an earlier one
     * @throws IllegalArgumentException if the limit is negative
     */
    public Route withMaxBody(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("maxBody is " + bytes + "; allowed: 0 or more");
        }
        return new Route(handler, bytes, types);
    }

    /**
     * Limits the media types of bodies. A body of another type, or without a type, gets a 415 that lists the
     * allowed types, and the handler does not get the request. The body is not received, so the connection
     * closes. A request without a body needs no type.
     * <p>
     * Case and parameters are ignored, so {@code Application/JSON; charset=utf-8} is {@code
     * application/json}. Whether the body really has that type, only the handler can check.
     *
     * @param allowed one or more types such as {@code application/json}, without parameters or wildcards
     * @return a copy with these types instead of earlier ones
     * @throws IllegalArgumentException if there is no type, or one is not as above
     * @throws NullPointerException     if a type is null
     */
    public Route withTypes(String... allowed) {
        for (String type : allowed) {
            if (!TYPE.matcher(type).matches()) {
                throw new IllegalArgumentException("a type is \"" + type + "\"; allowed: such as"
                        + " application/json");
            }
        }
        if (allowed.length == 0) {
            throw new IllegalArgumentException("there is no type; allowed: at least one");
        }
        return new Route(handler, maxBody,
                Arrays.stream(allowed).map(type -> type.toLowerCase(Locale.ROOT)).toList());
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
        Flow.Subscriber<? super List<ByteBuffer>> receiver;
        try {
            // at most 18 digits, as the server has checked
            check(request, length == null ? UNKNOWN : Long.parseLong(length));
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
            return;
        }
        try {
            // again, because a wrapping handler may keep bodies in memory without asking receiver()
            check(request, request.body().length);
        } catch (RequestException e) {
            callback.accept(e.response());
            return;
        }
        handler.handle(request, callback);
    }

    /** Throws if the body's type is not allowed, or its length, which may be {@link #UNKNOWN}. */
    private void check(Request request, long length) {
        if (length != 0 && !types.isEmpty()) {
            BodyType.check(request, types);
        }
        if (length > maxBody) {
            throw tooLarge(maxBody);
        }
    }

    /** RFC 9110 §15.5.14 */
    private static RequestException tooLarge(long most) {
        return new RequestException(413, "the body is too large; allowed: up to " + most + " bytes");
    }
}
