package org.microhttp;

import java.nio.ByteBuffer;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.*;

/**
 * Answers requests. A handler that answers at once is a lambda:
 * <pre>{@code
 *   Handler handler = (request, callback) -> callback.accept(Response.text(200, "hello"));
 * }</pre>
 */
@FunctionalInterface
public interface Handler {

    /**
     * Handles one request. It is called on the loop's thread, so it must not block: every connection of the
     * loop would wait. Give long work to an executor, with {@link #blocking}, or call back later:
     * <pre>{@code
     *   Handler handler = (request, callback) ->
     *           timer.schedule(() -> callback.accept(Response.text(200, "later")), 1, TimeUnit.SECONDS);
     * }</pre>
     * Any thread may call the callback, at once or later. The first call answers; another is ignored and
     * logged. The callback never blocks, and throws only an {@link Error} when memory runs out. Always call
     * it, with {@link Response#failed} on failure: otherwise the client waits until
     * {@link Options#withHandlerTimeout}, gets a 503, and its connection is closed.
     * <p>
     * If the response is {@code null}, or this throws before the callback was called, the client gets a 500;
     * what this throws later is only logged. Respond to HEAD as to GET: the server leaves the body out, and
     * wrapping handlers may read it.
     *
     * @param request  the complete request, never null; safe to keep
     * @param callback takes the response; safe to call from any thread
     */
    void handle(Request request, Consumer<Response> callback);

    /**
     * Decides where the body of a request goes. It is called when the head has come and nothing of the body
     * is read; not for a request without a body, with {@code Content-Length: 0}, or with a length above both
     * {@link Options#withMaxStreamedSize} and {@code maxRequestSize}. With null, the default, the body is
     * kept in memory and goes to {@link #handle}. A subscriber receives the body as it comes, as fast as the
     * subscriber requests it, and {@code handle} is called after its end. {@link #receiving} makes such a
     * handler; override this method only to pass the question on to another handler.
     * <p>
     * It is called on the loop's thread, as are the methods of the subscriber, so none of them may block. If
     * the subscriber cancels, {@code handle} is called at once, and its response is the last of the
     * connection: this is how a handler refuses an upload, with a 401 or a 413 for example. If the body is
     * incomplete or malformed, the subscriber gets an error, the request is abandoned, see
     * {@link Request#onAbandoned}, and {@code handle} is not called. If this method or the subscriber throws,
     * the client gets a 500.
     * <p>
     * A request whose body is streamed takes its place ({@link Options#withMaxPendingRequests}) before this
     * is called. Without that limit many heads may open many files at once, so set it. While all places are
     * taken, up to {@code maxRequestSize} of the body is kept until one is free, or the client gets a 503.
     *
     * @param request the request without its body
     * @return the subscriber that receives the body; null to keep it in memory
     */
    default Flow.Subscriber<? super List<ByteBuffer>> receiver(Request request) { return null; }

    /**
     * Makes a handler whose bodies are received by subscribers, and so need not be in memory. For example,
     * with a body subscriber of {@code java.net.http}:
     * <pre>{@code
     *   Handler uploads = Handler.receiving(
     *           request -> request.method().equals("PUT") ? HttpResponse.BodySubscribers.ofFile(path) : null,
     *           (request, upload, callback) -> {
     *               if (upload == null) {
     *                   callback.accept(Response.text(400, "PUT a file"));
     *               } else {
     *                   upload.getBody().thenAccept(file -> callback.accept(Response.text(201, "stored")));
     *               }
     *           });
     * }</pre>
     *
     * @param receiver chooses a subscriber for a body, or null, by the rules of {@link #receiver}
     * @param handler  gets each request, with the subscriber that has received its body
     * @param <S>      the type of the subscribers
     * @return the new handler
     * @throws NullPointerException if an argument is null
     */
    static <S extends Flow.Subscriber<? super List<ByteBuffer>>> Handler receiving(
            Function<Request, S> receiver, ReceivedHandler<S> handler) {
        Objects.requireNonNull(receiver, "receiver");
        Objects.requireNonNull(handler, "handler");
        return new Handler() {

            @Override
            public S receiver(Request request) { return receiver.apply(request); }

            /** A handler around this one asks the receiver above, as {@link Handler#wrappedBy} does. */
            @Override
            @SuppressWarnings("unchecked")
            public void handle(Request request, Consumer<Response> callback) {
                handler.handle(request, (S) request.receiver(), callback);
            }
        };
    }

    /**
     * Makes a handler whose requests another handler handles, while {@link #receiver} is still this
     * handler's. A plain lambda around a handler would keep every body in memory. For example, to count
     * requests:
     * <pre>{@code
     *   Handler counted = handler.wrappedBy((request, callback) -> {
     *       count.increment();
     *       handler.handle(request, callback);
     *   });
     * }</pre>
     *
     * @param outer the handler whose {@link #handle} is called
     * @return the new handler
     * @throws NullPointerException if the other handler is null
     */
    default Handler wrappedBy(Handler outer) {
        Objects.requireNonNull(outer, "outer");
        Handler inner = this;
        return new Handler() {

            @Override
            public void handle(Request request, Consumer<Response> callback) {
                outer.handle(request, callback);
            }

            @Override
            public Flow.Subscriber<? super List<ByteBuffer>> receiver(Request request) {
                return inner.receiver(request);
            }
        };
    }

    /**
     * Makes a handler that changes the responses of this one. For example, to add a field to all of them,
     * also to those of {@link Response#failed}:
     * <pre>{@code
     *   Handler secure = handler.andThen((request, response) ->
     *           response.withHeader("X-Content-Type-Options", "nosniff"));
     * }</pre>
     * If the function returns a response with another body, the body of the given response is released
     * together with that body, which may read it until then. If the function throws, or returns null, the
     * response is {@link Response#failed}. The function runs on the thread that calls back, so it must not
     * block unless the handler responds from an executor; even then it runs on the loop's thread for a
     * request that {@link #blocking} gives up. It does not see the responses that the server makes itself;
     * for those there is {@link ErrorHandler}.
     *
     * @param change makes a response from the request and this handler's response, which is null if this
     *               handler has responded with null
     * @return the new handler
     * @throws NullPointerException if the function is null
     */
    default Handler andThen(BiFunction<Request, Response, Response> change) {
        Objects.requireNonNull(change, "change");
        return wrappedBy((request, callback) -> handle(request, response -> {
            Response changed;
            try {
                changed = Objects.requireNonNull(change.apply(request, response), "the response of andThen");
            } catch (Throwable t) {
                changed = Response.failed(t);
            }
            callback.accept(response == null ? changed : changed.insteadOf(response));
        }));
    }

    /**
     * Makes a handler from a function that may block: the executor's threads call it, and the loop goes on.
     * <pre>{@code
     *   ExecutorService executor = Executors.newFixedThreadPool(16);
     *   Handler handler = Handler.blocking(executor, request -> Response.text(200, query(request.path())));
     *   Options options = new Options().withMaxPendingRequests(1_000);
     * }</pre>
     * If the function returns null or throws anything, also an {@link Error}, the request is answered with
     * 500, and this is logged; so is a request that the executor rejects. A wrapping handler may replace the
     * request, or the callback. A replaced callback gets null, or a {@link Response#failed} with what was
     * thrown; if the executor rejects, it gets nothing, and the handler throws.
     * <p>
     * The function is not called for a request that is abandoned before a thread takes it
     * ({@link Request#isAbandoned}). Its memory is released at once; an empty task stays in the executor's
     * queue. The request keeps its place among {@link Options#withMaxPendingRequests} until the executor runs
     * that task, so that option also limits the tasks. For an executor that runs nothing more, or drops tasks
     * without throwing, one place is released now and then, at most one in each {@code handlerTimeout}; the
     * others once a later task has run. A callback that wraps the server's is called when the request is
     * abandoned: on the loop's thread, so it must not block, with a 500 that is not sent. If a wrapping
     * handler replaces the callback, and the request by a new one instead of a copy ({@link
     * Request#withTarget} and so on), nobody knows that it is abandoned: the queue keeps it, and the function
     * is called, though the request no longer counts.
     * <p>
     * A callback that throws is called once more, with the failure; if it throws again, the executor's thread
     * gets what it throws, and the client waits until {@code handlerTimeout}.
     *
     * @param executor runs the function; the program has to shut the executor down
     * @param function makes the response; several threads call it at once if the executor has several
     * @return the new handler
     * @throws NullPointerException if an argument is null
     */
    static Handler blocking(Executor executor, Function<Request, Response> function) {
        Objects.requireNonNull(executor, "executor");
        Objects.requireNonNull(function, "function");
        return new BlockingHandler(executor, function)::handle;
    }
}
