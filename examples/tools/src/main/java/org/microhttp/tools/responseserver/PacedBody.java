package org.microhttp.tools.responseserver;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.microhttp.Body;
import org.microhttp.Response;

/**
 * A body that is sent as {@link Pace} says: later than its head, in pieces, or not to its end. Only the
 * timer's thread signals.
 */
final class PacedBody implements Flow.Publisher<ByteBuffer> {

    private final byte[] content;
    private final Pace pace;
    private final ScheduledExecutorService timer;

    private PacedBody(byte[] content, Pace pace, ScheduledExecutorService timer) {
        this.content = content;
        this.pace = pace;
        this.timer = timer;
    }

    /** The response with such a body. Its head goes out at once, and states the whole length. */
    static Response of(Response response, byte[] content, Pace pace, ScheduledExecutorService timer) {
        Body body = Body.of(new PacedBody(content, pace, timer), content.length).withHeadAtOnce();
        return new Response(response.status(), response.reason(), response.headers(), body);
    }

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
        var sending = new Sending(subscriber);
        subscriber.onSubscribe(sending);
        timer.schedule(sending, pace.delay().toNanos(), TimeUnit.NANOSECONDS);
    }

    /** One sending of it. It runs once for each piece, after the pause between two, and once for the end. */
    private final class Sending implements Flow.Subscription, Runnable {

        private final Flow.Subscriber<? super ByteBuffer> subscriber;
        private int sent;
        private volatile boolean cancelled;

        /** How many pieces may be signalled, and whether one waits for that. */
        private long requested;
        private boolean waiting;

        Sending(Flow.Subscriber<? super ByteBuffer> subscriber) {
            this.subscriber = subscriber;
        }

        @Override
        public void request(long count) {
            timer.execute(() -> {
                requested += count;
                if (waiting) {
                    waiting = false;
                    run();
                }
            });
        }

        @Override
        public void cancel() {
            cancelled = true;
        }

        @Override
        public void run() {
            if (cancelled) {
                return;
            }
            int end = Math.min(content.length, pace.end());
            if (sent == end) {
                end();
            } else if (requested == 0) {
                waiting = true;
            } else {
                requested--;
                int count = Math.min(end - sent, pace.piece());
                subscriber.onNext(ByteBuffer.wrap(content, sent, count));
                sent += count;
                timer.schedule(this, sent == end ? 0 : pace.pause().toNanos(), TimeUnit.NANOSECONDS);
            }
        }

        private void end() {
            if (sent == content.length) {
                subscriber.onComplete();
            } else {
                subscriber.onError(new IOException("cut after " + sent + " bytes, as asked for"));
            }
        }
    }
}
