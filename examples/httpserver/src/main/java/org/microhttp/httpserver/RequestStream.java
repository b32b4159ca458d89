package org.microhttp.httpserver;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The body of a request, for a handler's thread to read: an array, or buffers that the loop receives as fast
 * as they are read. The methods of the subscriber are for the loop's thread. Nothing is requested before the
 * first read, so a client that waits for a 100 is not asked for a body that nobody reads (RFC 9110 §10.1.1).
 */
final class RequestStream extends InputStream implements Flow.Subscriber<List<ByteBuffer>> {

    /** How many buffers are requested ahead, of at most the loop's read buffer each. */
    private static final int AHEAD = 2;
    private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

    /**
     * How long the rest of an unread body may take, and in {@link #available} the first piece of a body: the
     * client may wait for the response instead.
     */
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** The last item of a body. */
    private static final Object END = new Object();

    private final ReentrantLock lock = new ReentrantLock();

    /**
     * Buffers, then {@link #END} or the failure; bounded by what is requested. Null for a body in memory.
     */
    private final BlockingQueue<Object> arrived;

    /** Buffers that {@link #keepRest} has read ahead. */
    private final Queue<ByteBuffer> kept = new ArrayDeque<>(AHEAD);
    private final long drainAmount;

    /** The least number of bytes still to take: a body that is sure to be too long is not drained. */
    private long least;

    /** Whether the client waits for a 100, which the first request for bytes sends. */
    private boolean waits;
    private ByteBuffer current;
    private Flow.Subscription subscription;

    /** Null if the request is refused. */
    private Exchange exchange;
    private boolean requested;
    private boolean ended;
    private volatile boolean closed;

    /** Why nothing more can be read; null at the end of the body. */
    private IOException failure;

    /** Whether the loop takes a response: the body has ended, has failed or is given up. */
    private volatile boolean over;

    /** A body in memory. */
    RequestStream(byte[] whole) {
        drainAmount = 0;
        arrived = null;
        current = ByteBuffer.wrap(whole);
        ended = true;
        over = true;
    }

    /** A body that is received. */
    RequestStream(long drainAmount, long least, boolean waits) {
        this.drainAmount = drainAmount;
        this.least = least;
        this.waits = waits;
        arrived = new LinkedBlockingQueue<>();
        current = EMPTY;
    }

    /** Sets the exchange of this body. */
    void belongTo(Exchange owner) {
        exchange = owner;
    }

    Exchange exchange() { return exchange; }

    boolean isOver() { return over; }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        if (exchange == null) {
            given.cancel();
        } else {
            exchange.start();
        }
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        arrived.addAll(buffers);
    }

    @Override
    public void onError(Throwable cause) {
        over = true;
        arrived.add(new IOException("the body of the request is incomplete: " + cause.getMessage(), cause));
        if (exchange != null) {
            exchange.onAbandoned();
        }
    }

    @Override
    public void onComplete() {
        over = true;
        arrived.add(END);
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] bytes, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, bytes.length);
        lock.lock();
        try {
            if (closed) {
                throw new IOException("the stream is closed");
            }
            if (count == 0) {
                return 0;
            }
            if (!advance()) {
                return -1;
            }
            int taken = Math.min(count, current.remaining());
            current.get(bytes, offset, taken);
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /**
     * How many bytes have arrived in one piece. If nothing has requested the body, this call does, and waits
     * for its first piece, unless the client waits for a 100: with the JDK's server, bytes that come together
     * with the head are available.
     */
    @Override
    public int available() throws IOException {
        // another thread waits for bytes, so there are none
        if (closed || !lock.tryLock()) {
            return 0;
        }
        try {
            if (!current.hasRemaining() && !(ended && kept.isEmpty())) {
                long patience = requested || waits ? 0 : PATIENCE_NANOS;
                ByteBuffer next = kept.isEmpty() ? take(patience) : kept.remove();
                current = next == null ? EMPTY : next;
            }
            return current.remaining();
        } finally {
            lock.unlock();
        }
    }

    /** Passes on the arrays as they have come: to copy a large body costs as much as to receive it. */
    @Override
    public long transferTo(OutputStream out) throws IOException {
        long count = 0;
        for (ByteBuffer next = next(); next != null; next = next()) {
            out.write(next.array(), next.arrayOffset() + next.position(), next.remaining());
            count += next.remaining();
        }
        return count;
    }

    @Override
    public byte[] readAllBytes() throws IOException {
        var all = new ByteArrayOutputStream(current.remaining());
        transferTo(all);
        return all.toByteArray();
    }

    /** Takes the next buffer as a whole; null at the end. */
    private ByteBuffer next() throws IOException {
        lock.lock();
        try {
            if (closed) {
                throw new IOException("the stream is closed");
            }
            ByteBuffer next = advance() ? current : null;
            current = EMPTY;
            return next;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until there is something to read; false at the end. */
    private boolean advance() throws IOException {
        while (!current.hasRemaining()) {
            if (!kept.isEmpty()) {
                current = kept.remove();
            } else if (ended) {
                if (failure != null) {
                    throw failure;
                }
                return false;
            } else {
                current = take(Long.MAX_VALUE);
            }
        }
        return true;
    }

    /** Takes the next buffer; an empty one at the end, and null if none arrives in time. */
    private ByteBuffer take(long nanos) throws InterruptedIOException {
        if (!requested) {
            requested = true;
            waits = false;
            subscription.request(AHEAD);
        }
        Object item;
        try {
            // take(), because a virtual thread that polls needs another thread to wake it up
            item = nanos == Long.MAX_VALUE ? arrived.take() : arrived.poll(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the body of the request is received");
        }
        if (item instanceof ByteBuffer buffer) {
            subscription.request(1);
            least = Math.max(0, least - buffer.remaining());
            return buffer;
        }
        ended = item != null;
        failure = item instanceof IOException cause ? cause : null;
        return item == null ? null : EMPTY;
    }

    /**
     * Keeps the rest of the body in memory for the handler if the rest is small and arrives in time, because
     * the response is to be sent now. Otherwise gives the rest up, and reading fails.
     */
    void keepRest() throws IOException {
        lock.lock();
        try {
            long room = drainAmount;
            long until = System.nanoTime() + PATIENCE_NANOS;
            ByteBuffer next = EMPTY;
            while (!ended && !waits && next != null && room >= least) {
                next = take(until - System.nanoTime());
                if (next != null) {
                    room -= next.remaining();
                    kept.add(next);
                }
            }
            if (!over) {
                giveUp("the response was begun before the body of the request was read");
            }
        } finally {
            lock.unlock();
        }
    }

    /** Reads and drops a rest that is small, so that the connection persists; gives up any other. */
    @Override
    public void close() throws IOException {
        if (!closed) {
            closed = true;
            keepRest();
        }
    }

    /** Gives the rest up: the response is taken at once, and is the last of its connection. */
    void cancel() {
        closed = true;
        if (!over) {
            giveUp("the exchange has failed");
        }
    }

    /** Also ends the wait of a thread that reads. */
    private void giveUp(String why) {
        over = true;
        arrived.add(new IOException(why));
        subscription.cancel();
    }
}
