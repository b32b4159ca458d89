package org.microhttp.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
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
import org.microhttp.Options;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.testing.*;

/** R3, R4: whatever the handler does, it harms no other connection, and the log says what it was. */
class HandlerFailureTest {

    /** What a handler does wrong, when, what its client gets, and what is logged. */
    private enum Failure {

        EXCEPTION("500 handler_error", "handler_error", IllegalStateException.class),
        ERROR("500 handler_error", "handler_error", NoClassDefFoundError.class),
        OVERFLOW("500 handler_error", "handler_error", StackOverflowError.class),
        NULL("500 handler_error", "response_ready_error", null),
        NULL_ELSEWHERE("500 handler_error", "response_ready_error", null),
        RESPONSE_THEN_ERROR("200 ", "handler_error", NoClassDefFoundError.class),
        TWICE("200 ", "response_ignored", null),
        TWICE_ELSEWHERE("200 ", "response_ignored", null),
        EXCEPTION_THEN_RESPONSE("500 handler_error", "response_ignored", null),
        TOO_LATE("503 handler_timeout", "response_late", null);

        private final String response;
        private final String event;
        private final Class<?> cause;

        Failure(String response, String event, Class<?> cause) {
            this.response = response;
            this.event = event;
            this.cause = cause;
        }

        /** What it does when it is called. */
        private void handle(Consumer<Response> callback) {
            switch (this) {
                case EXCEPTION, EXCEPTION_THEN_RESPONSE -> throw new IllegalStateException("mine");
                case ERROR -> throw new NoClassDefFoundError("mine");
                case OVERFLOW -> overflow(0);
                case NULL -> callback.accept(null);
                case RESPONSE_THEN_ERROR -> {
                    callback.accept(TestServer.ok("first"));
                    throw new NoClassDefFoundError("mine");
                }
                case TWICE -> answerTwice(callback);
                default -> { }
            }
        }

        /** What it does on another thread before there is a response. */
        private void handleElsewhere(Consumer<Response> callback) {
            if (this == NULL_ELSEWHERE) callback.accept(null);
            if (this == TWICE_ELSEWHERE) answerTwice(callback);
        }

        private static void answerTwice(Consumer<Response> callback) {
            callback.accept(TestServer.ok("first"));
            callback.accept(TestServer.ok("second"));
            callback.accept(null);
        }

        private static int overflow(int depth) {
            return overflow(depth + 1) + 1;
        }
    }

    private final BlockingQueue<Consumer<Response>> callbacks = new ArrayBlockingQueue<>(10);
    private Failure failure;
    private TestServer server;

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    /** Serves {@code /alive} as it should; fails at anything else. */
    private void handle(Request request, Consumer<Response> callback) {
        if (request.target().equals("/alive")) {
            callback.accept(TestServer.ok("alive"));
        } else {
            callbacks.add(callback);
            if (failure != null) failure.handle(callback);
        }
    }

    private RawClient connect(Options options) throws IOException {
        server = new TestServer(options, this::handle);
        return server.connect();
    }

    private static void assertNamesItsRequest(RecordingLogger.Event event) {
        assertEquals("GET /", event.value("method") + " " + event.value("target"));
        assertTrue(event.value("peer").matches("/127\\.0\\.0\\.1:[0-9]+"), event::toString);
        assertEquals("0", event.value("id"));
    }

    @ParameterizedTest
    @EnumSource
    void isAnsweredAndLogged(Failure way) throws Exception {
        failure = way;
        Options options = TestServer.options();
        if (failure == Failure.TOO_LATE) options = options.withHandlerTimeout(Duration.ofMillis(20));
        RawClient client = connect(options).send(RawClient.GET);
        Consumer<Response> callback = callbacks.take();
        failure.handleElsewhere(callback);
        RawResponse response = client.response();
        assertEquals(failure.response, response.status() + " " + response.code());
        String text = new String(response.body(), UTF_8);
        assertTrue(text.matches("first|handler_error: the handler failed \\(RFC 9110 §15.6.1\\)\n|"
                + "handler_timeout: .*\n"), text);
        if (failure == Failure.TOO_LATE) {
            assertEquals("503", server.awaitEvent("handler_timeout").value("status"));
            assertNamesItsRequest(server.awaitEvent("handler_timeout"));
            client.expectEnd();
        } else {
            client.get("/alive").expectOk("alive");
        }
        callback.accept(TestServer.ok("too late"));
        var event = server.awaitEvent(failure.event);
        assertNamesItsRequest(event);
        if (failure.cause != null) {
            assertInstanceOf(failure.cause, event.cause());
            assertEquals(failure == Failure.OVERFLOW ? null : "mine", event.cause().getMessage());
        }
        if (failure.name().startsWith("TWICE")) server.awaitEvent("response_ignored", 2);
        server.assertServes();
    }

    @Test
    void aResponseToAnEarlierRequestIsIgnored() throws Exception {
        RawClient client = connect(TestServer.options()).send(RawClient.GET);
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
    void aResponseForAConnectionThatEndedDoesNotGoToOneWithItsDescriptor() throws Exception {
        connect(TestServer.options()).send(RawClient.GET).reset();
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
    void handlerTimeoutMayExceedTheIdleTimeout() throws Exception {
        var brief = Duration.ofMillis(50);
        RawClient client = connect(TestServer.options().withSocketTimeout(brief).withRequestTimeout(brief));
        assertEquals("", client.send(RawClient.GET).readWithin(500));
        callbacks.take().accept(TestServer.ok("at last"));
        client.expectOk("at last").expectEnd();
    }
}
