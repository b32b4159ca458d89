package org.microhttp.checks.faults.chaos;

import java.nio.ByteBuffer;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicBoolean;
import org.microhttp.Body;

/** Bytes that are published as a body in pieces, when they are requested or soon after on another thread. */
final class ChaosStream implements Flow.Publisher<ByteBuffer> {

    private static final int LARGEST = 20_000;

    private final byte[] bytes;
    private final ChaosApi api;

    private ChaosStream(byte[] bytes, ChaosApi api) {
        this.bytes = bytes;
        this.api = api;
    }

    static Body of(byte[] bytes, ChaosApi api) {
        Body body = Body.of(new ChaosStream(bytes, api), bytes.length);
        return ThreadLocalRandom.current().nextBoolean() ? body : body.withHeadAtOnce();
    }

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
        api.onSubscribe();
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
            api.check(!ended.get() || at == bytes.length, "is asked for more after its end");
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
                api.onEnd();
                subscriber.onComplete();
            }
        }

        @Override
        public void cancel() {
            if (!ended.getAndSet(true)) api.onEnd();
        }
    }
}
