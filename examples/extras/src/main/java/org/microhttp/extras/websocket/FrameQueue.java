package org.microhttp.extras.websocket;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Flow;

/**
 * The frames that wait for one client. The server requests up to eight buffers, takes them, and requests more
 * when all are sent; until then they count here. What it has taken cannot be taken back from a client that
 * does not read, so it gets little at a time: a large frame goes in copies of its pieces. An empty queue has
 * no memory but its own fields. Safe for all threads: signals are given under its lock, so that there is one
 * at a time.
 */
final class FrameQueue implements Flow.Publisher<ByteBuffer>, Flow.Subscription {

    /** The server takes nothing more while it has so many bytes; larger frames are cut. */
    private static final int PIECE = 16 * 1024;

    /** So many pongs wait; one more replaces the last, as RFC 6455 §5.5.3 allows. */
    private static final int MOST_PONGS = 16;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

    private final int maxBytes;
    private final Share share;
    private Flow.Subscriber<? super ByteBuffer> subscriber;

    /**
     * Frames that the server has not taken, and those that it has taken since it last requested; null for
     * none.
     */
    private Deque<WaitingFrame> waiting;
    private Deque<WaitingFrame> taken;

    /** What is left of the first that waits, if the server has a piece of it; else null. */
    private ByteBuffer cut;

    /** Pongs that wait; null for none. */
    private Deque<ByteBuffer> pongs;

    /** How many bytes wait, and how many the server has taken since it last requested. */
    private long waitingBytes;
    private long takenBytes;

    /** How many frames are requested, and not taken. */
    private long requested;

    /** A client that is read from when there is room; null if it need not wait. */
    private Flow.Subscription paused;

    /** What is done in a later turn of the connection, on the loop's thread; null for nothing. */
    private Runnable later;

    /** When the Close frame was added, after which there are no messages (RFC 6455 §5.5.1). */
    private boolean closing;
    private long closedAt;

    /** Whether the server is to end the connection after the last frame; why it is to reset it. */
    private boolean ending;
    private Throwable failure;

    /** Whether the subscriber has had its last signal, or wants none. */
    private boolean over;

    FrameQueue(int maxBytes, Share share) {
        this.maxBytes = maxBytes;
        this.share = share;
    }

    /**
     * Adds a frame.
     *
     * @return false if it is not taken: too much waits, or nothing is sent any more
     */
    boolean add(WaitingFrame frame) {
        return addIfOpen(frame) && share.memory.relieve(share);
    }

    private synchronized boolean addIfOpen(WaitingFrame frame) {
        boolean open = takesMore();
        if (open) {
            append(frame);
        }
        return open;
    }

    /**
     * Adds the Close frame, whatever waits before it.
     *
     * @return false if there was one
     */
    synchronized boolean close(ByteBuffer frame) {
        boolean open = isOpen();
        if (open) {
            closing = true;
            closedAt = System.nanoTime();
            append(WaitingFrame.control(frame));
        }
        return open;
    }

    /** Adds a pong. */
    synchronized void pong(ByteBuffer frame) {
        if (ending || over) {
            return;
        }
        pongs = pongs == null ? new ArrayDeque<>(1) : pongs;
        if (pongs.size() == MOST_PONGS) {
            pongs.removeLast();
        }
        pongs.add(frame);
        signal();
    }

    /** Whether a message would be taken. */
    synchronized boolean takesMore() {
        return isOpen() && bytes() <= maxBytes;
    }

    /** Whether so much waits that nothing is received from the client: more than half of what may. */
    synchronized boolean isFull() {
        return bytes() > maxBytes / 2;
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

    /**
     * Ends the connection, without what waits: with a Close frame, or by a reset within another frame, and
     * where the server keeps what the client does not read, which it would else do until it reads.
     */
    synchronized void giveUp(CloseStatus why) {
        if (cut == null && taken == null) {
            drop();
            close(why.encode());
            end();
        } else {
            fail(new IOException(why.reason()));
        }
    }

    private void drop() {
        waiting = release(waiting);
        waitingBytes = 0;
        cut = null;
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
        if (paused != null && !isFull()) {
            Flow.Subscription client = paused;
            paused = null;
            client.request(1);
        }
    }

    /**
     * Runs a task in a later turn of the connection, on the loop's thread and without a lock, when it is not
     * {@linkplain #isFull full}. It does not run if the connection ends before.
     */
    synchronized void later(Runnable task) {
        later = task;
        // the server requests again after everything that it was given, be it nothing
        if (requested > 0 && !over && subscriber != null) {
            requested--;
            subscriber.onNext(NOTHING);
        }
    }

    private void append(WaitingFrame frame) {
        if (waiting == null) {
            waiting = new ArrayDeque<>(1);
        }
        waiting.add(frame);
        frame.enter(share);
        waitingBytes += frame.bytes.remaining();
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
        while (requested > 0 && takenBytes < PIECE && (pongs != null || waiting != null)) {
            ByteBuffer next = takeNext();
            requested--;
            takenBytes += next.remaining();
            subscriber.onNext(next);
        }
        // what the server has taken counts here until it is sent
        if (ending && pongs == null && bytes() == 0) {
            over = true;
            subscriber.onComplete();
        }
    }

    private ByteBuffer takeNext() {
        if (pongs != null && cut == null) {
            ByteBuffer next = pongs.remove();
            pongs = pongs.isEmpty() ? null : pongs;
            return next;
        }
        WaitingFrame first = waiting.element();
        boolean whole = cut == null && first.bytes.remaining() <= PIECE;
        ByteBuffer next = whole ? first.bytes : takePiece(first);
        waitingBytes -= next.remaining();
        if (cut == null) {
            waiting.remove();
            waiting = waiting.isEmpty() ? null : waiting;
            afterLast(first, whole);
        }
        return next;
    }

    private void afterLast(WaitingFrame frame, boolean whole) {
        if (whole) {
            taken = taken == null ? new ArrayDeque<>(1) : taken;
            taken.add(frame);
        } else {
            frame.leave(share);
        }
    }

    private ByteBuffer takePiece(WaitingFrame first) {
        ByteBuffer left = cut == null ? first.bytes.duplicate() : cut;
        var piece = new byte[Math.min(PIECE, left.remaining())];
        left.get(piece);
        cut = left.hasRemaining() ? left : null;
        return ByteBuffer.wrap(piece);
    }

    /**
     * These wait no more.
     *
     * @return null, for none
     */
    private Deque<WaitingFrame> release(Deque<WaitingFrame> frames) {
        if (frames != null) {
            frames.forEach(frame -> frame.leave(share));
        }
        return null;
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
    public void request(long count) {
        Runnable due = requestMore(count);
        if (due != null) {
            due.run();
        }
    }

    /** {@return the task that is due, null for none} */
    private synchronized Runnable requestMore(long count) {
        requested += count;
        taken = release(taken);
        takenBytes = 0;
        signal();
        resume();
        Runnable due = isFull() ? null : later;
        later = due == null ? later : null;
        return due;
    }

    @Override
    public synchronized void cancel() {
        over = true;
        later = null;
        drop();
        taken = release(taken);
        pongs = null;
        takenBytes = 0;
        resume();
    }
}
