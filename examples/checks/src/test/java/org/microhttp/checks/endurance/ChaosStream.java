package org.microhttp.checks.endurance;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Bytes that are published in pieces, when they are requested or soon after on another thread.
 *
 * @param open how many subscriptions have not ended
 */
record ChaosStream(byte[] bytes, AtomicInteger open) implements Flow.Publisher<ByteBuffer> {

    private static final int LARGEST = 20_000;

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
        open.incrementAndGet();
        subscriber.onSubscribe(new Sending(subscriber));
    }

    private final class Sending implements Flow.Subscription {

        private final Flow.Subscriber<? super ByteBuffer> subscriber;
        private final boolean elsewhere = ThreadLocalRandom.current().nextBoolean();
        private final AtomicBoolean ended = new AtomicBoolean();
        private int at;
        private long requested;

        Sending(Flow.Subscriber<? super ByteBuffer> subscriber) {
            this.subscriber = subscriber;
        }

        @Override
        public void request(long count) {
            if (elsewhere) {
                CompletableFuture.runAsync(() -> signal(count));
            } else {
                signal(count);
            }
        }

        private synchronized void signal(long count) {
            requested += count;
            while (requested > 0 && at < bytes.length && !ended.get()) {
                requested--;
                int size = Math.min(bytes.length - at, ThreadLocalRandom.current().nextInt(LARGEST));
                subscriber.onNext(ByteBuffer.wrap(bytes, at, size));
                at += size;
            }
            if (at == bytes.length && !ended.getAndSet(true)) {
                open.decrementAndGet();
                subscriber.onComplete();
            }
        }

        @Override
        public void cancel() {
            if (!ended.getAndSet(true)) open.decrementAndGet();
        }
    }
}
