package org.microhttp.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.microhttp.Body;
import org.microhttp.EventLoop;
import org.microhttp.Header;
import org.microhttp.NoopLogger;
import org.microhttp.Options;
import org.microhttp.Response;

/**
 * microhttp with streamed responses: each request opens a stream, and another thread publishes an event to
 * all streams, again and again. Runs until it is killed.
 */
public final class StreamServer {

    /** An open stream, and how many events it has requested and not got. */
    private final class Listener implements Flow.Subscription {

        private final Flow.Subscriber<? super ByteBuffer> subscriber;
        private final AtomicLong requested = new AtomicLong();

        Listener(Flow.Subscriber<? super ByteBuffer> subscriber) { this.subscriber = subscriber; }

        /** A client that does not keep up loses the event. */
        void publish() {
            if (requested.get() == 0) return;
            requested.decrementAndGet();
            subscriber.onNext(event);
        }

        @Override
        public void request(long count) { requested.addAndGet(count); }

        @Override
        public void cancel() { listeners.remove(this); }
    }

    private final Set<Listener> listeners = ConcurrentHashMap.newKeySet();
    private final ByteBuffer event = BareServer.direct(BareServer.EVENT);

    public static void main(String[] args) throws IOException {
        var server = new StreamServer();
        var fields = List.of(new Header("Content-Type", "text/event-stream"));
        Options options = new Options().withHost("127.0.0.1").withPort(Integer.parseInt(args[0]))
                .withAcceptLength(16_384);
        Executors.newSingleThreadScheduledExecutor().scheduleAtFixedRate(
                () -> server.listeners.forEach(Listener::publish),
                BareServer.APART_MILLIS, BareServer.APART_MILLIS, TimeUnit.MILLISECONDS);
        new EventLoop(options, new NoopLogger(), (request, callback) -> callback.accept(
                new Response(200, fields, Body.of(server::listen).withHeadAtOnce()))).start();
    }

    private void listen(Flow.Subscriber<? super ByteBuffer> subscriber) {
        var listener = new Listener(subscriber);
        subscriber.onSubscribe(listener);
        listeners.add(listener);
    }
}
