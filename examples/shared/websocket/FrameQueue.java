package websocket;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Flow;

/**
 * The frames that wait for one client. The server requests up to eight, takes them, and requests more when
 * all are sent; until then they count here. An empty queue has no memory but its own fields. Safe for all
 * threads: signals are given under its lock, so that there is one at a time.
 */
final class FrameQueue implements Flow.Publisher<ByteBuffer>, Flow.Subscription {

    private final int maxBytes;
    private Flow.Subscriber<? super ByteBuffer> subscriber;

    /** Frames that the server has not taken; null for none. */
    private Deque<ByteBuffer> waiting;

    /** A pong that waits, the last alone; null for none. */
    private ByteBuffer pong;

    /**
     * How many bytes the frames have that wait, and those that the server has taken since it last requested.
     */
    private long waitingBytes;
    private long takenBytes;

    /** How many frames are requested, and not taken. */
    private long requested;

    /** A client that is read from when there is room; null if it need not wait. */
    private Flow.Subscription paused;

    /** When the Close frame was added, after which there are no messages (RFC 6455 §5.5.1). */
    private boolean closing;
    private long closedAt;

    /** Whether the server is to end the connection after the last frame; why it is to reset it. */
    private boolean ending;
    private Throwable failure;

    /** Whether the subscriber has had its last signal, or wants none. */
    private boolean over;

    FrameQueue(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Adds a frame. {@return false if it is not taken: too much waits, or nothing is sent any more} */
    synchronized boolean add(ByteBuffer frame) {
        boolean open = isOpen() && bytes() <= maxBytes;
        if (open) {
            append(frame);
        }
        return open;
    }

    /** Adds the Close frame, whatever waits before it. {@return false if there was one} */
    synchronized boolean close(ByteBuffer frame) {
        boolean open = isOpen();
        if (open) {
            closing = true;
            closedAt = System.nanoTime();
            append(frame);
        }
        return open;
    }

    /** Adds a pong, which replaces one that still waits (RFC 6455 §5.5.3). */
    synchronized void pong(ByteBuffer frame) {
        if (!ending && !over) {
            pong = frame;
            signal();
        }
    }

    /** Whether messages may be sent. */
    synchronized boolean isOpen() {
        return !closing && !ending && !over;
    }

    /** Whether the server has sent everything. */
    synchronized boolean isEmpty() {
        return bytes() == 0;
    }

    private long bytes() {
        return waitingBytes + takenBytes;
    }

    /** How long ago the Close frame was added; below 0 if there is none. */
    synchronized long closingNanos(long now) {
        return closing ? now - closedAt : -1;
    }

    /** Ends the connection when all is sent. */
    synchronized void end() {
        ending = true;
        signal();
    }

    /** Resets the connection. */
    synchronized void fail(Throwable cause) {
        failure = cause;
        signal();
    }

    /** Why it was reset from here; null if it was not. */
    synchronized Throwable failure() {
        return failure;
    }

    /** Requests one more list from the client as soon as no more than half of what may wait does. */
    synchronized void requestFrom(Flow.Subscription client) {
        paused = client;
        resume();
    }

    private void resume() {
        if (paused != null && bytes() <= maxBytes / 2) {
            Flow.Subscription client = paused;
            paused = null;
            client.request(1);
        }
    }

    private void append(ByteBuffer frame) {
        if (waiting == null) {
            waiting = new ArrayDeque<>(1);
        }
        waiting.add(frame);
        waitingBytes += frame.remaining();
        signal();
    }

    /** Gives what is requested; then the end if it is due. */
    private void signal() {
        if (over || subscriber == null) {
            return;
        }
        if (failure != null) {
            cancel();
            subscriber.onError(failure);
            return;
        }
        while (requested > 0 && (pong != null || waiting != null)) {
            ByteBuffer frame = takeNext();
            requested--;
            takenBytes += frame.remaining();
            subscriber.onNext(frame);
        }
        if (ending && pong == null && waiting == null) {
            over = true;
            subscriber.onComplete();
        }
    }

    private ByteBuffer takeNext() {
        ByteBuffer next = pong;
        pong = null;
        if (next == null) {
            next = waiting.remove();
            waitingBytes -= next.remaining();
            waiting = waiting.isEmpty() ? null : waiting;
        }
        return next;
    }

    @Override
    public synchronized void subscribe(Flow.Subscriber<? super ByteBuffer> server) {
        if (subscriber != null) {
            throw new IllegalStateException("a connection is upgraded once");
        }
        subscriber = server;
        server.onSubscribe(this);
        signal();
    }

    @Override
    public synchronized void request(long count) {
        requested += count;
        takenBytes = 0;
        signal();
        resume();
    }

    @Override
    public synchronized void cancel() {
        over = true;
        waiting = null;
        pong = null;
        waitingBytes = 0;
        takenBytes = 0;
        resume();
    }
}
