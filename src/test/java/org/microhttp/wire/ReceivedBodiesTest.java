package org.microhttp.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.*;

import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.*;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.*;
import org.microhttp.*;
import org.microhttp.testing.*;

/** Bodies of requests that are received over sockets, and do not come to their end at once. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReceivedBodiesTest {

    /** Has each body received by a subscriber of its own, and answers with what came of that. */
    private static Handler receiving(Supplier<BodySubscriber<String>> subscribers) {
        return Handler.receiving(request -> subscribers.get(), (request, receiver, callback) ->
                receiver.getBody().whenComplete((body, failure) -> callback.accept(
                        failure == null ? Response.text(200, body) : Response.failed(failure))));
    }

    /** Requests nothing, and notes how it ends. */
    private record Idle(CompletableFuture<Throwable> failure) implements Flow.Subscriber<List<ByteBuffer>> {

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
            failure.complete(null);
        }

        @Override
        public void onError(Throwable cause) {
            failure.complete(cause);
        }

        @Override
        public void onComplete() {
            failure.complete(null);
        }
    }

    /**
     * A body goes to the subscriber that was chosen for it, and the subscriber to the handler, also through
     * handlers around it; without one, a body is in memory.
     */
    @Test
    void theHandlerGetsTheSubscriberThatHasReceivedTheBody() throws Exception {
        Handler inner = Handler.receiving(
                request -> request.path().equals("/file") ? BodySubscribers.ofString(ISO_8859_1) : null,
                (request, receiver, callback) -> {
                    String kept = new String(request.body(), ISO_8859_1);
                    if (receiver == null) {
                        callback.accept(Response.text(200, "kept " + kept));
                    } else {
                        receiver.getBody().thenAccept(body -> callback.accept(
                                Response.text(200, request.path() + " received " + body + kept)));
                    }
                });
        Handler changed = inner.andThen((request, response) -> response.withHeader("X", "1"));
        Handler outer = changed.wrappedBy((request, callback) ->
                changed.handle(request.withTarget("/copy").withHeader("A", "b"), callback));
        try (var server = new TestServer(outer); var client = server.connect()) {
            String post = " HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc";
            client.send("POST /file" + post + "POST /other" + post);
            for (String body : List.of("/copy received abc", "kept abc")) {
                assertEquals(body, client.response().text());
            }
            assertEquals("kept ", client.get("/file").response().text());
        }
    }

    /** Cancels at once. */
    private static final class Cancelling implements Flow.Subscriber<List<ByteBuffer>> {

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.cancel();
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
        }

        @Override
        public void onError(Throwable cause) {
        }

        @Override
        public void onComplete() {
        }
    }

    /** A program that mixes handlers up finds its mistake in the log. */
    @Test
    void aSubscriberThatAnotherHandlerHasChosenIsAFailure() throws Exception {
        Handler lengths = Handler.receiving(request -> BodySubscribers.ofByteArray(),
                (request, receiver, callback) -> receiver.getBody().thenAccept(
                        body -> callback.accept(Response.text(200, "" + body.length))));
        Handler mixed = Handler.receiving(request -> new Cancelling(),
                (request, receiver, callback) -> lengths.handle(request, callback));
        try (var server = new TestServer(mixed); var client = server.connect()) {
            client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc");
            assertEquals(500, client.response().status());
            assertSame(ClassCastException.class, server.awaitEvent("handler_error").cause().getClass());
        }
    }

    @Test
    void aClientThatLeavesIsAnError() throws Exception {
        var failure = new CompletableFuture<Throwable>();
        Supplier<BodySubscriber<String>> subscribers = () -> {
            BodySubscriber<String> whole = BodySubscribers.ofString(StandardCharsets.UTF_8);
            whole.getBody().whenComplete((body, cause) -> failure.complete(cause));
            return whole;
        };
        try (var server = new TestServer(TestServer.options(), receiving(subscribers));
                var client = server.connect()) {
            client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc");
            client.reset();
            assertNotNull(failure.get(10, TimeUnit.SECONDS));
        }
    }

    /** Even if nothing is requested. */
    @Test
    void aResetOfAStalledUploadIsNoticed() throws Exception {
        var failure = new CompletableFuture<Throwable>();
        Handler handler = new Handler() {

            @Override
            public Flow.Subscriber<? super List<ByteBuffer>> receiver(Request request) {
                return new Idle(failure);
            }

            @Override
            public void handle(Request request, Consumer<Response> callback) {
                failure.complete(null);
            }
        };
        try (var server = new TestServer(TestServer.options(), handler); var client = server.connect()) {
            client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10000000\r\n\r\n");
            client.reset();
            assertNotNull(failure.get(10, TimeUnit.SECONDS));
        }
    }

    @Test
    void anOpenUploadIsARequestThatAStopWaitsFor() throws Exception {
        Supplier<BodySubscriber<String>> subscribers = () -> BodySubscribers.ofString(StandardCharsets.UTF_8);
        try (var server = new TestServer(TestServer.options(), receiving(subscribers));
                var client = server.connect()) {
            client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc");
            server.awaitEvent("read_bytes", 1);
            var dropped = CompletableFuture.supplyAsync(() -> server.itself.stop(Duration.ofSeconds(20)));
            server.awaitEvent("leave", 1);
            client.send("defghij");
            assertEquals("abcdefghij", client.response().text());
            assertEquals(0, dropped.get(20, TimeUnit.SECONDS));
        }
    }
}
