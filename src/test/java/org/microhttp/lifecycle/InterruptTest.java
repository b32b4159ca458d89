package org.microhttp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.*;
import org.microhttp.testing.*;

/**
 * If code of the program leaves the interrupt flag of the loop's thread set, that is logged: that the flag
 * was cleared, or, after a call of the logger, once, that the loop ends.
 */
@Timeout(value = 40, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class InterruptTest {

    /** Code of the program that runs on the loop's thread. */
    private enum Code {
        LOGGER, HANDLER, RELEASED, ABANDONED, ERROR_HANDLER, LISTENER, SUBSCRIBES, REQUESTS, CANCELS,
        RECEIVER, RECEIVES
    }

    /** Has the code of that kind, and no other, leave the flag. */
    private record Program(Code code) implements Handler, Flow.Publisher<ByteBuffer>,
            Flow.Subscriber<List<ByteBuffer>> {

        void run(Code at) {
            if (at == code) Thread.currentThread().interrupt();
        }

        @Override
        public void handle(Request request, Consumer<Response> callback) {
            run(Code.HANDLER);
            request.onAbandoned(() -> run(Code.ABANDONED));
            switch (code) {
                case ABANDONED -> { }
                case ERROR_HANDLER -> throw new IllegalStateException("on purpose");
                case SUBSCRIBES, REQUESTS, CANCELS ->
                    callback.accept(new Response(200, List.of(), Body.of(this).withHeadAtOnce()));
                default -> callback.accept(new Response(200, List.of(), Body.of(ByteBuffer.allocate(1))
                        .onReleased(() -> run(Code.RELEASED))));
            }
        }

        Response respond(ServerError error) {
            run(Code.ERROR_HANDLER);
            return error.response();
        }

        @Override
        public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
            run(Code.SUBSCRIBES);
            subscriber.onSubscribe(new Flow.Subscription() {

                @Override
                public void request(long count) {
                    run(Code.REQUESTS);
                }

                @Override
                public void cancel() {
                    run(Code.CANCELS);
                }
            });
        }

        @Override
        public Flow.Subscriber<? super List<ByteBuffer>> receiver(Request request) {
            run(Code.RECEIVER);
            return this;
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(9);
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
            run(Code.RECEIVES);
        }

        @Override
        public void onError(Throwable cause) { }

        @Override
        public void onComplete() { }
    }

    @ParameterizedTest
    @EnumSource
    void isLogged(Code code) throws Exception {
        var program = new Program(code);
        var told = new CountDownLatch(1);
        Options options = TestServer.options().withErrorHandler(program::respond)
                .withExchangeListener(exchange -> program.run(Code.LISTENER));
        try (var server = new TestServer(options, program)) {
            server.log.hook = event -> {
                if (event.endsWith("_interrupt")) told.countDown();
                if (code == Code.LOGGER) Thread.currentThread().interrupt();
            };
            RawClient client = server.connect();
            client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx");
            if (code == Code.ABANDONED || code == Code.CANCELS) {
                server.awaitEvent("read_request");
                client.reset();
            }
            TestServer.await(told);
            if (code != Code.LOGGER) {
                assertEquals(0, server.log.count("loop_interrupt"));
                server.connect();
                server.awaitEvent("accept", 2);
            } else {
                assertTrue(server.keptInterruptFlag());
                assertEquals(1, server.log.count("loop_interrupt"));
            }
        }
    }
}
