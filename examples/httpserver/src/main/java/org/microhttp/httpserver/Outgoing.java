package org.microhttp.httpserver;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Flow;
import java.util.concurrent.Semaphore;

/**
 * The body of one response on its way from a handler's thread, which waits when the client is slower, to the
 * loop, which never waits. No thread waits in a monitor: before Java 24, that would hold the carrier of a
 * virtual thread.
 */
final class Outgoing implements Flow.Publisher<ByteBuffer>, Flow.Subscription {

    /** Enough permits for every thread that may ever wait. */
    private static final int ALL = 1 << 20;

    private final Queue<ByteBuffer> waiting = new ArrayDeque<>();
    private final Semaphore room;
    private final Runnable onGone;
    private Flow.Subscriber<? super ByteBuffer> subscriber;
    private long requested;
    private Throwable failure;

    /** Whether nothing more is put; whether the subscriber has its last signal, or wants none. */
    private boolean ended;
    private boolean over;

    /**
     * @param most   how many buffers may wait here, besides those that the library has requested
     * @param onGone run if the response is not sent completely, on the loop's thread
     */
    Outgoing(int most, Runnable onGone) {
        room = new Semaphore(most);
        this.onGone = onGone;
    }

    boolean hasRoom() {
        return room.availablePermits() > 0;
    }

    /** Puts a buffer, and waits for room if there is none. */
    void put(ByteBuffer buffer) throws IOException {
        try {
            room.acquire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the client takes the response");
        }
        add(buffer);
    }

    private synchronized void add(ByteBuffer buffer) throws IOException {
        if (over) {
            throw new IOException("the client does not take the response any more");
        }
        waiting.add(buffer);
        signal();
    }

    /** Ends the body. With a cause, the body is cut, or the response becomes a 500 if nothing is sent. */
    synchronized void end(Throwable cause) {
        failure = cause;
        ended = true;
        signal();
    }

    /** Signals waiting buffers that are requested, then the end. The monitor keeps signals in order. */
    private void signal() {
        while (requested > 0 && !waiting.isEmpty()) {
            requested--;
            room.release();
            subscriber.onNext(waiting.remove());
        }
        if (subscriber != null && ended && !over && waiting.isEmpty()) {
            over = true;
            if (failure == null) {
                subscriber.onComplete();
            } else {
                subscriber.onError(failure);
            }
        }
    }

    @Override
    public synchronized void subscribe(Flow.Subscriber<? super ByteBuffer> given) {
        given.onSubscribe(this);
        subscriber = given;
        signal();
    }

    @Override
    public synchronized void request(long count) {
        requested += count;
        signal();
    }

    /** The response has ended, sent or not. Wakes up a handler that waits for room. */
    @Override
    public void cancel() {
        if (close()) {
            onGone.run();
        }
    }

    /** Ends the body; says whether its last signal was missing. */
    private synchronized boolean close() {
        boolean cut = !over;
        over = true;
        waiting.clear();
        room.release(cut ? ALL : 0);
        return cut;
    }
}
