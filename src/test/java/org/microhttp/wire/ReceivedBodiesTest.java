package org.microhttp.wire;

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
    private record Receiving(Supplier<BodySubscriber<String>> subscribers) implements Handler {

        @Override
        public Flow.Subscriber<? super List<ByteBuffer>> receiver(Request request) {
            return subscribers.get();
        }

        @Override
        public void handle(Request request, Consumer<Response> callback) {
            var receiver = (BodySubscriber<?>) request.receiver();
            receiver.getBody().whenComplete((body, failure) -> callback.accept(
                    failure == null ? Response.text(200, "" + body) : Response.failed(failure)));
        }
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

    @Test
    void aClientThatLeavesIsAnError() throws Exception {
        var failure = new CompletableFuture<Throwable>();
        Supplier<BodySubscriber<String>> subscribers = () -> {
            BodySubscriber<String> whole = BodySubscribers.ofString(StandardCharsets.UTF_8);
            whole.getBody().whenComplete((body, cause) -> failure.complete(cause));
            return whole;
        };
        try (var server = new TestServer(TestServer.options(), new Receiving(subscribers));
                var client = server.connect()) {
            client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc");
            client.reset();
            assertNotNull(failure.get(10, TimeUnit.SECONDS));
        }
    }

    /** Even if nothing is requested, so that nothing is read. */
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
            client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10000000\r\n\r\n"
                    + "x".repeat(100_000));
            client.reset();
            assertNotNull(failure.get(10, TimeUnit.SECONDS));
        }
    }

    @Test
    void anOpenUploadIsARequestThatAStopWaitsFor() throws Exception {
        Supplier<BodySubscriber<String>> subscribers = () -> BodySubscribers.ofString(StandardCharsets.UTF_8);
        try (var server = new TestServer(TestServer.options(), new Receiving(subscribers));
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
