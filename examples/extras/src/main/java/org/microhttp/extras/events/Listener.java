package org.microhttp.extras.events;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Flow;

/**
 * The stream of one client: a position in the list of events. The lock of the {@link EventStream} guards all
 * fields, and is held during signals, so that each client gets the events in order.
 */
final class Listener implements Flow.Subscription {

    /** How many unsent bytes the server may have; more only for a single event. */
    private static final int MOST_UNSENT = 64 << 10;

    private final EventStream stream;
    private final Flow.Subscriber<? super ByteBuffer> subscriber;

    /** The entry to signal next; null once the stream has ended. */
    private Entry next;

    /** The sizes of the buffers that the server may not have sent yet, and their sum. */
    private final Deque<Integer> unsent = new ArrayDeque<>();
    private long unsentBytes;

    /** {@link Long#MAX_VALUE} for no limit: such a subscriber never reports what it has sent. */
    private long requested;
    private boolean begun;
    private boolean signalling;

    Listener(EventStream stream, Flow.Subscriber<? super ByteBuffer> subscriber, Entry first) {
        this.stream = stream;
        this.subscriber = subscriber;
        next = first;
    }

    /** Signals the requested events, as far as there are any. */
    void signal() {
        // a subscriber may request more while it is signalled
        if (signalling) {
            return;
        }
        signalling = true;
        while (requested > 0 && hasNext()) {
            ByteBuffer text = next.text;
            next = next.next;
            give(text);
        }
        signalling = false;
    }

    /** Limits unsent bytes: the server keeps them for a client that does not read, even after a failure. */
    private boolean hasNext() {
        if (next == null || next.next == null) {
            return false;
        }
        return unsentBytes == 0 || unsentBytes + next.text.remaining() <= MOST_UNSENT;
    }

    private void give(ByteBuffer text) {
        if (requested < Long.MAX_VALUE) {
            requested--;
            unsent.add(text.remaining());
            unsentBytes += text.remaining();
        }
        tell(() -> subscriber.onNext(text));
    }

    /** A subscriber that throws gets nothing more (rule 2.13 of Reactive Streams); others go on. */
    private void tell(Runnable signal) {
        try {
            signal.run();
        } catch (Throwable t) {
            stream.remove(this);
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, t);
        }
    }

    /** Sends a comment, to show that the connection is alive, unless other bytes are unsent. */
    void beat(ByteBuffer comment) {
        if (requested > 0 && next != null && unsent.isEmpty()) {
            give(comment);
        }
    }

    /** Says whether more waits for the client than the limits allow; false once the stream has ended. */
    boolean isBehind(EventLimits limits, Entry newest) {
        return next != null && next.isFurtherThan(limits.queuedEvents(), limits.queuedBytes(), newest);
    }

    /** Ends without another signal, and keeps no event. */
    void drop() {
        next = null;
    }

    void complete() {
        drop();
        tell(subscriber::onComplete);
    }

    void fail(Throwable cause) {
        drop();
        tell(() -> subscriber.onError(cause));
    }

    @Override
    public void request(long count) {
        stream.request(this, count);
    }

    /** Handles a request: the first is for the server's free buffers, later ones count the buffers sent. */
    void take(long count) {
        // rule 3.17 of Reactive Streams
        requested = Long.MAX_VALUE - count < requested ? Long.MAX_VALUE : requested + count;
        for (long i = 0; begun && i < count && !unsent.isEmpty(); i++) {
            unsentBytes -= unsent.remove();
        }
        begun = true;
        signal();
    }

    @Override
    public void cancel() {
        stream.remove(this);
    }
}
