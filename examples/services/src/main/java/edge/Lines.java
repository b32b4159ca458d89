package edge;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The body of an answer that comes bit by bit: a first line, then a line each tenth of a second that says how
 * much time is left.
 */
record Lines(String first, int millis, ScheduledExecutorService timer) implements Flow.Publisher<ByteBuffer> {

    private static final int PERIOD = 100;

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
        var sending = new Sending(subscriber);
        sending.start();
        subscriber.onSubscribe(sending);
    }

    /** One sending. The timer's thread alone signals; a client that does not read gets its lines later. */
    private final class Sending implements Flow.Subscription, Runnable {

        private final Flow.Subscriber<? super ByteBuffer> subscriber;
        private int left = millis;
        private long requested;
        private Future<?> ticks;
        private boolean begun;

        Sending(Flow.Subscriber<? super ByteBuffer> subscriber) {
            this.subscriber = subscriber;
        }

        synchronized void start() {
            ticks = timer.scheduleAtFixedRate(this, 0, PERIOD, TimeUnit.MILLISECONDS);
        }

        @Override
        public void run() {
            if (!mayGoOn()) {
                return;
            }
            String line = begun ? "left: " + Math.max(left, 0) + " ms\n" : first;
            subscriber.onNext(ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8)));
            if (left <= 0) {
                cancel();
                subscriber.onComplete();
            }
            begun = true;
            left -= PERIOD;
        }

        private synchronized boolean mayGoOn() {
            if (requested == 0) {
                return false;
            }
            requested--;
            return true;
        }

        @Override
        public synchronized void request(long count) {
            requested += count;
        }

        @Override
        public synchronized void cancel() {
            ticks.cancel(false);
        }
    }
}
