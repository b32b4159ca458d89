package org.microhttp.extras.compression;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.microhttp.Body;

/**
 * Compresses a body for one subscriber, to a gzip member (RFC 1952 §2.3). Signals of the source and of the
 * subscriber come from any thread. Each signal only leaves a note; threads of the executor do the work, one
 * at a time. Data of a publisher is flushed as soon as the publisher has nothing more, so that no event waits
 * in the deflater for the next event.
 */
final class GzipStream implements Flow.Subscriber<ByteBuffer>, Flow.Subscription, Runnable {

    /** How many bytes are read, or signalled, at most at a time. */
    static final int PIECE = 16 << 10;

    /** After so many steps, each of one piece at most, other streams run. */
    private static final int STEPS = 8;

    /** Magic number, deflate; no flags, no time, unknown system (RFC 1952 §2.3.1). */
    private static final byte[] HEAD = {0x1f, (byte) 0x8b, Deflater.DEFLATED, 0, 0, 0, 0, 0, 0, (byte) 0xff};

    /** CRC32 and ISIZE. */
    private static final int TAIL = 8;

    /** In {@link #arrived}: a buffer was requested from the source, and has not come. */
    private static final Body REQUESTED = Body.of(ByteBuffer.allocate(0));

    private final GzipPublisher publisher;
    private final Flow.Subscriber<? super ByteBuffer> subscriber;

    /** How many notes no task has seen; above 0, a task is waiting or running. */
    private final AtomicInteger notes = new AtomicInteger();

    private final AtomicLong demand = new AtomicLong();

    /** The last buffer; null after the buffer was read, until the next is requested. */
    private final AtomicReference<Body> arrived = new AtomicReference<>();

    /** Null for a body that can be read, and before {@link #onSubscribe}. */
    private volatile Flow.Subscription source;

    /** Whether the source signals nothing more. */
    private volatile boolean ended;

    /** Set under the lock of this object, which also guards requests to the source and reads of the body. */
    private volatile boolean cancelled;
    private volatile Throwable failure;

    // only the tasks use the fields below
    private final CRC32 crc = new CRC32();
    private Body input;
    private long read, size;
    private byte[] piece;
    private ByteBuffer output;
    private Deflater deflater;
    private int flush = Deflater.NO_FLUSH;
    private boolean unflushed, placed, closed;

    /** @param whole the body to compress; null if a source will signal it */
    GzipStream(GzipPublisher publisher, Flow.Subscriber<? super ByteBuffer> subscriber, Body whole) {
        this.publisher = publisher;
        this.subscriber = subscriber;
        input = whole;
        ended = whole != null;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        if (source != null) {
            given.cancel();
            return;
        }
        source = Objects.requireNonNull(given);
        subscriber.onSubscribe(this);
    }

    @Override
    public void onNext(ByteBuffer buffer) {
        if (arrived.compareAndSet(REQUESTED, Body.of(buffer))) {
            note();
        } else {
            fail(new IllegalStateException("the publisher signals more than was requested"));
        }
    }

    @Override
    public void onError(Throwable cause) {
        ended = true;
        fail(Objects.requireNonNull(cause));
    }

    @Override
    public void onComplete() {
        ended = true;
        note();
    }

    @Override
    public void request(long count) {
        if (count > 0) {
            demand.accumulateAndGet(count, (known, more) ->
                    known + more < 0 ? Long.MAX_VALUE : known + more);
            note();
        } else {
            // rule 3.9 of Reactive Streams
            fail(new IllegalArgumentException("requested " + count + "; allowed: 1 or more"));
        }
    }

    /**
     * Waits while a piece is being read, since after a cancel the body may be released and its file closed.
     * This takes as long as sending the piece uncompressed.
     */
    @Override
    public void cancel() {
        try {
            endSource();
        } finally {
            note();
        }
    }

    private void fail(Throwable cause) {
        failure = cause;
        note();
    }

    private synchronized void endSource() {
        boolean open = source != null && !ended && !cancelled;
        cancelled = true;
        if (open) {
            source.cancel();
        }
    }

    private void note() {
        if (notes.getAndIncrement() == 0) {
            execute();
        }
    }

    private void execute() {
        try {
            publisher.threads.execute(this);
        } catch (Throwable t) {
            // for example, there is no memory for a thread; no other task runs
            close(t);
        }
    }

    @Override
    public void run() {
        int seen = notes.get();
        boolean more = !closed;
        try {
            for (int i = 0; more && i < STEPS; i++) {
                more = step();
            }
        } catch (Throwable t) {
            close(t);
            more = false;
        }
        if (more || notes.addAndGet(-seen) > 0) {
            execute();
        }
    }

    /** Makes or reads one piece at most; returns whether there is more to do before the next note. */
    private boolean step() throws IOException {
        if (cancelled || failure != null) {
            close(cancelled ? null : failure);
            return false;
        }
        if (demand.get() == 0) {
            return false;
        }
        if (deflater == null) {
            begin();
        }
        int room = output.remaining() - TAIL;
        int count = deflater.deflate(output.array(), output.position(), room, flush);
        output.position(output.position() + count);
        if (deflater.finished()) {
            finish();
            return false;
        }
        boolean full = count == room;
        if (output.position() > 0 && (full || flush == Deflater.SYNC_FLUSH)) {
            signal();
        }
        if (full) {
            return true;
        }
        flush = Deflater.NO_FLUSH;
        return load();
    }

    /** Called at the first demand: until then no deflater is needed. */
    private void begin() {
        placed = publisher.takePlace();
        deflater = new Deflater(publisher.level, true);
        piece = new byte[PIECE];
        output = ByteBuffer.allocate(PIECE + TAIL).put(HEAD);
    }

    private void finish() {
        output.order(ByteOrder.LITTLE_ENDIAN).putInt((int) crc.getValue()).putInt((int) size);
        signal();
        close(null);
        subscriber.onComplete();
    }

    private void signal() {
        demand.updateAndGet(known -> known == Long.MAX_VALUE ? known : known - 1);
        byte[] made = Arrays.copyOf(output.array(), output.position());
        output.clear();
        subscriber.onNext(ByteBuffer.wrap(made));
    }

    /** Gives the deflater, whose input is used up, its next input; returns whether there is more to do. */
    private boolean load() throws IOException {
        if (input != null && read < input.length()) {
            int count = read();
            crc.update(piece, 0, count);
            deflater.setInput(piece, 0, count);
            size += count;
            unflushed = true;
            return true;
        }
        // read before arrived: it is set after the last buffer
        boolean last = ended;
        Body next = arrived.get();
        if (next != null && next != REQUESTED) {
            input = next;
            read = 0;
            arrived.set(null);
        } else if (last) {
            deflater.finish();
        } else if (next == null) {
            arrived.set(REQUESTED);
            ask();
        } else if (unflushed) {
            flush = Deflater.SYNC_FLUSH;
            unflushed = false;
        } else {
            return false;
        }
        return true;
    }

    private synchronized void ask() {
        if (!cancelled) {
            source.request(1);
        }
    }

    /** By {@link Body#read}, also for direct buffers: if their file is truncated, zlib crashes the JVM. */
    private synchronized int read() throws IOException {
        int count = cancelled ? 0 : input.read(read, ByteBuffer.wrap(piece));
        read += count;
        return count;
    }

    /** Ends the deflater, and reports a cause unless it is null. */
    private void close(Throwable cause) {
        if (closed) {
            return;
        }
        closed = true;
        input = null;
        piece = null;
        output = null;
        if (deflater != null) {
            deflater.end();
        }
        if (placed) {
            publisher.freePlace();
        }
        if (cause != null) {
            try {
                endSource();
            } finally {
                subscriber.onError(cause);
            }
        }
    }
}
