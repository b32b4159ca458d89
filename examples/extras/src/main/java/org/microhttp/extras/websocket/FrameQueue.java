package org.microhttp.extras.websocket;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Flow;

/**
 * The frames that wait for one client. The server requests up to eight buffers, and more when all of these
 * are sent; until then their bytes count here. If the client does not read, buffers cannot be taken back from
 * the server, so it gets little at a time: a large frame is copied in pieces. An empty queue has no memory
 * but its own fields. Safe for all threads: signals are given under its lock, so that there is one at a time.
 */
final class FrameQueue implements Flow.Publisher<ByteBuffer>, Flow.Subscription {

    /** While the server has this many bytes it gets nothing more; larger frames are cut. */
    private static final int PIECE = 16 * 1024;

    /** The most pongs that wait; one more replaces the last, as RFC 6455 §5.5.3 allows. */
    private static final int MOST_PONGS = 16;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

    private final int maxBytes;
    private final Share share;
    private Flow.Subscriber<? super ByteBuffer> subscriber;

    /** Frames that the server has not got, and those that it got since its last request; null for none. */
    private Deque<WaitingFrame> waiting;
    private Deque<WaitingFrame> taken;

    /** The rest of the first waiting frame, if the server has a piece of it; else null. */
    private ByteBuffer cut;

    /** Pongs that wait; null for none. */
    private Deque<ByteBuffer> pongs;

    /** How many bytes wait, and how many the server got since its last request. */
    private long waitingBytes;
    private long takenBytes;

    /** How many buffers are requested, but not given. */
    private long requested;

    /** The client's input, to be requested when this queue is no longer full; null if none waits. */
    private Flow.Subscription paused;

    /** A task for a later turn of the connection, on the loop's thread; null for none. */
    private Runnable later;

    /** Whether and when the Close frame was added; no messages follow it (RFC 6455 §5.5.1). */
    private boolean closing;
    private long closedAt;

    /** Whether the server is to end the connection after the last frame; why to reset the connection. */
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
     * @return false if the frame is not sent: too much waits, or the connection is closing, over or given up
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

    /** Whether a message would be added. */
    synchronized boolean takesMore() {
        return isOpen() && bytes() <= maxBytes;
    }

    /** Whether more than half of the limit waits; then nothing is received from the client. */
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

    /** Ends the connection when everything is sent. */
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
     * Drops the waiting frames and ends the connection: with a Close frame, or with a reset if the server has
     * a frame or the beginning of one, because the server would keep these bytes until the client reads.
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

    /** Why this side has reset the connection; null if it has not. */
    synchronized Throwable failure() {
        return failure;
    }

    /** Requests one more list from the client as soon as this queue is not full. */
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
     * Runs a task in a later turn of the connection, on the loop's thread and without a lock, when this queue
     * is not {@linkplain #isFull full}. If the connection ends before, the task does not run.
     */
    synchronized void later(Runnable task) {
        later = task;
        // the server requests again once its buffers are sent, even after an empty one
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

    /** Gives requested buffers; then the end if it is due. */
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
        // the server's buffers count here until they are sent
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
     * Releases the share of frames that wait no more.
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
