package org.microhttp;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.concurrent.Flow;
import java.util.function.LongConsumer;

/** A publisher, and its subscription, that signals what a test says, and records what is asked of it. */
final class ScriptedPublisher implements Flow.Publisher<ByteBuffer>, Flow.Subscription {

    /** The subscriber of each sending. */
    final List<Flow.Subscriber<? super ByteBuffer>> subscribers = new ArrayList<>();

    /** How many buffers each request was for. */
    final List<Long> requested = new ArrayList<>();

    /** How many times it was cancelled. */
    int cancels;

    /** Called by each request. */
    LongConsumer onRequest = count -> { };

    /** Called by each cancel. */
    Runnable onCancel = () -> { };

    /** Whether a subscriber is given this as its subscription. */
    boolean answering = true;

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
        subscribers.add(subscriber);
        if (answering) {
            subscriber.onSubscribe(this);
        }
    }

    @Override
    public void request(long count) {
        requested.add(count);
        onRequest.accept(count);
    }

    @Override
    public void cancel() {
        cancels++;
        onCancel.run();
    }

    /** How many buffers were requested in all. */
    long demand() {
        return requested.stream().mapToLong(Long::longValue).sum();
    }

    Flow.Subscriber<? super ByteBuffer> subscriber() {
        return subscribers.get(subscribers.size() - 1);
    }

    void next(String text) {
        subscriber().onNext(buffer(text));
    }

    void complete() {
        subscriber().onComplete();
    }

    void fail(String message) { fail(new IllegalStateException(message)); }

    void fail(Throwable cause) { subscriber().onError(cause); }

    static ByteBuffer buffer(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
