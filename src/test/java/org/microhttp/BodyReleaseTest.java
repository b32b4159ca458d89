package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.testing.*;

/** A response is released once for each time that it was given to a callback, whatever becomes of it. */
class BodyReleaseTest extends ConnectionFixture {

    private static final int LARGE = 200_000;
    private static final int BUFFER = 64 * 1024;

    private final AtomicInteger released = new AtomicInteger();
    private final List<Consumer<Response>> answers = new ArrayList<>();
    private Consumer<Consumer<Response>> handler;

    @BeforeEach
    void start() throws IOException {
        loop = new ScriptedLoop(new Options().withMaxPendingRequests(100), (request, callback) -> {
            answers.add(callback);
            handler.accept(callback);
        });
    }

    private Response response(int length) {
        return response(Bodies.HEAP, length);
    }

    private Response response(Bodies kind, int length) {
        return Bodies.response(kind.of(Bodies.text(length)).onReleased(released::incrementAndGet));
    }

    private void assertReleased(int times) {
        assertEquals(times, released.get());
    }

    private ScriptedLoop.Client ask(String target) throws IOException {
        return loop.connect().turn(get(target));
    }

    @ParameterizedTest
    @EnumSource
    void isReleasedWhenItIsSent(Bodies kind) throws Exception {
        Response response = response(kind, LARGE);
        handler = callback -> callback.accept(response);
        var client = loop.connect();
        client.channel.take(1000, 0, BUFFER, 0, BUFFER, 0);
        client.turn(get("/"));
        while (client.isWriting()) {
            assertReleased(0);
            client.turn();
        }
        assertReleased(1);
        client.turn(get("/") + get("/")).drain();
        assertReleased(3);
    }

    @Test
    void isReleasedIfItsResponseCannotBeMade() {
        Body body = Bodies.HEAP.of("text").onReleased(released::incrementAndGet);
        assertThrows(IllegalArgumentException.class, () -> Response.of(200, "a\r\nb", body));
        assertThrows(IllegalArgumentException.class, () -> Response.of(99, "text/plain", body));
        assertReleased(2);
        assertThrows(NullPointerException.class, () -> Response.of(200, "text/plain", (Body) null));
    }

    @ParameterizedTest
    @EnumSource
    void isReleasedIfNothingOfItIsSent(Bodies kind) throws Exception {
        handler = callback -> callback.accept(response(kind, 100));
        loop.connect().turn("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n");
        assertReleased(1);
        Body body = kind.of("text").onReleased(released::incrementAndGet);
        handler = callback -> callback.accept(new Response(304, "Not Modified", List.of(), body));
        ask("/");
        assertReleased(2);
    }

    @Test
    void isReleasedAsASecondAnswer() throws Exception {
        handler = callback -> {
            callback.accept(response(10));
            assertReleased(0);
            callback.accept(response(10));
            assertReleased(1);
        };
        ask("/");
        assertReleased(2);
        elsewhere(() -> answers.get(0).accept(response(10)));
        answers.get(0).accept(response(10));
        loop.runTasks();
        assertReleased(4);
    }

    @Test
    void isReleasedAsALateAnswer() throws Exception {
        var gone = loop.connect();
        gone.turn(get("/later"));
        gone.connection.free();
        var over = loop.connect();
        over.turn(get("/later")).timeOut();
        for (Consumer<Response> late : loop.later) {
            elsewhere(() -> late.accept(response(10)));
            late.accept(response(10));
            late.accept(null);
        }
        loop.runTasks();
        assertReleased(4);
    }

    /** Of one that is on its way when the connection ends, or the time is over. */
    @Test
    void isReleasedIfItsConnectionEndsOneTurnEarlier() throws Exception {
        var gone = loop.connect();
        gone.turn(get("/later"));
        elsewhere(() -> loop.later.get(0).accept(response(10)));
        gone.connection.free();
        loop.runTasks();
        assertReleased(1);
        var claimed = loop.connect();
        claimed.turn(get("/later"));
        elsewhere(() -> loop.later.get(1).accept(response(10)));
        claimed.timeOut();
        loop.runTasks();
        claimed.expect(ok(Bodies.text(10)));
        assertReleased(2);
    }

    @Test
    void isReleasedByTheThreadThatAnswersAnEndedLoop() throws Exception {
        ask("/later");
        loop.context.tasks.close();
        var threads = new ArrayList<Thread>();
        Body body = Bodies.HEAP.of("text").onReleased(() -> threads.add(Thread.currentThread()));
        var own = new Thread[1];
        elsewhere(() -> {
            own[0] = Thread.currentThread();
            loop.later.get(0).accept(Bodies.response(body));
            loop.later.get(0).accept(Bodies.response(body));
        });
        assertEquals(List.of(own[0], own[0]), threads);
    }

    @Test
    void failingReleaseHarmsNoOtherConnection() throws Exception {
        var failure = new IllegalStateException("in the release");
        Body body = Bodies.HEAP.of("text").onReleased(() -> {
            released.incrementAndGet();
            throw failure;
        });
        handler = callback -> callback.accept(Bodies.response(body));
        var client = ask("/").turn(get("/"));
        client.expect(ok("text").repeat(2));
        assertReleased(2);
        assertSame(failure, loop.log.await("handler_error").cause());
    }

    /** A copy has the actions of the body that was copied; each runs once, the last first. */
    @ParameterizedTest
    @EnumSource
    void runsTheActionsOfTheCopyThatWasSent(Bodies kind) throws Exception {
        var run = new ArrayList<String>();
        Body whole = kind.of("text").onReleased(() -> run.add("close"));
        Body given = whole.onReleased(() -> run.add("count")).withHeadAtOnce();
        whole.onReleased(() -> run.add("never"));
        handler = callback -> callback.accept(Bodies.response(given));
        ask("/").expect(ok("text"));
        assertEquals(List.of("count", "close"), run);
        // copies of one body may replace each other
        Response other = Bodies.response(given).withBody(whole.onReleased(() -> run.add("other")));
        handler = callback -> callback.accept(other);
        ask("/").expect(ok("text"));
        assertEquals(List.of("count", "close", "other", "close", "count"), run);
    }

    @Test
    void runsEveryActionThoughOthersThrow() {
        var failure = new IllegalStateException("first");
        var run = new ArrayList<String>();
        Response response = Bodies.response(Bodies.HEAP.of("text").onReleased(() -> run.add("close"))
                .onReleased(() -> {
                    throw new IllegalStateException("second");
                }).onReleased(() -> {
                    throw failure;
                }));
        assertSame(failure, assertThrows(IllegalStateException.class, response::release));
        assertEquals("second", failure.getSuppressed()[0].getMessage());
        assertEquals(List.of("close"), run);
    }

    @Test
    void isNotReleasedBeforeItIsGivenToTheCallback() throws Exception {
        Response response = response(10);
        handler = callback -> callback.accept(null);
        ask("/");
        assertReleased(0);
        assertEquals(200, response.status());
    }
}
