package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.testing.MovedClock;
import org.microhttp.testing.RawClient;
import org.microhttp.testing.TestServer;

/** Who listens is told once that nobody waits for an answer any more, and never if there is one. */
class AbandonedTest {

    private record Asked(Request request, Consumer<Response> callback) {
    }

    /** Why nobody waits. */
    enum Gone { CLIENT, TIME, SERVER }

    private final MovedClock clock = new MovedClock();
    private final BlockingQueue<Asked> asked = new ArrayBlockingQueue<>(10);
    private final BlockingQueue<Thread> told = new ArrayBlockingQueue<>(10);
    private final AtomicInteger known = new AtomicInteger();

    private TestServer server() throws Exception {
        Options options = clock.in(TestServer.options()).withHandlerTimeout(Duration.ofMinutes(1));
        return new TestServer(options, (request, callback) -> {
            if (request.target().equals("/now")) {
                callback.accept(TestServer.ok(""));
                request.onAbandoned(() -> told.add(Thread.currentThread()));
            }
            asked.add(new Asked(request, callback));
        });
    }

    private void leave(Gone gone, TestServer server, RawClient client) throws Exception {
        switch (gone) {
            case CLIENT -> {
                client.reset();
                server.awaitEvent("close");
                clock.pass(server.itself, Duration.ZERO);
            }
            case TIME -> clock.pass(server.itself, Duration.ofMinutes(2));
            case SERVER -> server.stop();
        }
    }

    @ParameterizedTest
    @EnumSource
    void isToldOnceOnTheLoopsThread(Gone gone) throws Exception {
        try (var server = server()) {
            RawClient client = server.connect().get("/later");
            Asked one = asked.take();
            one.request.onAbandoned(() -> {
                if (one.request.isAbandoned()) known.incrementAndGet();
                throw new IllegalStateException("on purpose");
            });
            one.request.onAbandoned(() -> told.add(Thread.currentThread()));
            assertEquals(0, known.get());
            leave(gone, server, client);
            assertEquals(1, known.get());
            assertEquals(List.of(server.thread), List.copyOf(told));
            assertEquals(1, server.log.count("handler_error"));
            one.callback.accept(TestServer.ok("too late"));
        }
        assertEquals(1, told.size());
    }

    /** As the handler behind a router and a filter listens, which pass on copies. */
    @ParameterizedTest
    @EnumSource
    void isToldByEachCopy(Gone gone) throws Exception {
        try (var server = server()) {
            RawClient client = server.connect().get("/later");
            Request original = asked.take().request;
            Request copy = original.withTarget("/").withHeader("A", "b").withAttribute(Gone.class, gone);
            assertEquals(original.remoteAddress(), copy.remoteAddress());
            copy.onAbandoned(() -> told.add(Thread.currentThread()));
            original.onAbandoned(() -> told.add(Thread.currentThread()));
            assertFalse(copy.isAbandoned());
            leave(gone, server, client);
            assertTrue(copy.isAbandoned());
            assertEquals(List.of(server.thread, server.thread), List.copyOf(told));
        }
    }

    @ParameterizedTest
    @EnumSource
    void isToldWhoListensTooLate(Gone gone) throws Exception {
        try (var server = server()) {
            RawClient client = server.connect().get("/later");
            Request request = asked.take().request;
            leave(gone, server, client);
            request.onAbandoned(() -> told.add(Thread.currentThread()));
            assertSame(Thread.currentThread(), told.remove());
        }
        assertEquals(0, told.size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/now", "/later"})
    void isNotToldOnceThereIsAnAnswer(String target) throws Exception {
        try (var server = server()) {
            RawClient client = server.connect().get(target);
            Asked one = asked.take();
            one.request.onAbandoned(() -> told.add(Thread.currentThread()));
            one.callback.accept(TestServer.ok(""));
            client.response();
            leave(Gone.CLIENT, server, client);
            one.request.onAbandoned(() -> told.add(Thread.currentThread()));
            assertFalse(one.request.isAbandoned());
        }
        assertEquals(List.of(), List.copyOf(told));
    }

    /** However many listen, and though a handler that fails is wrapped by one that goes on. */
    @Test
    void tellsAllWhoListen() throws Exception {
        Handler failing = Handler.blocking(Runnable::run, request -> {
            throw new IllegalStateException("on purpose");
        });
        Handler fallback = (request, callback) -> {
            for (int i = 0; i < 20_000; i++) {
                request.onAbandoned(() -> known.incrementAndGet());
            }
            failing.handle(request, response -> asked.add(new Asked(request, callback)));
        };
        try (var server = new TestServer(clock.in(TestServer.options()), fallback)) {
            RawClient client = server.connect().get("/");
            asked.take();
            leave(Gone.CLIENT, server, client);
            assertEquals(20_000, known.get());
        }
    }

    /** The cause of the first is logged with the response of the second. */
    @Test
    void logsWhyAHandlerFailedThatAnotherStandsInFor() throws Exception {
        var cause = new IllegalStateException("on purpose");
        Handler failing = Handler.blocking(Runnable::run, request -> {
            throw cause;
        });
        Handler second = Handler.blocking(Runnable::run, request -> TestServer.ok("second"));
        Handler fallback = (request, callback) ->
                failing.handle(request, response -> second.handle(request, callback));
        try (var server = new TestServer(fallback)) {
            server.connect().get("/").expectOk("second");
            assertSame(cause, server.awaitEvent("handler_error").cause());
            assertEquals(1, server.log.count("handler_error"));
        }
    }

    @Test
    void isNotToldOfARequestWithoutAServer() {
        var request = new Request("GET", "/", "HTTP/1.1", List.of(), new byte[0]);
        request.onAbandoned(() -> told.add(Thread.currentThread()));
        assertFalse(request.isAbandoned());
        assertThrows(NullPointerException.class, () -> request.onAbandoned(null));
        assertEquals(0, told.size());
    }
}
