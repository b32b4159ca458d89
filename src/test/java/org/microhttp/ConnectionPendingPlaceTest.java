package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.microhttp.testing.TestServer;

/**
 * R4c: the handler never has more requests than it may, though their clients are gone; a place comes back
 * once, with the first answer or when the handler has had its time.
 */
class ConnectionPendingPlaceTest extends ConnectionFixture {

    private static final int MOST = 3;
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    /** The callbacks of requests that were answered at once. */
    private final List<Consumer<Response>> answered = new ArrayList<>();

    @BeforeEach
    void start() throws IOException {
        var options = new Options().withMaxPendingRequests(MOST).withHandlerTimeout(TIMEOUT);
        loop = new ScriptedLoop(options, (request, callback) -> {
            answered.add(callback);
            callback.accept(TestServer.ok(request.target()));
        });
    }

    private ScriptedLoop.Client later() throws IOException {
        return loop.connect().turn(get("/later"));
    }

    private void answer(int number) {
        elsewhere(() -> loop.later.get(number).accept(TestServer.ok("answer")));
        loop.runTasks();
    }

    /** How many requests can be handed over now; they stay with the handler. */
    private int free() throws IOException {
        int before = loop.later.size();
        for (int i = 0; i < MOST + 2; i++) {
            later();
        }
        return loop.later.size() - before;
    }

    @Test
    void isNotFreeBecauseTheClientIsGone() throws Exception {
        for (int i = 0; i < 100; i++) {
            reset(later());
        }
        assertEquals(MOST, loop.later.size());
        assertLogged(100 - MOST, "overload");
    }

    @Test
    void isFreeWithTheFirstAnswerThoughTheClientIsGone() throws Exception {
        for (int i = 0; i < MOST; i++) {
            reset(later());
        }
        answer(0);
        answer(0);
        assertEquals(1, free());
    }

    @Test
    void isFreeOnceWhenTheHandlersTimeIsOver() throws Exception {
        for (int i = 0; i < MOST; i++) {
            reset(later());
        }
        loop.passTime(TIMEOUT.plusSeconds(1));
        assertEquals(MOST, free());
        for (int i = 0; i < MOST; i++) {
            answer(i);
        }
        assertEquals(0, free());
    }

    /** A handler that first does something else, such as to look up who asks, and has a function run then. */
    @Test
    void isFreeIfTheClientIsGoneBeforeTheRequestIsGivenToAnExecutor() throws Exception {
        var executed = new ArrayList<Runnable>();
        var calls = new AtomicInteger();
        Handler blocking = Handler.blocking(executed::add, request -> {
            calls.incrementAndGet();
            return TestServer.ok("");
        });
        var given = new ArrayList<Runnable>();
        try (var one = new ScriptedLoop(new Options().withMaxPendingRequests(1),
                (request, callback) -> given.add(() -> blocking.handle(request, callback)))) {
            reset(one.connect().turn(get("/")));
            given.get(0).run();
            assertEquals(0, executed.size());
            one.runTasks();
            assertEquals(0, calls.get());
            one.connect().turn(get("/"));
            assertEquals(2, given.size());
        }
    }

    @Test
    void isFreeInTimeThoughAnEarlierRequestIsAnsweredAgain() throws Exception {
        var client = loop.connect().turn(get("/") + get("/later"));
        reset(client);
        answered.get(0).accept(TestServer.ok("again"));
        loop.runTasks();
        loop.passTime(TIMEOUT.plusSeconds(1));
        assertEquals(MOST, free());
    }

    @Test
    void isFreeWithTheAnswerThatFindsTheClientGoneWhenTheLoopLeaves() throws Exception {
        var client = later();
        loop.leave();
        client.channel.reset();
        answer(0);
        client.expectClosed();
        assertEquals(MOST, free());
    }
}
