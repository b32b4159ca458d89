package websocket;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Flow;

/**
 * The frames that wait for one client. The server requests and takes them; what it has not sent counts, too.
 * An empty queue has no memory but its own fields. Safe for all threads: signals are given under its lock, so
 * that there is one at a time.
 */
final class FrameQueue implements Flow.Publisher<ByteBuffer>, Flow.Subscription {

    /** How many buffers the server requests and has not sent, at most; so all requested before are sent. */
    private static final int WINDOW = 8;

    private final int maxBytes;
    private Flow.Subscriber<? super ByteBuffer> subscriber;

    /** Frames that the server has not taken, and that it has taken and may not have sent; null if empty. */
    private Deque<ByteBuffer> waiting;
    private Deque<ByteBuffer> taken;

    /** A pong that waits, the last alone; null for none. */
    private ByteBuffer pong;

    /** How many bytes all these are; how many frames were requested, and are known to be sent. */
    private long bytes;
    private long requested;
    private long sent;

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
        boolean open = isOpen() && bytes <= maxBytes;
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
        return bytes == 0;
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
        if (paused != null && bytes <= maxBytes / 2) {
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
        bytes += frame.remaining();
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
        while (sent + count(taken) < requested && (pong != null || waiting != null)) {
            ByteBuffer frame = takeNext();
            if (taken == null) {
                taken = new ArrayDeque<>(1);
            }
            taken.add(frame);
            subscriber.onNext(frame);
        }
        if (ending && pong == null && waiting == null) {
            over = true;
            subscriber.onComplete();
        }
    }

    private ByteBuffer takeNext() {
        ByteBuffer next = pong;
        if (next != null) {
            pong = null;
            bytes += next.remaining();
            return next;
        }
        next = waiting.remove();
        if (waiting.isEmpty()) {
            waiting = null;
        }
        return next;
    }

    private static int count(Deque<ByteBuffer> frames) {
        return frames == null ? 0 : frames.size();
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
        while (taken != null && sent < requested - WINDOW) {
            sent++;
            bytes -= taken.remove().remaining();
            if (taken.isEmpty()) {
                taken = null;
            }
        }
        signal();
        resume();
    }

    @Override
    public synchronized void cancel() {
        over = true;
        waiting = null;
        taken = null;
        pong = null;
        bytes = 0;
        resume();
    }
}
