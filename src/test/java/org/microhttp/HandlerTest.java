package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.testing.*;

/** A function that may block answers from an executor, and its failures are answered and told. */
class HandlerTest {

    private final ExecutorService executor = Executors.newFixedThreadPool(2, task ->
            new Thread(task, "blocking"));

    @AfterEach
    void endExecutor() throws InterruptedException {
        executor.shutdownNow();
        assertTrue(executor.awaitTermination(30, TimeUnit.SECONDS));
    }

    private static Response await(CountDownLatch latch) {
        try {
            return TestServer.ok(latch.await(30, TimeUnit.SECONDS) ? "waited" : "nobody let it go");
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void answersFromTheExecutor() throws Exception {
        Handler handler = Handler.blocking(executor, request ->
                TestServer.ok(request.target() + " by " + Thread.currentThread().getName()));
        try (var server = new TestServer(handler)) {
            server.connect().get("/a").expectOk("/a by blocking").get("/b").expectOk("/b by blocking");
        }
    }

    @Test
    void servesOthersWhileOneIsBlocked() throws Exception {
        var blocked = new CountDownLatch(1);
        Handler handler = Handler.blocking(executor, request ->
                request.target().equals("/slow") ? await(blocked) : TestServer.ok("quick"));
        try (var server = new TestServer(handler)) {
            RawClient slow = server.connect().get("/slow");
            server.awaitEvent("read_request");
            RawClient quick = server.connect();
            for (int i = 0; i < 100; i++) {
                quick.get("/quick").expectOk("quick");
            }
            assertEquals(1, blocked.getCount());
            blocked.countDown();
            slow.expectOk("waited");
        }
    }

    private static Throwable logged(TestServer server, int number) {
        return server.awaitEvent("handler_error", number).cause();
    }

    private static void assertAnswers500(TestServer server, RawClient client) throws Exception {
        RawResponse response = client.get("/").response();
        assertEquals(500, response.status());
        assertTrue(response.text().startsWith("handler_error: "), response::text);
        server.assertServes();
    }

    private static Handler failing(Executor executor, Throwable thrown) {
        return Handler.blocking(executor, request -> {
            if (request.target().equals("/alive")) {
                return TestServer.ok("alive");
            }
            if (thrown instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) thrown;
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void answers500ToWhatTheFunctionThrowsAndTellsIt(boolean elsewhere) throws Exception {
        Executor runs = elsewhere ? executor : Runnable::run;
        for (Throwable thrown : new Throwable[] {new IllegalStateException("on purpose"),
            new AssertionError("on purpose"), new StackOverflowError()}) {
            try (var server = new TestServer(failing(runs, thrown))) {
                RawClient client = server.connect();
                assertAnswers500(server, client);
                assertSame(thrown, logged(server, 1));
                // the connection goes on
                assertAnswers500(server, client);
                assertSame(thrown, logged(server, 2));
                assertEquals(2, server.log.count("handler_error"));
            }
        }
    }

    @Test
    void answers500ToNull() throws Exception {
        Handler handler = Handler.blocking(executor, request ->
                request.target().equals("/alive") ? TestServer.ok("alive") : null);
        try (var server = new TestServer(handler)) {
            assertAnswers500(server, server.connect());
            server.awaitEvent("response_ready_error");
        }
    }

    @Test
    void answers500WhenTheExecutorRejects() throws Exception {
        var rejects = new AtomicReference<RejectedExecutionException>(new RejectedExecutionException("full"));
        Executor full = task -> {
            if (rejects.get() != null) {
                throw rejects.get();
            }
            task.run();
        };
        try (var server = new TestServer(Handler.blocking(full, request -> TestServer.ok("done")))) {
            RawClient client = server.connect().get("/");
            assertEquals(500, client.response().status());
            assertSame(rejects.get(), logged(server, 1));
            rejects.set(null);
            client.get("/").expectOk("done");
        }
    }

    @Test
    void isHarmlessWhenTheClientHasGoneMeanwhile() throws Exception {
        var called = new CountDownLatch(1);
        var blocked = new CountDownLatch(1);
        Handler handler = Handler.blocking(executor, request -> {
            if (request.target().equals("/alive")) {
                return TestServer.ok("alive");
            }
            called.countDown();
            await(blocked);
            throw new IllegalStateException("too late");
        });
        try (var server = new TestServer(handler)) {
            RawClient client = server.connect().get("/slow");
            TestServer.await(called);
            client.reset();
            server.awaitEvent("close");
            blocked.countDown();
            assertEquals("too late", logged(server, 1).getMessage());
            server.awaitEvent("response_late");
            server.assertServes();
        }
    }

    @ParameterizedTest
    @EnumSource
    void answersManyConnections(ServerKind kind) throws Exception {
        Handler handler = Handler.blocking(executor, request -> TestServer.ok(request.target()));
        try (var server = new TestServer(kind, handler)) {
            var clients = new ArrayList<RawClient>();
            for (int i = 0; i < 30; i++) {
                clients.add(server.connect().get("/" + i));
            }
            for (int i = 0; i < 30; i++) {
                clients.get(i).expectOk("/" + i);
            }
        }
    }

    /** A handler around it, that gives it a callback of its own: that gets the 500, and the log the cause. */
    @Test
    void answers500ThroughAHandlerAroundItAndLogsTheCause() throws Exception {
        var thrown = new AssertionError("on purpose");
        Handler inner = failing(executor, thrown);
        Handler outer = (request, callback) -> inner.handle(request,
                response -> callback.accept(response.withHeader("X-Wrapped", "yes")));
        try (var server = new TestServer(outer)) {
            RawResponse response = server.connect().get("/").response();
            assertEquals(500, response.status());
            assertEquals("yes", response.header("X-Wrapped"));
            assertSame(thrown, server.log.await("handler_error").cause());
            server.assertServes();
        }
    }

    private static Request other() {
        return new Request("GET", "/other", "HTTP/1.1", List.of(), new byte[0]);
    }

    /** As for a prefix that is taken off. */
    @Test
    void logsTheCauseThroughAHandlerThatHandsOnAnotherRequest() throws Exception {
        var thrown = new AssertionError("on purpose");
        Handler inner = failing(executor, thrown);
        try (var server = new TestServer((request, callback) -> inner.handle(other(), callback))) {
            assertEquals(500, server.connect().get("/").response().status());
            assertSame(thrown, server.log.await("handler_error").cause());
        }
    }

    @Test
    void answers500WhereACallbackAroundItCannotTakeNull() throws Exception {
        Handler inner = Handler.blocking(executor, request -> null);
        Handler outer = (request, callback) -> inner.handle(request,
                response -> callback.accept(response.withHeader("X-Wrapped", "yes")));
        try (var server = new TestServer(outer)) {
            RawResponse response = server.connect().get("/").response();
            assertEquals(500, response.status());
            assertEquals("yes", response.header("X-Wrapped"));
            assertSame(NullPointerException.class, server.log.await("handler_error").cause().getClass());
        }
    }

    @Test
    void logsTheCauseWhereRequestAndCallbackAreOthers() throws Exception {
        var thrown = new AssertionError("on purpose");
        Handler inner = failing(executor, thrown);
        Handler outer = (request, callback) -> inner.handle(other(), callback::accept);
        try (var server = new TestServer(outer)) {
            assertEquals(500, server.connect().get("/").response().status());
            assertSame(thrown, server.log.await("handler_error").cause());
        }
    }

    /** Who makes another response of it can see why. */
    @Test
    void showsTheCauseToAHandlerAroundIt() throws Exception {
        var thrown = new AssertionError("on purpose");
        Handler inner = failing(executor, thrown);
        Handler outer = (request, callback) -> inner.handle(request,
                response -> callback.accept(Response.text(502, response.failure().getMessage())));
        try (var server = new TestServer(outer)) {
            RawResponse response = server.connect().get("/").response();
            assertEquals(502, response.status());
            assertEquals("on purpose", response.text());
            assertSame(thrown, server.log.await("handler_error").cause());
            assertEquals(1, server.log.count("handler_error"));
        }
    }

    @Test
    void answers500WhereACallbackThrowsOnce() throws Exception {
        var left = new AtomicInteger(1);
        Handler blocking = Handler.blocking(executor, request -> TestServer.ok("done"));
        Handler lacking = (request, callback) -> blocking.handle(request, response -> {
            if (left.getAndDecrement() > 0) {
                throw new OutOfMemoryError("on purpose");
            }
            callback.accept(response);
        });
        try (var server = new TestServer(lacking)) {
            assertEquals(500, server.connect().get("/").response().status());
            assertEquals(1, server.log.count("handler_error"));
        }
    }

    /** An executor may run the function on the loop's thread, which must not wait, for others would, too. */
    @Test
    void holdsNoLoopWhereMemoryLacksForGood() throws Exception {
        Handler blocking = Handler.blocking(Runnable::run, request -> TestServer.ok("done"));
        Handler lacking = (request, callback) -> blocking.handle(request, response -> {
            throw new OutOfMemoryError("on purpose");
        });
        try (var server = new TestServer(lacking)) {
            assertEquals(500, server.connect().get("/").response().status());
        }
    }

    @Test
    void canBeTestedWithoutAServer() {
        var answer = new AtomicReference<Response>();
        var response = TestServer.ok("");
        Handler.blocking(Runnable::run, request -> response)
                .handle(new Request("GET", "/", "HTTP/1.1", List.of(), new byte[0]), answer::set);
        assertSame(response, answer.get());
    }

    @Test
    void isRefusedWithoutItsParts() {
        Responder responder = request -> null;
        assertThrows(NullPointerException.class, () -> Handler.blocking(null, responder));
        assertThrows(NullPointerException.class, () -> Handler.blocking(executor, null));
        assertFalse(executor.isShutdown());
    }
}
