package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.protocol.RequestParser;
import org.microhttp.testing.ObjectGraph;

/**
 * What a program keeps of an exchange that is over keeps nothing else alive: from a callback no connection,
 * request or response can be reached, from a request or a response nothing of the server, from a task in an
 * executor nothing at all, and from the loop and an open connection nothing of the exchange.
 */
class ReachabilityTest extends ConnectionFixture {

    private static final int COLLECTIONS = 20;

    /** How the exchange ends. */
    private enum End {

        INLINE, TO_HEAD, TWICE, NULL, FAILED, THREW, THREW_AFTER, REJECTED, DROPPED, PIPELINED,
        ELSEWHERE, ELSEWHERE_TWICE, ELSEWHERE_NULL, HALF_CLOSED, SPOILED,
        RESET, RESET_LATE, UNREAD_RESET, TIMEOUT, TIMEOUT_LATE, STOPPED, STOPPED_LATE, STOPPED_UNREAD;

        boolean isUnread() {
            return this == UNREAD_RESET || this == STOPPED_UNREAD;
        }
    }

    /** What the program keeps. */
    private enum Kept {

        NOTHING, CALLBACK, WRAPPED_CALLBACK, REQUEST, COPY, ERROR_REQUEST, RESPONSE, BODY, TASK;

        private boolean has(Kept part) {
            return this == part || this == WRAPPED_CALLBACK && part == CALLBACK
                    || this == RESPONSE && part == BODY;
        }
    }

    /** What is the server's or another's, and not for a program that keeps a part of an exchange. */
    private static final List<Class<?>> FOREIGN = List.of(Connection.class, ClientSocket.class,
            LoopContext.class, GroupContext.class, Handler.class, BlockingHandler.class, RequestParser.class,
            ResponseQueue.class, java.nio.channels.SelectionKey.class, java.nio.channels.Channel.class);

    private End end;
    private Kept kept;

    /** What the program keeps, and all else of the exchange, each with its name. */
    private final List<Object> held = new ArrayList<>();
    private final Map<WeakReference<Object>, String> rest = new HashMap<>();

    /** The callback until the test takes it. */
    private Consumer<Response> pending;

    private void handle(Request request, Consumer<Response> callback) {
        if (request.path().equals("/plain")) {
            callback.accept(Response.text(200, "plain"));
            return;
        }
        meet(Kept.REQUEST, request);
        meet(Kept.COPY, request.withTarget("/").withHeader("X", "y").withAttribute(End.class, end));
        meet(Kept.CALLBACK, callback);
        Runnable listener = held::size;
        request.onAbandoned(listener);
        rest.put(new WeakReference<>(listener), "listener");
        if (kept == Kept.WRAPPED_CALLBACK) held.add((Consumer<Response>) answer -> callback.accept(answer));
        if (kept == Kept.TASK) {
            blocking(held::add).handle(request, callback);
        } else {
            answer(request, callback);
        }
    }

    private void answer(Request request, Consumer<Response> callback) {
        switch (end) {
            case INLINE, TO_HEAD, PIPELINED, UNREAD_RESET, STOPPED_UNREAD -> callback.accept(response());
            case TWICE -> answerTwice(callback);
            case NULL -> callback.accept(null);
            case FAILED -> callback.accept(Response.failed(new IOException("mine")).withHeader("X", "1"));
            case THREW -> throw new IllegalStateException("mine");
            case THREW_AFTER -> {
                callback.accept(response());
                throw new IllegalStateException("mine");
            }
            case REJECTED -> blocking(task -> {
                throw new RejectedExecutionException("mine");
            }).handle(request, callback);
            case DROPPED -> {
                blocking(task -> { }).handle(request, callback);
                callback.accept(response());
            }
            default -> pending = callback;
        }
    }

    private Handler blocking(Executor executor) {
        return Handler.blocking(executor, request -> response());
    }

    private void answerTwice(Consumer<Response> callback) {
        callback.accept(response());
        callback.accept(response());
    }

    private Response response() {
        Body body = Body.of(ByteBuffer.wrap(new byte[end.isUnread() ? 1 << 20 : 4]));
        Response response = Bodies.response(body.onReleased(() -> { }));
        meet(Kept.BODY, body);
        meet(Kept.RESPONSE, response);
        return response;
    }

    private Response replace(ServerError error) {
        if (error.code().equals("bad_request_line")) return error.response();
        meet(Kept.ERROR_REQUEST, error.request());
        var own = new Response(error.status(), List.of(), new byte[9]);
        for (Object part : List.of(error, error.response(), own, own.body())) {
            // one of the server's is shared
            if (part != Response.FAILED) rest.put(new WeakReference<>(part), part.getClass().getName());
        }
        return own;
    }

    private void meet(Kept part, Object object) {
        if (kept == part) held.add(object);
        if (!kept.has(part)) rest.put(new WeakReference<>(object), part.name().toLowerCase(Locale.ROOT));
    }

    /** Ends the exchange whose request has come. */
    private void end() {
        switch (end) {
            case PIPELINED -> client.turn(get("/plain") + get("/plain"));
            case HALF_CLOSED -> {
                client.channel.end();
                client.turn();
            }
            case SPOILED -> client.turn("wrong\r\n\r\n");
            case RESET, RESET_LATE, UNREAD_RESET -> reset(client);
            case TIMEOUT, TIMEOUT_LATE -> client.timeOut();
            case STOPPED, STOPPED_LATE, STOPPED_UNREAD -> {
                client.connection.free();
                loop.context.tasks.close();
            }
            default -> { }
        }
        boolean never = end == End.RESET || end == End.TIMEOUT || end == End.STOPPED;
        Consumer<Response> late = never ? null : pending;
        pending = null;
        if (late == null) return;
        elsewhere(() -> {
            switch (end) {
                case ELSEWHERE_TWICE -> answerTwice(late);
                case ELSEWHERE_NULL -> late.accept(null);
                default -> late.accept(response());
            }
        });
    }

    private boolean isForeign(Object object) {
        boolean own = object instanceof Body && kept == Kept.RESPONSE
                || object instanceof Exchange && kept == Kept.WRAPPED_CALLBACK
                || object instanceof BlockingHandler && kept == Kept.TASK;
        boolean part = object instanceof Request || object instanceof Response || object instanceof Body
                || object instanceof Exchange;
        return !own && (part || FOREIGN.stream().anyMatch(type -> type.isInstance(object)));
    }

    /** Says whether an object is looked into: what a program has written, it may keep. */
    static boolean isOpen(Object object) {
        return !(object instanceof Handler || object instanceof BlockingHandler || object instanceof Logger);
    }

    private static String path(Object from, Predicate<Object> wanted) {
        return ObjectGraph.path(from, ReachabilityTest::isOpen, wanted);
    }

    /** Paths from what is kept, and from the server, to what is not for them. */
    private List<String> paths() {
        var paths = new ArrayList<String>();
        held.forEach(object -> paths.add(path(object, this::isForeign)));
        for (Object root : List.of(loop.context, client.connection)) {
            Collection<Object> reached = ObjectGraph.all(root, ReachabilityTest::isOpen);
            rest.forEach((reference, name) -> {
                Object one = reference.get();
                if (one != null && reached.contains(one)) paths.add(path(root, object -> object == one));
            });
        }
        paths.removeIf(Objects::isNull);
        return paths.stream().map(path -> kept + ": " + path).toList();
    }

    /** What is alive, though nothing but what is kept, and the server, may refer to it. */
    private static List<String> alive(Map<WeakReference<Object>, String> rest) {
        for (int i = 0; i < COLLECTIONS && !rest.isEmpty(); i++) {
            System.gc();
            rest.keySet().removeIf(reference -> reference.get() == null);
        }
        return List.copyOf(rest.values());
    }

    private boolean isPossible() {
        return kept != Kept.TASK || end == End.RESET || end == End.TIMEOUT || end == End.STOPPED;
    }

    @ParameterizedTest
    @EnumSource
    void keptObjectsRetainNothingElse(End one) throws IOException {
        end = one;
        var wrong = new ArrayList<String>();
        var all = new HashMap<WeakReference<Object>, String>();
        var reachable = new ArrayList<Object>();
        for (boolean counted : new boolean[] {true, false}) {
            for (Kept part : Kept.values()) {
                kept = part;
                if (!isPossible()) continue;
                run(counted);
                wrong.addAll(paths());
                rest.forEach((reference, name) -> all.put(reference, part + " keeps the " + name));
                rest.clear();
                reachable.addAll(List.of(List.copyOf(held), loop, client));
                held.clear();
                loop.close();
            }
        }
        wrong.addAll(alive(all));
        assertEquals("", String.join("\n", wrong));
        Reference.reachabilityFence(reachable);
    }

    private void run(boolean counted) throws IOException {
        Options options = new Options().withErrorHandler(this::replace)
                .withHandlerTimeout(Duration.ofMinutes(1));
        loop = new ScriptedLoop(counted ? options.withMaxPendingRequests(1_000) : options,
                counted ? null : new NoopLogger(), this::handle);
        client = loop.connect();
        if (end.isUnread()) client.channel.room = 1000;
        client.turn((end == End.TO_HEAD ? "HEAD" : "POST") + " / HTTP/1.1\r\nHost: x\r\n"
                + "Content-Length: 4\r\n\r\nbody");
        end();
        if (end != End.STOPPED_LATE) loop.runTasks();
        // until the handler's time is over, its place is held, and server and callback know each other
        loop.passTime(Duration.ofHours(1));
    }
}
