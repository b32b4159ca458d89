package org.microhttp;

import java.io.*;
import java.nio.ByteBuffer;
import java.nio.channels.*;
import java.time.Duration;
import java.util.Objects;

/**
 * The body of a {@link Response} that is not an array: a buffer, or a region of a file. Inside, every body is
 * this: a length, and a way to write itself, from any offset and more than once.
 * <p>
 * Its two setters change and return the same object; call them before a response is made of it. After that it
 * is safe for all threads, and may be sent any number of times, at once too.
 */
public abstract class Body {

    /** No length has more digits. */
    private static final long MAX_END = 999_999_999_999_999_999L;

    /** The octets there are. */
    final long length;

    /** What is run when a response with it is done with; null for nothing. */
    Runnable release;

    /** How much later than the head it leaves, in nanoseconds. */
    long delay;

    /** How many of its first octets go through the write buffer; what is behind them can do without. */
    final int copied;

    Body(long length, int copied) {
        this.length = length;
        this.copied = copied;
    }

    /**
     * Makes a body of what a buffer has between its position and its limit. Nothing is copied, so it must not
     * be changed afterwards; position and limit may. The octets of a direct buffer, or a mapped one, go to
     * the socket with one copy less than those of an array. A mapped file that is cut ends the connections
     * that are sent the lost part; what is left of the page in which the file now ends reads as zeros, and is
     * sent.
     *
     * @param buffer a buffer of any kind
     * @return its body
     * @throws NullPointerException if it is null
     */
    public static Body of(ByteBuffer buffer) { return new Buffer(buffer.slice().asReadOnlyBuffer()); }

    /**
     * Makes a body of a region of a file, which goes from the kernel's page cache to the socket and is never
     * in the heap. The file must stay open as long as the body is sent, see {@link #onReleased}. If it turns
     * out to be shorter, or cannot be read, the client gets a 500 if nothing of the response was sent yet;
     * else the connection is closed in the middle of the body. Both are logged as {@code body_error}.
     * <p>
     * What is not in the page cache is read on the loop's thread, and all connections wait for the disk. An
     * interrupt of a thread that uses the channel closes it, as always in Java.
     *
     * @param file     open for reading; its own position is not used
     * @param position where the region begins, 0 or more
     * @param length   how long it is, 0 or more
     * @return its body
     * @throws IllegalArgumentException if position or length is negative, or the end beyond 18 digits
     * @throws NullPointerException     if the file is null
     */
    public static Body of(FileChannel file, long position, long length) {
        Options.within("position", position, 0L, MAX_END);
        Options.within("length", length, 0L, MAX_END - position);
        return new Region(file, position, length);
    }

    /**
     * Sets what is run when a response with this body is done with: once for each time that one was given to
     * a callback, whether it was sent, or dropped with its connection, or ignored as late or second, and also
     * if the status or the method allows no body. On the loop's thread; or, if the loop has ended, on that
     * which called the callback. What it throws is logged as {@code handler_error}.
     *
     * @param action what to run, or null; must not block, nor leave the thread's interrupt flag set
     * @return this body
     */
    public Body onReleased(Runnable action) {
        release = action;
        return this;
    }

    /**
     * Sets how much later than the head the body leaves; default 0. Meanwhile the connection waits, and with
     * it all that is pipelined. A help for tests of clients.
     *
     * @param delay 0 to 365 days, counted from when the head was sent; at most a tick
     *              ({@link Options#withResolution}) is added
     * @return this body
     */
    public Body withDelay(Duration delay) {
        this.delay = Options.within("delay", delay, Duration.ZERO, Duration.ofDays(365)).toNanos();
        return this;
    }

    /** Fills the buffer, which takes no more than there is, from an offset, and says how much that was. */
    abstract int put(long from, ByteBuffer target) throws IOException;

    /**
     * Writes the buffer, and at most so much from an offset: with it if it can, else if the buffer is empty.
     * As much as the channel takes at once; says how much that was.
     */
    abstract int write(ByteBuffer before, long from, int most, GatheringByteChannel target)
            throws IOException;

    /** In memory. */
    static final class Buffer extends Body {

        /** The array is the body's own; or there is none to be had, if another has wrapped it. */
        final ByteBuffer octets;

        /** A copy of what is mapped from a file that was cut would be garbage, before the JVM tells of it. */
        Buffer(ByteBuffer octets) {
            super(octets.limit(), octets.isDirect() ? 0 : Integer.MAX_VALUE);
            this.octets = octets;
        }

        @Override
        int put(long from, ByteBuffer target) {
            int count = target.remaining();
            target.put(target.position(), octets, (int) from, count);
            target.position(target.limit());
            return count;
        }

        @Override
        int write(ByteBuffer before, long from, int most, GatheringByteChannel target) throws IOException {
            try {
                return (int) target.write(new ByteBuffer[] {before, octets.slice((int) from, most)});
            } catch (IOException e) {
                // of a mapped file that was cut nothing can be sent, but what is before it can
                if (!before.hasRemaining()) throw e;
                return target.write(before);
            }
        }
    }

    /** A region of a file. */
    private static final class Region extends Body {

        private final FileChannel file;
        private final long position;

        /** The beginning is copied, so that the head is no packet of its own. */
        Region(FileChannel file, long position, long length) {
            super(length, 1);
            this.file = Objects.requireNonNull(file, "file");
            this.position = position;
        }

        @Override
        int put(long from, ByteBuffer target) throws IOException {
            return check(file.read(target, position + from), from);
        }

        @Override
        int write(ByteBuffer before, long from, int most, GatheringByteChannel target) throws IOException {
            if (before.hasRemaining()) return target.write(before);
            return check((int) file.transferTo(position + from, most, target), from);
        }

        /** Nothing comes of a full buffer or socket too, not only behind the end of a file that was cut. */
        private int check(int count, long from) throws IOException {
            if (count > 0) return count;
            if (file.size() <= position + from) throw new EOFException("the file of the body was cut");
            return 0;
        }
    }
}
