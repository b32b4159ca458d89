package org.microhttp.checks.proxies.clients;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.*;
import org.microhttp.*;

/**
 * Streams five pieces, a fifth of a second apart: {@code /chunked/whole}, {@code /counted/whole}; or fails
 * after three: {@code /chunked/cut}, {@code /counted/cut}. With {@code ?collected=no} nginx is told not to
 * collect them.
 */
final class PieceServer implements AutoCloseable {

    static final String WHOLE = "one,two,three,four,five,";
    static final String CUT = "one,two,three,";
    private static final long MILLIS = 200;

    private final EventLoop loop;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

    PieceServer() throws IOException {
        loop = new EventLoop(new Options().withPort(0), new NoopLogger(),
                (request, callback) -> callback.accept(stream(request)));
        loop.startAsync();
    }

    int port() {
        return loop.getPort();
    }

    private Response stream(Request request) {
        long length = request.path().startsWith("/counted/") ? WHOLE.length() : -1;
        Body body = Body.of(new Pieces(timer, request.path().endsWith("/cut")), length);
        var fields = new ArrayList<>(List.of(new Header("Content-Type", "text/plain")));
        if (request.target().endsWith("collected=no")) fields.add(new Header("X-Accel-Buffering", "no"));
        return new Response(200, fields, body);
    }

    /** Fewer pieces than the server requests at once, so demand is no question. */
    private record Pieces(ScheduledExecutorService timer, boolean cut) implements Flow.Publisher<ByteBuffer> {

        @Override
        public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
            subscriber.onSubscribe(new Sending(subscriber));
        }

        private final class Sending implements Flow.Subscription, Runnable {

            private final Flow.Subscriber<? super ByteBuffer> subscriber;
            private final List<String> left = new ArrayList<>(List.of((cut ? CUT : WHOLE).split("(?<=,)")));
            private Future<?> future;

            Sending(Flow.Subscriber<? super ByteBuffer> subscriber) {
                this.subscriber = subscriber;
            }

            @Override
            public void request(long count) {
                if (future != null) return;
                future = timer.scheduleAtFixedRate(this, 0, MILLIS, TimeUnit.MILLISECONDS);
            }

            @Override
            public void run() {
                if (!left.isEmpty()) {
                    byte[] piece = left.remove(0).getBytes(StandardCharsets.US_ASCII);
                    subscriber.onNext(ByteBuffer.wrap(piece));
                    return;
                }
                future.cancel(false);
                if (cut) {
                    subscriber.onError(new IOException("wanted"));
                } else {
                    subscriber.onComplete();
                }
            }

            @Override
            public void cancel() {
                future.cancel(false);
            }
        }
    }

    @Override
    public void close() {
        loop.close();
        timer.shutdownNow();
    }
}
