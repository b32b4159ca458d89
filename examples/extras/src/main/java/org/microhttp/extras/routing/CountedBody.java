package org.microhttp.extras.routing;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Flow;

/**
 * Passes a body on to a receiver, up to a limit. Above the limit, the receiver gets an error and the body is
 * cancelled. Only the loop's thread uses this class.
 *
 * @param <S> the type of the receiver
 */
final class CountedBody<S extends Flow.Subscriber<? super List<ByteBuffer>>>
        implements Flow.Subscriber<List<ByteBuffer>> {

    final S receiver;

    /** How many bytes the body may have, and how many have arrived. */
    private long most = Long.MAX_VALUE, count;
    private Flow.Subscription subscription;

    CountedBody(S receiver) {
        this.receiver = receiver;
    }

    /** Lowers the limit; call it before the subscription. */
    void limit(long bytes) {
        most = Math.min(most, bytes);
    }

    long most() {
        return most;
    }

    /** {@return whether the body exceeds the limit} */
    boolean isOver() {
        return count > most;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        receiver.onSubscribe(given);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            count += buffer.remaining();
        }
        if (isOver()) {
            subscription.cancel();
            receiver.onError(new IOException("the body has more than " + most + " bytes"));
        } else {
            receiver.onNext(buffers);
        }
    }

    @Override
    public void onError(Throwable cause) {
        receiver.onError(cause);
    }

    @Override
    public void onComplete() {
        receiver.onComplete();
    }
}
