package org.microhttp.streams;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.microhttp.Body;
import org.microhttp.EventLoop;
import org.microhttp.Header;
import org.microhttp.NoopLogger;
import org.microhttp.Options;
import org.microhttp.Request;
import org.microhttp.Response;

/**
 * microhttp with streamed responses. {@code GET /events} listens to events, each POST has another thread
 * publish one; {@code /endless} never ends; {@code /heap} is how many bytes of the heap are in use after a
 * collection; anything else is small. Runs until it is killed.
 */
final class StreamServer {

    private static final int PIECE = 16 * 1024;

    /** One open stream, and how many events it has requested and not got. */
    private final class Listener implements Flow.Subscription {

        private final Flow.Subscriber<? super ByteBuffer> subscriber;
        private final AtomicLong requested = new AtomicLong();
        private boolean greeted;

        Listener(Flow.Subscriber<? super ByteBuffer> subscriber) { this.subscriber = subscriber; }

        /** A listener that does not keep up loses the event, and the benchmark fails. */
        void publish(ByteBuffer event) {
            if (requested.get() == 0) return;
            requested.decrementAndGet();
            subscriber.onNext(event);
        }

        /** The first event shows that it listens. */
        @Override
        public void request(long count) {
            requested.addAndGet(count);
            if (!greeted) publish(event);
            greeted = true;
        }

        @Override
        public void cancel() { listeners.remove(this); }
    }

    private final Set<Listener> listeners = ConcurrentHashMap.newKeySet();
    private final Executor publisher = Executors.newSingleThreadExecutor();
    private final ByteBuffer event = Event.buffer();
    private final ByteBuffer piece = ByteBuffer.allocateDirect(PIECE);

    public static void main(String[] args) throws IOException {
        var server = new StreamServer();
        // a client that reads nothing shall not take megabytes of the kernel
        Options options = new Options().withHost("127.0.0.1").withPort(Integer.parseInt(args[0]))
                .withAcceptLength(16_384).withSendBufferSize(PIECE);
        new EventLoop(options, new NoopLogger(), server::handle).start();
    }

    private void handle(Request request, Consumer<Response> callback) {
        callback.accept(request.method().equals("POST") ? publish() : switch (request.path()) {
            case "/events" -> stream(this::listen);
            case "/endless" -> stream(this::sendEndlessly);
            case "/heap" -> Response.text(200, "" + heap());
            default -> Response.text(200, "small");
        });
    }

    private Response publish() {
        publisher.execute(() -> listeners.forEach(listener -> listener.publish(event)));
        return Response.text(200, "published");
    }

    private static Response stream(Flow.Publisher<ByteBuffer> publisher) {
        return new Response(200, List.of(new Header("Content-Type", "text/event-stream")),
                Body.of(publisher).withHeadAtOnce());
    }

    private void listen(Flow.Subscriber<? super ByteBuffer> subscriber) {
        var listener = new Listener(subscriber);
        listeners.add(listener);
        subscriber.onSubscribe(listener);
    }

    private void sendEndlessly(Flow.Subscriber<? super ByteBuffer> subscriber) {
        subscriber.onSubscribe(new Flow.Subscription() {

            @Override
            public void request(long count) {
                for (long i = 0; i < count; i++) subscriber.onNext(piece);
            }

            @Override
            public void cancel() {
                // nothing is kept for it
            }
        });
    }

    private static long heap() {
        Runtime runtime = Runtime.getRuntime();
        for (int i = 0; i < 3; i++) System.gc();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
