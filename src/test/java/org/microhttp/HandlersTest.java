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

/** The shortest forms of a handler, as programs write them; and what becomes of their failures. */
class HandlersTest {

    /** How a handler is made of a function that responds, or fails. */
    private enum Form {

        AT_ONCE {
            @Override
            Handler of(Responder responder) {
                return Handler.of(responder);
            }
        },
        ASYNC {
            @Override
            Handler of(Responder responder) {
                return Handler.async(request -> CompletableFuture.supplyAsync(() -> {
                    try {
                        return responder.respond(request);
                    } catch (Exception e) {
                        throw new CompletionException(e);
                    }
                }));
            }
        },
        ASYNC_AT_ONCE {
            @Override
            Handler of(Responder responder) {
                return Handler.async(request -> {
                    try {
                        return CompletableFuture.completedFuture(responder.respond(request));
                    } catch (Exception e) {
                        return CompletableFuture.failedStage(e);
                    }
                });
            }
        },
        BLOCKING {
            @Override
            Handler of(Responder responder) {
                return Handler.blocking(responder);
            }
        },
        EXECUTOR {
            @Override
            Handler of(Responder responder) {
                return Handler.blocking(ForkJoinPool.commonPool(), responder);
            }
        };

        abstract Handler of(Responder responder);
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
    void respondsAndFailsWithACause(Form form) throws Exception {
        try (var server = new TestServer(form.of(HandlersTest::respond))) {
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
    void failsThroughAndThen(Handler handler) throws Exception {
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
    void failsWhereTheCallbackOfAWrappingHandlerThrows(Form form) throws Exception {
        Handler inner = form.of(HandlersTest::respond);
        Handler outer = inner.wrappedBy((request, callback) -> inner.handle(request, response ->
                callback.accept(response.status() == 200 ? response.withHeader("X", "\r\n") : response)));
        try (var server = new TestServer(outer)) {
            assertEquals(500, server.connect().get("/a").response().status());
            assertInstanceOf(IllegalArgumentException.class, server.awaitEvent("handler_error").cause());
            assertEquals(1, server.log.count("handler_error"));
        }
    }

    /** What it throws after its response is only logged. */
    @Test
    void changesNoResponseTwice() throws Exception {
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
    void blocksThreadsThatEndWithTheProgram() throws Exception {
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
    void waitsForOneOfTheThreadsWhereAllAreBusy() throws Exception {
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
