package httpserver;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Flow;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The body of one response on its way from a handler's thread, which waits when the client is slower, to the
 * loop, which never waits. A lock of {@code java.util.concurrent}, for a monitor would hold the carrier of a
 * virtual thread before Java 24.
 */
final class Outgoing implements Flow.Publisher<ByteBuffer>, Flow.Subscription {

    /** How many buffers wait here, besides those that the library has requested. */
    private static final int MOST = 4;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition room = lock.newCondition();
    private final Queue<ByteBuffer> waiting = new ArrayDeque<>();
    private final Runnable onGone;
    private Flow.Subscriber<? super ByteBuffer> subscriber;
    private long requested;
    private Throwable failure;

    /** Whether nothing more is put; whether the subscriber has its last signal, or wants none. */
    private boolean ended;
    private boolean over;

    /** @param onGone run if the response is not sent completely, on the loop's thread */
    Outgoing(Runnable onGone) {
        this.onGone = onGone;
    }

    /** Puts a buffer, and waits for room if there is none. */
    void put(ByteBuffer buffer) throws IOException {
        put(buffer, MOST, true);
    }

    /** Puts a buffer when fewer than so many wait; if it may not wait, says whether it has. */
    boolean put(ByteBuffer buffer, int most, boolean waits) throws IOException {
        lock.lock();
        try {
            while (!over && waiting.size() >= most) {
                if (!waits) {
                    return false;
                }
                room.await();
            }
            if (over) {
                throw new IOException("the client does not take the response any more");
            }
            waiting.add(buffer);
            signal();
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the client takes the response");
        } finally {
            lock.unlock();
        }
    }

    /** Ends the body; with a cause it is cut, or becomes a 500 if nothing of it is sent. */
    void end(Throwable cause) {
        lock.lock();
        try {
            failure = cause;
            ended = true;
            signal();
        } finally {
            lock.unlock();
        }
    }

    /** Signals what is here and wanted. The lock keeps the signals in their order. */
    private void signal() {
        while (requested > 0 && !waiting.isEmpty()) {
            requested--;
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
        room.signalAll();
    }

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> given) {
        given.onSubscribe(this);
        lock.lock();
        try {
            subscriber = given;
            signal();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void request(long count) {
        lock.lock();
        try {
            requested += count;
            if (subscriber != null) {
                signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The response is done with, sent or not. A handler that waits for room is woken up. */
    @Override
    public void cancel() {
        boolean cut;
        lock.lock();
        try {
            cut = !over;
            over = true;
            waiting.clear();
            room.signalAll();
        } finally {
            lock.unlock();
        }
        if (cut) {
            onGone.run();
        }
    }
}
