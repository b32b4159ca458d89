package org.microhttp.extras.forms;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Passes the content of one file on to its subscriber, as far as requested. The subscriber may request and
 * cancel from any thread; one thread at a time uses the rest.
 */
final class PartStream implements Flow.Subscription {

    /** The subscriber; null once it has had its last signal, has cancelled or has failed. */
    private Flow.Subscriber<? super List<ByteBuffer>> subscriber;

    /** Wakes the form; null when the subscriber is, so that a subscription that is kept keeps no form. */
    private volatile Runnable wake;

    /** How many lists are requested and not yet passed on. */
    private final AtomicLong requested = new AtomicLong();
    private volatile boolean cancelled;

    /** The mistake of a subscriber that has requested less than one list (rule 3.9 of Reactive Streams). */
    private volatile IllegalArgumentException mistake;

    /** Content not yet passed on, all of one buffer of the server; and whether the file has ended. */
    private final List<ByteBuffer> waiting = new ArrayList<>();
    private boolean ended;

    /** Whether {@code onComplete} is or was called; a cancellation then has no effect. */
    private boolean complete;

    PartStream(Flow.Subscriber<? super List<ByteBuffer>> subscriber, Runnable wake) {
        this.subscriber = subscriber;
        this.wake = wake;
    }

    private void signal(Runnable signal) {
        try {
            signal.run();
        } catch (Throwable t) {
            // a subscriber that throws gets no other signal
            release();
            throw t;
        }
    }

    private void release() {
        subscriber = null;
        wake = null;
        waiting.clear();
    }

    void begin() {
        signal(() -> subscriber.onSubscribe(this));
    }

    /** Adds content, whose array is not changed any more. */
    void add(ByteBuffer content) {
        waiting.add(content.slice().asReadOnlyBuffer());
        content.position(content.limit());
    }

    void end() {
        ended = true;
    }

    /** Passes on waiting content, and the end; returns false if the content is not requested yet. */
    boolean flush() {
        check();
        if (cancelled || subscriber == null) {
            release();
            return true;
        }
        if (!waiting.isEmpty()) {
            if (requested.get() == 0) {
                return false;
            }
            requested.updateAndGet(count -> count == Long.MAX_VALUE ? count : count - 1);
            List<ByteBuffer> next = List.copyOf(waiting);
            waiting.clear();
            signal(() -> subscriber.onNext(next));
            check();
        }
        if (ended && !cancelled) {
            complete = true;
            Flow.Subscriber<? super List<ByteBuffer>> last = subscriber;
            release();
            last.onComplete();
        }
        return true;
    }

    private void check() {
        if (mistake != null) {
            throw mistake;
        }
    }

    /** Signals an error, unless the subscriber has had its last signal. */
    void fail(Throwable cause) {
        Flow.Subscriber<? super List<ByteBuffer>> last = cancelled ? null : subscriber;
        release();
        if (last != null) {
            last.onError(cause);
        }
    }

    /** Says whether the subscriber has cancelled before its last signal. */
    boolean isCancelled() {
        return cancelled && !complete;
    }

    @Override
    public void request(long count) {
        if (count > 0) {
            // a sum above the largest number means no limit (rule 3.17)
            requested.updateAndGet(had -> had + count < 0 ? Long.MAX_VALUE : had + count);
        } else {
            mistake = new IllegalArgumentException("requested " + count + " lists; allowed: 1 or more");
        }
        wake();
    }

    @Override
    public void cancel() {
        if (wake != null) {
            cancelled = true;
            wake();
        }
    }

    private void wake() {
        Runnable form = wake;
        if (form != null) {
            form.run();
        }
    }
}
