package org.microhttp.faults.tools;

import java.nio.ByteBuffer;
import java.util.concurrent.Flow;

/** Signals a buffer when it is first requested, and the end. */
public record OneBuffer(ByteBuffer buffer) implements Flow.Publisher<ByteBuffer> {

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
        subscriber.onSubscribe(new Flow.Subscription() {

            private boolean asked;

            @Override
            public void request(long count) {
                if (asked) return;
                asked = true;
                subscriber.onNext(buffer);
                subscriber.onComplete();
            }

            @Override
            public void cancel() {
            }
        });
    }
}
