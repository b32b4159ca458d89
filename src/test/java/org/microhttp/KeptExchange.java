package org.microhttp;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.microhttp.protocol.RequestParser;
import org.microhttp.testing.ObjectGraph;

/** One exchange of a program that keeps one object of it, while the others are to go. */
final class KeptExchange {

    /** How the exchange ends. */
    enum End {

        INLINE, TO_HEAD, TWICE, NULL, FAILED, THREW, THREW_AFTER, REJECTED, DROPPED, PIPELINED,
        ELSEWHERE, ELSEWHERE_TWICE, ELSEWHERE_NULL, HALF_CLOSED, SPOILED,
        RESET, RESET_LATE, UNREAD_RESET,
        NEVER, LATE,
        STOPPED, STOPPED_LATE, STOPPED_UNREAD
    }

    /** What the program keeps, and what goes with that. */
    enum Kept {

        NOTHING, CALLBACK, WRAPPED_CALLBACK, REQUEST, COPY, ERROR_REQUEST, RESPONSE, BODY;

        private boolean has(Kept part) {
            return this == part || this == WRAPPED_CALLBACK && part == CALLBACK
                    || this == RESPONSE && part == BODY;
        }
    }

    private static final int LARGE = 1 << 20;

    /** What is a client's or the server's, and not for somebody who has but a part of an exchange. */
    private static final List<Class<?>> FOREIGN = List.of(Connection.class, ClientSocket.class,
            LoopContext.class, Acceptor.class, GroupContext.class, EventLoop.class, Handler.class,
            BlockingHandler.class, RequestParser.class, ResponseQueue.class,
            java.nio.channels.SelectionKey.class, java.nio.channels.Channel.class);

    final End end;
    final Kept kept;
    private final boolean large;

    /** What the program keeps, and all else of the exchange, each with its name. */
    private final List<Object> held = Collections.synchronizedList(new ArrayList<>());
    private final Map<WeakReference<Object>, String> rest = Collections.synchronizedMap(new HashMap<>());

    /** The callback until the test takes it. */
    final BlockingQueue<Consumer<Response>> pending = new LinkedBlockingQueue<>();

    KeptExchange(End end, Kept kept, boolean large) {
        this.end = end;
        this.kept = kept;
        this.large = large;
    }

    /** Its request, with a body, and large or not. */
    String request(int number) {
        return (end == End.TO_HEAD ? "HEAD" : "POST") + " /" + number + " HTTP/1.1\r\nHost: x\r\nX: "
                + "x".repeat(large ? 4000 : 4) + "\r\nContent-Length: " + (large ? 100_000 : 4) + "\r\n\r\n"
                + "b".repeat(large ? 100_000 : 4);
    }

    /** Behaves as the handler. */
    void handle(Request request, Consumer<Response> callback) {
        meet(Kept.REQUEST, request);
        meet(Kept.COPY, request.withTarget("/").withHeader("X", "y").withAttribute(End.class, end));
        meet(Kept.CALLBACK, callback);
        listen(request);
        if (kept == Kept.WRAPPED_CALLBACK) held.add((Consumer<Response>) answer -> callback.accept(answer));
        switch (end) {
            case INLINE, TO_HEAD, PIPELINED, UNREAD_RESET, STOPPED_UNREAD -> callback.accept(answer());
            case TWICE -> answerTwice(callback);
            case NULL -> callback.accept(null);
            case FAILED -> callback.accept(Response.failed(new IOException("mine")).withHeader("X", "1"));
            case THREW -> throw new IllegalStateException("mine");
            case THREW_AFTER -> {
                callback.accept(answer());
                throw new IllegalStateException("mine");
            }
            case REJECTED -> blocking(task -> {
                throw new RejectedExecutionException("mine");
            }).handle(request, callback);
            case DROPPED -> {
                blocking(task -> { }).handle(request, callback);
                callback.accept(answer());
            }
            default -> pending.add(callback);
        }
    }

    /** Has somebody wait for the client to go. */
    private void listen(Request request) {
        Runnable listener = pending::size;
        request.onAbandoned(listener);
        rest.put(new WeakReference<>(listener), "listener");
    }

    /** Behaves as the hook for responses of the server. */
    Response replace(ServerError error) {
        meet(Kept.ERROR_REQUEST, error.request());
        var own = new Response(error.status(), List.of(), new byte[9]);
        for (Object part : List.of(error, error.response(), own, own.body())) {
            // one of the server's is shared
            if (part != Response.FAILED) rest.put(new WeakReference<>(part), part.getClass().getName());
        }
        return own;
    }

    private Handler blocking(Executor executor) {
        return Handler.blocking(executor, request -> answer());
    }

    void answerTwice(Consumer<Response> callback) {
        callback.accept(answer());
        callback.accept(answer());
    }

    Response answer() {
        boolean unread = end == End.UNREAD_RESET || end == End.STOPPED_UNREAD;
        Body body = Body.of(ByteBuffer.wrap(new byte[unread || large ? LARGE : 4]));
        Response response = Bodies.response(body.onReleased(() -> { }));
        meet(Kept.BODY, body);
        meet(Kept.RESPONSE, response);
        return response;
    }

    private void meet(Kept part, Object object) {
        if (kept == part) held.add(object);
        if (!kept.has(part)) rest.put(new WeakReference<>(object), part.name().toLowerCase(Locale.ROOT));
    }

    /**
     * What of the rest is alive, and, where it is known, how it is reached from what is kept.
     *
     * @param timedOut whether the handler's time is over, until which its place among the pending requests
     *                 is held, though the client is gone, so that server and callback know each other
     */
    List<String> alive(boolean timedOut) {
        var alive = new ArrayList<String>();
        rest.forEach((reference, name) -> {
            Object object = reference.get();
            if (hasPlace(timedOut) && object instanceof Exchange) return;
            if (object != null) alive.add(this + " keeps the " + name + paths(other -> other == object));
        });
        return alive;
    }

    private boolean hasPlace(boolean timedOut) {
        return !timedOut && end == End.RESET;
    }

    /** The path to what is not for somebody who has but this, of each object that is kept. */
    List<String> foreign(boolean timedOut) {
        if (hasPlace(timedOut)) return List.of();
        List<String> paths = paths(this::isForeign);
        return paths.isEmpty() ? paths : List.of(this + " reaches " + paths);
    }

    private boolean isForeign(Object object) {
        boolean part = object instanceof Request || object instanceof Response || object instanceof Body
                || object instanceof Exchange;
        return FOREIGN.stream().anyMatch(type -> type.isInstance(object)) || part && !isOwn(object);
    }

    private boolean isOwn(Object object) {
        return object instanceof Body && kept == Kept.RESPONSE
                || object instanceof Exchange && kept == Kept.WRAPPED_CALLBACK;
    }

    private List<String> paths(Predicate<Object> wanted) {
        return held.stream().map(object -> ObjectGraph.path(object, KeptExchange::isOpen, wanted))
                .filter(Objects::nonNull).toList();
    }

    /** What a program has written it may keep. */
    static boolean isOpen(Object object) {
        return !(object instanceof Handler || object instanceof BlockingHandler || object instanceof Logger);
    }

    @Override
    public String toString() {
        return kept + " of " + end + (large ? ", large" : "");
    }
}
