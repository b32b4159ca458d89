package org.microhttp.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.Handler;
import org.microhttp.Options;
import org.microhttp.Response;
import org.microhttp.testing.RawClient;
import org.microhttp.testing.RawResponse;
import org.microhttp.testing.RecordingLogger;
import org.microhttp.testing.TestServer;

/** R3, R4: whatever the handler does, it harms no other connection, and the log says what it was. */
class HandlerFailureTest {

    private final BlockingQueue<Consumer<Response>> callbacks = new ArrayBlockingQueue<>(10);
    private TestServer server;

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private TestServer serve(Handler handler) throws IOException {
        return serve(TestServer.options(), handler);
    }

    /** Serves {@code /alive} as it should, and leaves everything else to the handler. */
    private TestServer serve(Options options, Handler handler) throws IOException {
        server = new TestServer(options, (request, callback) -> {
            if (request.target().equals("/alive")) {
                callback.accept(TestServer.ok("alive"));
            } else {
                handler.handle(request, callback);
            }
        });
        return server;
    }

    private RawClient keepCallbacks() throws IOException {
        return serve((request, callback) -> callbacks.add(callback)).connect();
    }

    private static void assertFailed(RawClient client) throws IOException {
        RawResponse response = client.response();
        assertEquals(500, response.status());
        assertEquals("handler_error: the handler failed (RFC 9110 §15.6.1)\n",
                new String(response.body(), UTF_8));
    }

    private static void assertNamesItsRequest(RecordingLogger.Event event) {
        assertEquals("GET /", event.value("method") + " " + event.value("target"));
        assertTrue(event.value("peer").matches("/127\\.0\\.0\\.1:[0-9]+"), event::toString);
        assertEquals("0", event.value("id"));
    }

    @Test
    void namesTheRequestThatIsAnsweredTooLate() throws Exception {
        Options options = TestServer.options().withHandlerTimeout(Duration.ofMillis(20));
        RawClient client = serve(options, (request, callback) -> callbacks.add(callback)).connect();
        assertEquals(503, client.send(RawClient.GET).response().status());
        assertNamesItsRequest(server.awaitEvent("handler_timeout"));
        callbacks.take().accept(TestServer.ok("late"));
        assertNamesItsRequest(server.awaitEvent("response_late"));
    }

    /** A way to fail, and what the log says of it: the event, and the class of its cause or null. */
    private enum Failure {

        EXCEPTION("handler_error", IllegalStateException.class),
        ERROR("handler_error", NoClassDefFoundError.class),
        OVERFLOW("handler_error", StackOverflowError.class),
        NULL("response_ready_error", null);

        private final String event;
        private final Class<?> cause;

        Failure(String event, Class<?> cause) {
            this.event = event;
            this.cause = cause;
        }

        private void fail(Consumer<Response> callback) {
            switch (this) {
                case EXCEPTION -> throw new IllegalStateException("mine");
                case ERROR -> throw new NoClassDefFoundError("mine");
                case OVERFLOW -> overflow(0);
                case NULL -> callback.accept(null);
            }
        }

        private static int overflow(int depth) {
            return overflow(depth + 1) + 1;
        }
    }

    @ParameterizedTest
    @EnumSource
    void answers500WhenItFails(Failure failure) throws Exception {
        RawClient client = serve((request, callback) -> failure.fail(callback)).connect();
        assertFailed(client.send(RawClient.GET));
        var event = server.awaitEvent(failure.event);
        assertNamesItsRequest(event);
        if (failure.cause != null) {
            assertInstanceOf(failure.cause, event.cause());
            assertEquals(failure == Failure.OVERFLOW ? null : "mine", event.cause().getMessage());
        }
        client.get("/alive").expectOk("alive");
        server.assertServes();
    }

    @Test
    void answers500WhenItAnswersNullElsewhere() throws Exception {
        RawClient client = keepCallbacks().send(RawClient.GET);
        callbacks.take().accept(null);
        assertFailed(client);
        server.awaitEvent("response_ready_error");
        server.assertServes();
    }

    @Test
    void keepsTheAnswerThatCameBeforeItThrew() throws Exception {
        RawClient client = serve((request, callback) -> {
            callback.accept(TestServer.ok("answered"));
            throw new AssertionError("afterwards");
        }).connect();
        client.send(RawClient.GET).expectOk("answered");
        server.awaitEvent("handler_error");
        client.get("/alive").expectOk("alive");
    }

    @Test
    void ignoresASecondAnswer() throws Exception {
        RawClient client = serve((request, callback) -> {
            callback.accept(TestServer.ok("first"));
            callback.accept(TestServer.ok("second"));
            callback.accept(null);
        }).connect();
        client.send(RawClient.GET).expectOk("first");
        server.awaitEvent("response_ignored", 2);
        client.get("/alive").expectOk("alive");
    }

    @Test
    void ignoresAnAnswerToAnEarlierRequest() throws Exception {
        RawClient client = keepCallbacks().send(RawClient.GET);
        Consumer<Response> first = callbacks.take();
        first.accept(TestServer.ok("first"));
        client.expectOk("first").send(RawClient.GET);
        Consumer<Response> second = callbacks.take();
        first.accept(TestServer.ok("again"));
        server.awaitEvent("response_ignored");
        second.accept(TestServer.ok("second"));
        client.expectOk("second");
    }

    @Test
    void ignoresTheSecondOfTwoAnswersFromElsewhere() throws Exception {
        RawClient client = keepCallbacks().send(RawClient.GET);
        Consumer<Response> callback = callbacks.take();
        callback.accept(TestServer.ok("first"));
        callback.accept(TestServer.ok("second"));
        client.expectOk("first");
        server.awaitEvent("response_ignored");
        client.get("/alive").expectOk("alive");
    }

    @Test
    void ignoresAnAnswerAfterItThrew() throws Exception {
        RawClient client = serve((request, callback) -> {
            callbacks.add(callback);
            throw new IllegalStateException("too early");
        }).connect();
        assertFailed(client.send(RawClient.GET));
        callbacks.take().accept(TestServer.ok("late"));
        server.awaitEvent("response_ignored");
        client.get("/alive").expectOk("alive");
    }

    @Test
    void ignoresAnAnswerAfterTheClientLeft() throws Exception {
        keepCallbacks().send(RawClient.GET);
        Consumer<Response> callback = callbacks.take();
        RawClient client = server.connect().send(RawClient.GET);
        client.reset();
        server.awaitEvent("close");
        callbacks.take().accept(TestServer.ok("late"));
        server.awaitEvent("response_late");
        callback.accept(TestServer.ok("in time"));
        server.assertServes();
    }

    @Test
    void ignoresAnAnswerForADeadConnectionWhoseDescriptorIsReused() throws Exception {
        keepCallbacks().send(RawClient.GET).reset();
        Consumer<Response> dead = callbacks.take();
        server.awaitEvent("close");
        RawClient other = server.connect().send(RawClient.GET);
        Consumer<Response> living = callbacks.take();
        dead.accept(TestServer.ok("not yours"));
        server.awaitEvent("response_late");
        living.accept(TestServer.ok("yours"));
        other.expectOk("yours");
    }

    @Test
    void mayAnswerAnotherConnectionOnTheLoopsThread() throws Exception {
        serve((request, callback) -> {
            if (request.target().equals("/wait")) {
                callbacks.add(callback);
            } else {
                callbacks.remove().accept(TestServer.ok("by another"));
                callback.accept(TestServer.ok("other"));
            }
        });
        RawClient waiting = server.connect().get("/wait");
        server.awaitEvent("read_request");
        RawClient other = server.connect().get("/go");
        other.expectOk("other");
        waiting.expectOk("by another");
    }

    @Test
    void isGivenUpWhenItNeverAnswers() throws Exception {
        var options = TestServer.options().withHandlerTimeout(Duration.ofMillis(200));
        serve(options, (request, callback) -> callbacks.add(callback));
        RawClient client = server.connect().send(RawClient.GET);
        client.expectRefusal(503, "handler_timeout");
        assertEquals("503", server.awaitEvent("handler_timeout").value("status"));
        callbacks.take().accept(TestServer.ok("late"));
        server.awaitEvent("response_late");
        server.assertServes();
    }

    @Test
    void mayTakeLongerThanTheClientMay() throws Exception {
        var brief = Duration.ofMillis(50);
        var options = TestServer.options().withSocketTimeout(brief).withRequestTimeout(brief);
        serve(options, (request, callback) -> callbacks.add(callback));
        RawClient client = server.connect().send(RawClient.GET);
        assertEquals("", client.readWithin(500));
        callbacks.take().accept(TestServer.ok("at last"));
        client.expectOk("at last").expectEnd();
    }

    @Test
    void mayLeaveAnInterruptFlagBehind() throws Exception {
        RawClient client = serve((request, callback) -> {
            Thread.currentThread().interrupt();
            callback.accept(TestServer.ok("interrupted"));
        }).connect();
        for (int i = 1; i <= 3; i++) {
            client.send(RawClient.GET).expectOk("interrupted");
            server.awaitEvent("handler_interrupt", i);
        }
        server.assertServes();
        server.awaitEvent("accept", 2);
    }

    @Test
    void answersFromAnotherThreadWhileManyClientsWait() throws Exception {
        serve((request, callback) ->
                new Thread(() -> callback.accept(TestServer.ok(request.target()))).start());
        for (int round = 0; round < 50; round++) {
            RawClient one = server.connect().get("/one");
            RawClient two = server.connect().get("/two");
            two.expectOk("/two");
            one.expectOk("/one");
            one.close();
            two.close();
        }
        assertFalse(server.log.count("response_ignored") > 0);
        assertNull(server.log.events().stream().filter(e -> e.cause() != null).findFirst().orElse(null));
    }
}
