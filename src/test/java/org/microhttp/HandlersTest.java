package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.microhttp.testing.*;

/** The short forms of a handler, as programs write them; their failures are answered and logged. */
class HandlersTest {

    /** How a handler is made of a function that responds, or fails. */
    private enum Form { AT_ONCE, ASYNC, ASYNC_AT_ONCE, BLOCKING, EXECUTOR }

    private static Handler handler(Form form) {
        return switch (form) {
            case AT_ONCE -> Handler.of(HandlersTest::respond);
            case ASYNC -> Handler.async(request -> CompletableFuture.supplyAsync(() -> unchecked(request)));
            case ASYNC_AT_ONCE -> Handler.async(request -> CompletableFuture.completedFuture(request)
                    .thenApply(HandlersTest::unchecked));
            case BLOCKING -> Handler.blocking(HandlersTest::respond);
            case EXECUTOR -> Handler.blocking(ForkJoinPool.commonPool(), HandlersTest::respond);
        };
    }

    private static Response unchecked(Request request) {
        try {
            return respond(request);
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    private static final IOException CHECKED = new IOException("on purpose");

    private static Response respond(Request request) throws IOException {
        return switch (request.path()) {
            case "/checked" -> throw CHECKED;
            case "/error" -> throw new StackOverflowError("on purpose");
            case "/null" -> null;
            default -> Response.text(200, "hello " + request.path());
        };
    }

    @ParameterizedTest
    @EnumSource
    void failureIsA500WithACauseInTheLog(Form form) throws Exception {
        try (var server = new TestServer(handler(form))) {
            RawClient client = server.connect();
            assertEquals("hello /a", client.get("/a").response().text());
            assertEquals(500, client.get("/checked").response().status());
            assertSame(CHECKED, server.awaitEvent("handler_error").cause());
            assertEquals(500, client.get("/error").response().status());
            assertInstanceOf(StackOverflowError.class, server.awaitEvent("handler_error", 2).cause());
            assertEquals(500, client.get("/null").response().status());
            assertEquals("hello /b", client.get("/b").response().text());
        }
    }

    /** What a handler around a blocking one replaces. */
    private enum Wrapping { CALLBACK, REQUEST, BOTH, RESPONSE }

    private static Handler wrapped(Wrapping wrapping) {
        Handler inner = Handler.blocking(HandlersTest::respond);
        return (request, callback) -> {
            var other = new Request("GET", request.target(), "HTTP/1.1", List.of(), new byte[0]);
            switch (wrapping) {
                case REQUEST -> inner.handle(other, callback);
                case BOTH -> inner.handle(other, callback::accept);
                case CALLBACK -> inner.handle(request, response ->
                        callback.accept(response.withHeader("X", "y")));
                case RESPONSE -> inner.handle(request, response ->
                        callback.accept(Response.text(502, response.failure().getMessage())));
            }
        };
    }

    @ParameterizedTest
    @EnumSource
    void causeOfABlockingHandlerIsLoggedWhateverWrapsIt(Wrapping wrapping) throws Exception {
        try (var server = new TestServer(wrapped(wrapping))) {
            RawResponse response = server.connect().get("/checked").response();
            assertEquals(wrapping == Wrapping.RESPONSE ? "502 on purpose" : "500 handler_error",
                    response.status() + " " + response.text().replaceFirst("(?s):.*", ""));
            assertEquals(wrapping == Wrapping.CALLBACK ? "y" : null, response.header("X"));
            assertSame(CHECKED, server.awaitEvent("handler_error").cause());
            assertEquals(1, server.log.count("handler_error"));
        }
    }

    /** Whatever way it fails, a wrapping handler sees it, and its response is what is sent. */
    static Stream<Handler> failing() {
        return Stream.of(
                Handler.of(HandlersTest::respond),
                Handler.async(request -> CompletableFuture.failedFuture(CHECKED)),
                Handler.async(request -> {
                    throw new UnsupportedOperationException("on purpose");
                }),
                Handler.async(request -> null),
                Handler.async(request -> CompletableFuture.completedFuture(null)),
                Handler.blocking(HandlersTest::respond),
                Handler.blocking(task -> {
                    throw new RejectedExecutionException("on purpose");
                }, HandlersTest::respond),
                (request, callback) -> {
                    throw new AssertionError("on purpose");
                });
    }

    @ParameterizedTest
    @MethodSource("failing")
    void failureIsSeenByAndThen(Handler handler) throws Exception {
        var seen = new LinkedBlockingQueue<Throwable>();
        try (var server = new TestServer(handler.andThen((request, response) -> {
            seen.add(response.failure());
            return response.withHeader("X", "y");
        }))) {
            RawResponse response = server.connect().get("/checked").response();
            assertEquals(500, response.status());
            assertEquals("y", response.header("X"));
            assertSame(seen.remove(), server.awaitEvent("handler_error").cause());
            assertEquals(1, server.log.count("handler_error"));
            assertEquals(Set.of(), new HashSet<>(seen));
        }
    }

    /** A callback that throws is called once more, with the failure: a wrapping handler may copy it. */
    @ParameterizedTest
    @EnumSource
    void callbackThatThrowsGetsTheFailure(Form form) throws Exception {
        Handler inner = handler(form);
        Handler outer = inner.wrappedBy((request, callback) -> inner.handle(request, response ->
                callback.accept(response.status() == 200 ? response.withHeader("X", "\r\n") : response)));
        try (var server = new TestServer(outer)) {
            assertEquals(500, server.connect().get("/a").response().status());
            assertInstanceOf(IllegalArgumentException.class, server.awaitEvent("handler_error").cause());
            assertEquals(1, server.log.count("handler_error"));
        }
    }

    /** On the loop's thread, which must not try again for ever. */
    @Test
    void callbackThatAlwaysThrowsIsA500() throws Exception {
        Handler blocking = Handler.blocking(Runnable::run, HandlersTest::respond);
        try (var server = new TestServer((request, callback) -> blocking.handle(request, response -> {
            throw new OutOfMemoryError("on purpose");
        }))) {
            assertEquals(500, server.connect().get("/").response().status());
        }
    }

    @Test
    void othersAreServedWhileAHandlerBlocks() throws Exception {
        var blocked = new CountDownLatch(1);
        Handler handler = Handler.blocking(request -> {
            if (request.target().equals("/slow")) TestServer.await(blocked);
            return TestServer.ok(request.target());
        });
        try (var server = new TestServer(handler)) {
            RawClient slow = server.connect().get("/slow");
            server.awaitEvent("read_request");
            server.connect().get("/quick").expectOk("/quick");
            blocked.countDown();
            slow.expectOk("/slow");
        }
    }

    /** What it throws then is logged, and so is that nobody waits for it. */
    @Test
    void failureAfterTheClientHasGoneIsLogged() throws Exception {
        var called = new CountDownLatch(1);
        var blocked = new CountDownLatch(1);
        Handler handler = Handler.blocking(request -> {
            called.countDown();
            TestServer.await(blocked);
            throw CHECKED;
        });
        try (var server = new TestServer(handler)) {
            RawClient client = server.connect().get("/slow");
            TestServer.await(called);
            client.reset();
            server.awaitEvent("close");
            blocked.countDown();
            assertSame(CHECKED, server.awaitEvent("handler_error").cause());
            server.awaitEvent("response_late");
        }
    }

    /** What it throws after its response is only logged. */
    @Test
    void firstResponseStaysWhenTheHandlerThrowsLater() throws Exception {
        Handler handler = (request, callback) -> {
            callback.accept(Response.text(200, "first"));
            throw new IllegalStateException("after it");
        };
        var changed = new LinkedBlockingQueue<Response>();
        try (var server = new TestServer(handler.andThen((request, response) -> {
            changed.add(response);
            return response;
        }))) {
            assertEquals("first", server.connect().get("/").response().text());
            assertEquals("after it", server.awaitEvent("handler_error").cause().getMessage());
            assertEquals(1, changed.size());
        }
    }

    @Test
    void blockingThreadsEndWithTheProgram() throws Exception {
        var threads = new LinkedBlockingQueue<Thread>();
        Handler handler = Handler.blocking(request -> {
            threads.add(Thread.currentThread());
            return Response.text(200, "");
        });
        try (var server = new TestServer(handler)) {
            server.connect().get("/").response();
            Thread thread = threads.take();
            assertTrue(thread.isDaemon());
            assertEquals(Runtime.version().feature() < 21, thread.getName().equals("microhttp-blocking"));
        }
    }

    @Test
    void tasksWaitWhileAllThreadsAreBusy() throws Exception {
        ThreadPoolExecutor pool = BlockingThreads.pool();
        int most = pool.getMaximumPoolSize();
        var started = new CountDownLatch(most);
        var blocked = new CountDownLatch(1);
        var done = new CountDownLatch(most + 50);
        for (int i = 0; i < most + 50; i++) {
            pool.execute(() -> {
                started.countDown();
                try {
                    blocked.await();
                } catch (InterruptedException e) {
                    return;
                }
                done.countDown();
            });
        }
        TestServer.await(started);
        assertEquals(most, pool.getPoolSize());
        assertEquals(50, pool.getQueue().size());
        blocked.countDown();
        TestServer.await(done);
        pool.setKeepAliveTime(1, TimeUnit.MILLISECONDS);
        assertTimeoutPreemptively(Duration.ofSeconds(30), () -> {
            while (pool.getPoolSize() > 0) {
                Thread.onSpinWait();
            }
        });
    }
}
