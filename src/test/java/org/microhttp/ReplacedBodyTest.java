package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A body that {@link Handler#andThen} has replaced stays open as long as the one that replaces it may read
 * it; each is released once, whatever becomes of the response.
 */
class ReplacedBodyTest extends ConnectionFixture {

    private static final String TEXT = Bodies.text(200_000);

    /** What is released, in this order. */
    private final List<String> released = new ArrayList<>();
    private int changes;

    private Body named(String name, Body body) {
        return body.onReleased(() -> released.add(name));
    }

    /** Signals another body, piece by piece, which must be open when it is read. */
    private Body lazy(Body other) {
        return Body.of(subscriber -> subscriber.onSubscribe(new Flow.Subscription() {

            private long at;

            @Override
            public void request(long count) {
                assertFalse(released.contains("inner"), "it is released");
                var piece = ByteBuffer.allocate(10_000);
                try {
                    at += other.read(at, piece);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                subscriber.onNext(piece.flip());
                if (at == other.length()) subscriber.onComplete();
            }

            @Override
            public void cancel() { }
        }));
    }

    /** How the function makes a response from the given one. */
    enum Change {

        READS_LATER, WITH_BODY, COPIES, OTHER, SAME_BODY, ADDS_ACTION, NOT_MODIFIED, THROWS, NULL;

        private Response of(Response inner, ReplacedBodyTest test) {
            return switch (this) {
                case READS_LATER -> Bodies.response(test.named("outer", test.lazy(inner.body())));
                case WITH_BODY -> inner.withBody(test.named("outer", test.lazy(inner.body())));
                case COPIES -> inner.withHeader("X", "y");
                case OTHER -> Bodies.response(test.named("outer", Bodies.HEAP.of(TEXT)));
                case SAME_BODY -> new Response(200, List.of(), inner.body());
                case ADDS_ACTION -> new Response(200, List.of(), test.named("outer", inner.body()));
                case NOT_MODIFIED -> new Response(304, List.of(), new byte[0]);
                case THROWS -> throw new IllegalStateException("on purpose");
                case NULL -> null;
            };
        }

        private boolean releasesMore() {
            return this == READS_LATER || this == WITH_BODY || this == OTHER || this == ADDS_ACTION;
        }
    }

    private void serve(BiFunction<Request, Response, Response> change) throws IOException {
        Handler inner = (request, callback) ->
                callback.accept(Bodies.response(named("inner", Bodies.FILE.of(TEXT))));
        Handler outer = inner.andThen(change).andThen((request, response) -> response.withHeader("A", "b"))
                .andThen((request, response) -> new Response(response.status(), response.headers(),
                        response.body()));
        start(new Options().withSendBufferSize(4096), outer);
    }

    private void serve(Change change) throws IOException {
        serve((request, response) -> {
            changes++;
            return change.of(response, this);
        });
    }

    private void assertReleased(Change change, int times) {
        for (String name : change.releasesMore() ? List.of("outer", "inner") : List.of("inner")) {
            assertEquals(times, released.stream().filter(name::equals).count(), name);
        }
    }

    @ParameterizedTest
    @EnumSource
    void isReleasedOnceWhenTheOtherIsSent(Change change) throws Exception {
        serve(change);
        client.channel.room = 0;
        client.turn(get("/"));
        loop.runTasks();
        assertReleased(change, 0);
        client.channel.room = Integer.MAX_VALUE;
        client.drain();
        for (int i = 0; i < 50; i++) {
            loop.runTasks();
        }
        assertReleased(change, 1);
        client.turn(get("/").replace("GET", "HEAD"));
        assertReleased(change, 2);
        assertEquals(2, changes);
        assertLogged(0, "publisher_error");
        assertLogged(0, "body_error");
    }

    @ParameterizedTest
    @EnumSource
    void isReleasedOnceWhenTheOtherIsDropped(Change change) throws Exception {
        serve(change);
        client.channel.room = 0;
        client.turn(get("/"));
        reset(client);
        assertReleased(change, 1);
    }

    /** A plain wrapping handler need not know that there was another body. */
    @Test
    void isReleasedWithEveryResponseThatHasTheOther() throws IOException {
        Handler inner = Handler.of(request -> Bodies.response(named("inner", Bodies.FILE.of(TEXT)))
                .withBody(named("outer", Bodies.HEAP.of(TEXT))));
        start((request, callback) -> inner.handle(request, response ->
                callback.accept(new Response(200, List.of(), response.body()))));
        client.turn(get("/")).drain();
        assertEquals(List.of("outer", "inner"), released);
    }

    @ParameterizedTest
    @EnumSource
    void whatAReleaseThrowsCallsNoCallbackAgain(Change change) throws Exception {
        Handler inner = Handler.blocking(Runnable::run, request -> Bodies.response(
                Bodies.HEAP.of(TEXT).onReleased(() -> {
                    released.add("inner");
                    throw new IllegalStateException("on purpose");
                })));
        start(inner.andThen((request, response) -> {
            changes++;
            return change.of(response, this);
        }));
        client.turn(get("/")).drain();
        for (int i = 0; i < 50; i++) {
            loop.runTasks();
        }
        assertEquals(1, changes);
        assertReleased(change, 1);
    }

    /** Those that are replaced count among the files that a connection may keep open. */
    @Test
    void keepsFewFilesOpenForOneClient() throws Exception {
        serve(Change.NOT_MODIFIED);
        client.channel.room = 0;
        client.turn(get("/").repeat(50));
        assertEquals(8, changes);
    }
}
