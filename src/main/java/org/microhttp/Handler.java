package org.microhttp;

import java.nio.ByteBuffer;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.*;

/** The user's code: a request in, a callback to answer it. */
@FunctionalInterface
public interface Handler {

    /**
     * Handles one request. Called on the loop's thread, so it must not block: every connection of the loop
     * waits meanwhile. Hand long work to an executor and call back from there.
     * <p>
     * The callback may be called at once or later, from any thread. Only the first call answers; another is
     * ignored and logged. It never blocks, and throws nothing but an {@link Error} when memory runs out. A
     * response of {@code null}, or an exception or error thrown before the callback was called, is answered
     * with 500; one thrown afterwards is only logged. Always call the callback, with {@link Response#failed}
     * on failure: otherwise the client waits until {@link Options#withHandlerTimeout}, gets a 503, and its
     * connection is closed. Respond to HEAD as to GET: the server leaves the body out, and handlers around
     * this one may read it.
     *
     * @param request  the complete request, never null; safe to keep
     * @param callback takes the response; safe to call from any thread
     */
    void handle(Request request, Consumer<Response> callback);

    /**
     * Decides where the body of a request goes, when its head has come and nothing of the body is read. It is
     * not called for a request without a body, or with {@code Content-Length: 0}. By default a body is kept
     * in memory and goes to {@link #handle}. Otherwise a subscriber receives it as it comes, as fast as it
     * requests it, and {@code handle} is called after its end. The body subscribers of {@code java.net.http}
     * are such subscribers:
     * <pre>{@code
     *   public Flow.Subscriber<? super List<ByteBuffer>> receiver(Request request) {
     *       return request.path().equals("/upload") ? HttpResponse.BodySubscribers.ofFile(path) : null;
     *   }
     * }</pre>
     * It is called on the loop's thread, as are the methods of the subscriber, so none of them may block. If
     * the subscriber cancels, {@code handle} is called at once, and its response is the last of the
     * connection: so a handler refuses an upload with a 401 or a 413. If the body is incomplete or malformed,
     * the subscriber gets an error, and {@code handle} is not called. If this method or the subscriber
     * throws, the client gets a 500.
     * <p>
     * A request whose body is streamed takes its place ({@link Options#withMaxPendingRequests}) before this
     * is called. Without that limit many heads may open many files at once, so set it. While all places are
     * taken, up to {@code maxRequestSize} of the body is kept until one is free, or the client gets a 503.
     *
     * @param request the request without its body
     * @return who receives the body; null to have it kept in memory
     */
    default Flow.Subscriber<? super List<ByteBuffer>> receiver(Request request) { return null; }

    /**
     * Makes a handler that has another one handle its requests, while this one still decides who receives
     * their bodies. A lambda around a handler would keep every body in memory. For example, to count uploads:
     * <pre>{@code
     *   Handler counted = handler.wrappedBy((request, callback) -> {
     *       count.increment();
     *       handler.handle(request, callback);
     *   });
     * }</pre>
     *
     * @param outer whose {@link #handle} is called
     * @return the handler
     * @throws NullPointerException if the other is null
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
     * Makes a handler around this one that changes its responses. For example, to add a field to all of them,
     * those of {@link Response#failed} included:
     * <pre>{@code
     *   Handler secure = handler.andThen((request, response) ->
     *           response.withHeader("X-Content-Type-Options", "nosniff"));
     * }</pre>
     * If the function returns a response with another body, the body of the one it was given is released. If
     * it throws, that is so too, and the response is {@link Response#failed}. It runs on the thread that
     * calls back, so unless the handler responds from an executor it must not block. It does not see the
     * responses that the server makes itself, for which there is {@link ErrorHeaders}.
     *
     * @param change makes a response of the request and the response to it, which is null only if the handler
     *               breaks its own rules
     * @return the handler
     * @throws NullPointerException if the function is null
     */
    default Handler andThen(BiFunction<Request, Response, Response> change) {
        Objects.requireNonNull(change, "change");
        return wrappedBy((request, callback) -> handle(request, response -> {
            Response changed;
            try {
                changed = change.apply(request, response);
            } catch (Throwable t) {
                changed = Response.failed(t);
            }
            try {
                callback.accept(changed);
            } finally {
                Body other = changed == null ? null : changed.content;
                if (response != null && response.content != other) response.release();
            }
        }));
    }

    /**
     * Makes a handler of a function that may block: the executor's threads call it, and the loop goes on. If
     * the function returns null or throws anything, an {@link Error} too, the request is answered with 500,
     * and this is logged; so is a request that the executor rejects. A wrapping handler may replace the
     * request, or the callback, which then gets null, or what was thrown as a {@link Response#failed}; if the
     * executor rejects, it gets nothing, and the handler throws.
     * <p>
     * The function is not called for a request that is abandoned before a thread is free for it
     * ({@link Request#isAbandoned}). The memory of such a request is released at once, though its task is
     * still in the executor's queue, and so is its place among {@link Options#withMaxPendingRequests}. If the
     * callback wraps the server's, it is called all the same, with a 500 that is not sent. A callback that
     * throws is called once more, with the failure; one that throws then too leaves its client waiting.
     *
     * @param executor where the function runs; the program has to shut it down
     * @param function makes the response; several threads call it at once if the executor has several
     * @return the handler
     * @throws NullPointerException if an argument is null
     */
    static Handler blocking(Executor executor, Function<Request, Response> function) {
        Objects.requireNonNull(executor, "executor");
        Objects.requireNonNull(function, "function");
        return (request, callback) -> {
            Thread loop = Thread.currentThread();
            // emptied when the request is abandoned, so that the executor's queue does not keep it
            var waiting = new AtomicReference<>(request);
            // a wrapping handler may have replaced the request
            RequestHead head = callback instanceof Exchange own ? own.request : request.head;
            head.note((RequestHead.Listener) exchange -> {
                if (waiting.getAndSet(null) != null) exchange.releasePlace();
            });
            executor.execute(() -> {
                Request taken = waiting.getAndSet(null);
                if (taken != null && !head.isAbandoned()) {
                    try {
                        callback.accept(function.apply(taken));
                    } catch (Throwable t) {
                        fail(callback, t, head, loop);
                    }
                    return;
                }
                if (callback instanceof Exchange own) {
                    // it was abandoned before the listener was there, or could take it
                    own.releasePlaceLater();
                } else {
                    // the wrapper may rely on being called
                    callback.accept(Exchange.FAILED);
                }
            });
        };
    }

    /** Responds with 500. If there is no memory for that, tries again, unless that would hold the loop. */
    private static void fail(Consumer<Response> callback, Throwable cause, RequestHead head, Thread loop) {
        while (true) {
            try {
                head.note(cause);
                callback.accept(Response.failed(cause));
                return;
            } catch (OutOfMemoryError e) {
                if (head.isAbandoned() || Thread.currentThread() == loop) throw e;
                LockSupport.parkNanos(10_000_000);
            }
        }
    }
}
