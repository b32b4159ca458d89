package org.microhttp;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.function.Consumer;

/** A subscriber to the body of a request: records its signals as a text, and requests what a test says. */
class ScriptedReceiver implements Flow.Subscriber<List<ByteBuffer>> {

    /** What came: "(" for the subscription, the bytes, ")" for the end, "!" for an error. */
    final StringBuilder signals = new StringBuilder();
    Flow.Subscription subscription;

    /** Called with the subscription, and after each list of buffers. */
    Consumer<Flow.Subscription> onSubscribe = given -> { }, onNext = given -> { };

    static ScriptedReceiver requesting(long count) {
        var receiver = new ScriptedReceiver();
        receiver.onSubscribe = given -> given.request(count);
        return receiver;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        signals.append('(');
        onSubscribe.accept(given);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        buffers.forEach(buffer -> signals.append(StandardCharsets.ISO_8859_1.decode(buffer)));
        onNext.accept(subscription);
    }

    @Override
    public void onError(Throwable cause) {
        signals.append('!');
    }

    @Override
    public void onComplete() {
        signals.append(')');
    }
}
