package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.testing.TestServer;

/** A listener is called once when no client waits for the response any more, never after a response. */
class AbandonedTest extends ConnectionFixture {

    /** Why no client waits. */
    enum Gone { CLIENT, TIME, SERVER }

    private final List<String> called = new ArrayList<>();
    private Request request;
    private Consumer<Response> callback;

    /** Sends a request for this target; for /now the handler answers before it listens. */
    private void send(String target) throws IOException {
        start((asked, answer) -> {
            request = asked;
            callback = answer;
            if (!target.equals("/now")) return;
            answer.accept(TestServer.ok(""));
            asked.onAbandoned(() -> called.add("though it was answered"));
        });
        client.turn(get(target));
    }

    private void leave(Gone gone) {
        switch (gone) {
            case CLIENT -> reset(client);
            case TIME -> loop.passTime(Duration.ofHours(1));
            case SERVER -> client.connection.free();
        }
    }

    /** A copy is what a handler behind a router or a filter gets. */
    @ParameterizedTest
    @EnumSource
    void eachListenerIsCalledOnceAlsoOfACopyAndThoughAnotherFails(Gone gone) throws Exception {
        send("/");
        Request copy = request.withTarget("/a").withHeader("A", "b").withAttribute(Gone.class, gone);
        assertEquals(request.remoteAddress(), copy.remoteAddress());
        request.onAbandoned(() -> {
            called.add("first " + request.isAbandoned());
            throw new IllegalStateException("on purpose");
        });
        request.onAbandoned(() -> called.add("second"));
        copy.onAbandoned(() -> called.add("copy " + copy.isAbandoned()));
        assertFalse(copy.isAbandoned());
        leave(gone);
        assertEquals(List.of("copy true", "second", "first true"), called);
        assertLogged(1, "handler_error");
        elsewhere(() -> callback.accept(TestServer.ok("too late")));
        loop.runTasks();
        elsewhere(() -> request.onAbandoned(() -> called.add("at once")));
        assertEquals("at once", called.remove(3));
        assertEquals(3, called.size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/now", "/"})
    void noListenerIsCalledOnceThereIsAnAnswer(String target) throws Exception {
        send(target);
        request.onAbandoned(() -> called.add("before"));
        callback.accept(TestServer.ok(""));
        loop.runTasks();
        client.drain();
        leave(Gone.CLIENT);
        request.onAbandoned(() -> called.add("after"));
        assertFalse(request.isAbandoned());
        assertEquals(List.of(), called);
    }

    /** And though a handler that fails is wrapped by one that goes on. */
    @Test
    void thereMayBeManyListeners() throws Exception {
        Handler failing = Handler.blocking(Runnable::run, asked -> {
            throw new IllegalStateException("on purpose");
        });
        start((asked, answer) -> {
            for (int i = 0; i < 20_000; i++) {
                asked.onAbandoned(() -> called.add("one"));
            }
            failing.handle(asked, response -> { });
        });
        client.turn(get("/"));
        leave(Gone.CLIENT);
        assertEquals(20_000, called.size());
    }

    /** The cause of the first is logged with the response of the second. */
    @Test
    void theFailureOfAHandlerIsLoggedThoughAnotherAnswers() throws Exception {
        var cause = new IllegalStateException("on purpose");
        Handler failing = Handler.blocking(Runnable::run, asked -> {
            throw cause;
        });
        Handler second = Handler.blocking(Runnable::run, asked -> TestServer.ok("second"));
        start((asked, answer) -> failing.handle(asked, response -> second.handle(asked, answer)));
        client.turn(get("/"));
        loop.runTasks();
        client.expect(ok("second"));
        assertSame(cause, loop.log.await("handler_error").cause());
        assertLogged(1, "handler_error");
    }

    /** A handler may first do something else, and then call one that blocks. */
    @Test
    void aRequestThatIsAbandonedBeforeItsTaskIsMadeReleasesItsPlace() throws Exception {
        var tasks = new ArrayList<Runnable>();
        Handler blocking = Handler.blocking(tasks::add, asked -> TestServer.ok(""));
        var calls = new ArrayList<Runnable>();
        start(new Options().withMaxPendingRequests(1),
                (asked, answer) -> calls.add(() -> blocking.handle(asked, answer)));
        reset(client.turn(get("/")));
        elsewhere(() -> calls.get(0).run());
        assertEquals(List.of(), tasks);
        assertEquals(1, Inside.used(loop.context.group.requests));
        loop.runTasks();
        assertEquals(0, Inside.used(loop.context.group.requests));
    }

    @Test
    void aRequestWithoutAServerIsNotAbandoned() {
        var alone = new Request("GET", "/", "HTTP/1.1", List.of(), new byte[0]);
        alone.onAbandoned(() -> called.add("never"));
        assertFalse(alone.isAbandoned());
        assertThrows(NullPointerException.class, () -> alone.onAbandoned(null));
        assertEquals(List.of(), called);
    }
}
