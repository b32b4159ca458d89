package org.microhttp;

import java.nio.ByteBuffer;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.*;

/**
 * Answers requests. The shortest way to a handler depends on when its response is there:
 * <pre>{@code
 *   Handler atOnce = Handler.of(request -> Response.text(200, "hello"));
 *   Handler afterBlocking = Handler.blocking(request -> Response.json(200, query(request.path())));
 *   Handler later = Handler.async(request -> store.find(request.path()).thenApply(Pages::of));
 * }</pre>
 */
@FunctionalInterface
public interface Handler {

    /**
     * Handles one request. It is called on the loop's thread, so it must not block: every connection of the
     * loop would wait. Give blocking work to other threads, with {@link #blocking(Responder)}, or call back
     * later:
     * <pre>{@code
     *   Handler handler = (request, callback) ->
     *           timer.schedule(() -> callback.accept(Response.text(200, "later")), 1, TimeUnit.SECONDS);
     * }</pre>
     * Any thread may call the callback, at once or later. The first call answers; another is ignored and
     * logged. The callback never blocks, and throws only an {@link Error} when memory runs out. Always call
     * it, with {@link Response#failed} on failure: otherwise the client waits until
     * {@link Options#withHandlerTimeout}, gets a 503, and its connection is closed.
     * <p>
     * If the response is {@code null}, or this method throws before the callback was called, the client gets
     * a 500; a later exception is only logged. Respond to HEAD as to GET: the server leaves the body out, and
     * wrapping handlers may read it.
     *
     * @param request  the complete request, never null; safe to keep
     * @param callback takes the response; safe to call from any thread
     */
    void handle(Request request, Consumer<Response> callback);

    /**
     * Decides where the body of a request goes. It is called when the head has come, before the body is
     * taken; not for a request without a body, with {@code Content-Length: 0}, or with a length above both
     * {@link Options#withMaxStreamedSize} and {@code maxRequestSize}. If this returns null, the default, the
     * body is kept in memory and goes to {@link #handle}. A subscriber receives the body as it comes, as fast
     * as the subscriber requests it, and {@code handle} is called after the body's end. {@link #receiving}
     * makes such a handler; override this method only to pass the question on to another handler.
     * <p>
     * It is called on the loop's thread, as are the methods of the subscriber, so none of them may block. If
     * the subscriber cancels, {@code handle} is called at once, and its response is the last of the
     * connection: this is how a handler refuses an upload, with a 401 or a 413 for example. If the body is
     * incomplete or malformed, the subscriber gets an error, the request is abandoned, see
     * {@link Request#onAbandoned}, and {@code handle} is not called. If this method or the subscriber throws,
     * the client gets a 500.
     * <p>
     * A request whose body is streamed counts for {@link Options#withMaxPendingRequests} before this is
     * called. If each request opens a file, set that limit below the number of files that may be open. While
     * the limit is reached, up to {@code maxRequestSize} of the body is kept, and this is called when the
     * body is whole. If the limit is still reached then, the client gets a 503.
     *
     * @param request the request without its body
     * @return the subscriber that receives the body; null to keep it in memory
     */
    default Flow.Subscriber<? super List<ByteBuffer>> receiver(Request request) { return null; }

    /**
     * Makes a handler whose bodies are received by subscribers, and so need not be in memory. For example,
     * with a body subscriber of {@code java.net.http}:
     * <pre>{@code
     *   Handler uploads = Handler.receiving(request -> BodySubscribers.ofFile(path),
     *           (request, upload, callback) -> {
     *               if (upload == null) callback.accept(Response.text(400, "there is no body"));
     *               else upload.getBody().thenAccept(file -> callback.accept(Response.of(201)));
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
     * Makes a handler that responds at once. For example:
     * <pre>{@code
     *   Handler handler = Handler.of(request -> Response.text(200, "you asked for " + request.path()));
     * }</pre>
     * The function is called on the loop's thread, so it must not block. If it throws, or returns null, the
     * response is {@link Response#failed}.
     *
     * @param responder makes the response
     * @return the new handler
     * @throws NullPointerException if the function is null
     */
    static Handler of(Responder responder) {
        Objects.requireNonNull(responder, "responder");
        return (request, callback) -> {
            Response response;
            try {
                response = Objects.requireNonNull(responder.respond(request), "the response");
            } catch (Throwable t) {
                response = Response.failed(t);
            }
            callback.accept(response);
        };
    }

    /**
     * Makes a handler that responds when a stage, such as a {@link CompletableFuture}, completes. For
     * example, with a {@code java.net.http.HttpClient}:
     * <pre>{@code
     *   Handler handler = Handler.async(request -> client.sendAsync(upstream, BodyHandlers.ofByteArray())
     *           .thenApply(answer -> Response.of(200, "text/plain", answer.body())));
     * }</pre>
     * The function is called on the loop's thread, so it must not block. If it or the stage fails, or gives
     * null, the response is {@link Response#failed}. If a callback throws, it is called once more, with the
     * failure. If the client is gone, the stage goes on, unless the function ends it by {@link
     * Request#onAbandoned}.
     *
     * @param function begins the work
     * @return the new handler
     * @throws NullPointerException if the function is null
     */
    static Handler async(Function<Request, ? extends CompletionStage<Response>> function) {
        Objects.requireNonNull(function, "function");
        return (request, callback) -> {
            CompletionStage<Response> stage;
            try {
                stage = Objects.requireNonNull(function.apply(request), "the stage");
            } catch (Throwable t) {
                stage = CompletableFuture.failedStage(t);
            }
            stage.thenApply(response -> Objects.requireNonNull(response, "the response of the stage"))
                    .exceptionally(Response::failed).thenAccept(callback)
                    // a wrapping handler's callback has thrown
                    .exceptionally(failure -> {
                        callback.accept(Response.failed(failure));
                        return null;
                    });
        };
    }

    /**
     * Makes a handler that changes the responses of this one. For example, to add a header to all of them,
     * also to those of {@link Response#failed}:
     * <pre>{@code
     *   Handler secure = handler.andThen((request, response) ->
     *           response.withHeader("X-Content-Type-Options", "nosniff"));
     * }</pre>
     * If {@link #handle} throws before it responds, the function gets a {@link Response#failed}. If the
     * function returns a response with another body, the body of the given response is released together with
     * that body, which may read it until then. If the function throws, or returns null, the response is
     * {@link Response#failed}. The function runs on the thread that calls back, so it must not block unless
     * the handler responds from an executor; even then it runs on the loop's thread for a request that
     * {@link #blocking(Responder)} gives up. It does not see the responses that the server makes itself; for
     * those there is {@link ErrorHandler}.
     *
     * @param change makes a response from the request and this handler's response, which is null if this
     *               handler has responded with null
     * @return the new handler
     * @throws NullPointerException if the function is null
     */
    default Handler andThen(BiFunction<Request, Response, Response> change) {
        Objects.requireNonNull(change, "change");
        return wrappedBy((request, callback) -> {
            var changed = new ChangedCallback(change, request, callback);
            try {
                handle(request, changed);
            } catch (Throwable t) {
                if (!changed.tryFail(t)) throw t;
            }
        });
    }

    /**
     * Makes a handler from a function that may block, on a database for example; other threads call it:
     * <pre>{@code
     *   Handler handler = Handler.blocking(request -> Response.text(200, query(request.path())));
     * }</pre>
     * Each request has a virtual thread. Before Java 21, all such handlers share 200 daemon threads, and
     * further requests wait. The rest is as with {@link #blocking(Executor, Responder)}.
     *
     * @param responder makes the response; several threads call it at once
     * @return the new handler
     * @throws NullPointerException if the function is null
     */
    static Handler blocking(Responder responder) { return blocking(BlockingThreads.SHARED, responder); }

    /**
     * Returns what runs the functions of {@link #blocking(Responder)}, for other work that may block. For
     * example:
     * <pre>{@code
     *   Handler handler = Handler.async(request ->
     *           CompletableFuture.supplyAsync(() -> answer(request), Handler.blockingExecutor()));
     * }</pre>
     *
     * @return the same executor each time; it takes every task, and nobody has to shut it down
     */
    static Executor blockingExecutor() { return BlockingThreads.SHARED; }

    /**
     * Makes a handler from a function that may block; the executor's threads call it. If
     * <ul>
     * <li>the function throws or returns null, the client gets a 500, and that is logged
     * <li>the executor rejects the request, {@link #handle} throws, so the client gets a 500
     * <li>the client is gone first, the function is not called; a wrapping handler's callback gets a 500, on
     *     the loop's thread, or on the thread that calls {@link #handle}
     * <li>a wrapping handler's callback throws, it is called once more, with the failure
     * </ul>
     * Set {@link Options#withMaxPendingRequests}: it limits how many requests run and wait. The task of an
     * abandoned request still waits and counts, but keeps nothing of the request.
     *
     * @param executor  runs the function; not shut down by the server
     * @param responder makes the response; several threads may call it at once
     * @return the new handler
     * @throws NullPointerException if an argument is null
     */
    static Handler blocking(Executor executor, Responder responder) {
        Objects.requireNonNull(executor, "executor");
        Objects.requireNonNull(responder, "responder");
        return new BlockingHandler(executor, responder)::handle;
    }
}
