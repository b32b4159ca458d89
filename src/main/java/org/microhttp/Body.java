package org.microhttp;

import java.io.*;
import java.nio.ByteBuffer;
import java.nio.channels.*;
import java.util.*;
import java.util.concurrent.Flow;

/**
 * The body of a {@link Response}: an array, a buffer, or a region of a file, which has a length, and can be
 * read and written from any offset and more than once; or what a publisher signals while it is sent.
 * <p>
 * {@link #onReleased} and {@link #withHeadAtOnce} change and return the same object; call them before a
 * response is made of it. After that a body is safe for all threads, and may be sent any number of times, at
 * once too.
 */
public abstract class Body {

    /** The largest number of 18 digits: no Content-Length has more. */
    private static final long MAX_END = 999_999_999_999_999_999L;

    /** The octets there are; below 0 if that is not known before they are sent. */
    long length;

    /** Whether the head of a response is sent before its publisher has signalled a buffer. */
    boolean headAtOnce;

    /** What is run when a response with it is done with; null for nothing. */
    Runnable release;

    Body(long length) { this.length = length; }

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
        Objects.requireNonNull(file, "file");
        return new Body(length) {

            @Override
            boolean isFile() { return true; }

            /** The beginning is copied, so that the head is no packet of its own. */
            @Override
            boolean isCopied(long from) { return from == 0; }

            @Override
            int put(long from, int count, ByteBuffer target) throws IOException {
                int read = check(file.read(target.slice(target.position(), count), position + from), from);
                target.position(target.position() + read);
                return read;
            }

            @Override
            int write(ByteBuffer before, long from, int most, GatheringByteChannel out) throws IOException {
                if (before.hasRemaining()) return out.write(before);
                return check((int) file.transferTo(position + from, most, out), from);
            }

            /** A full socket takes nothing, either, so the file's size tells whether it was cut. */
            private int check(int count, long from) throws IOException {
                if (count > 0) return count;
                if (file.size() <= position + from) throw new EOFException("the file of the body was cut");
                return 0;
            }
        };
    }

    /**
     * Makes a body of what a publisher signals while it is sent, of a length that nobody knows before: it is
     * sent in chunks (RFC 9112 §7.1); to a client of HTTP/1.0 until the connection closes, so that it sees by
     * a reset if the body is incomplete (RFC 9112 §8). At a Unix domain socket, where nobody sees a reset,
     * such a client gets a 505. The rest is as below. For example, events that a browser receives as they
     * happen:
     * <pre>{@code
     *   Body events = Body.of(publisher).withHeadAtOnce();
     *   callback.accept(new Response(200, List.of(new Header("Content-Type", "text/event-stream")), events));
     * }</pre>
     *
     * @param publisher signals the body's buffers
     * @return its body
     * @throws NullPointerException if it is null
     */
    public static Body of(Flow.Publisher<? extends ByteBuffer> publisher) { return of(publisher, -1); }

    /**
     * Makes a body of what a publisher signals while it is sent. A {@code BodyPublisher} of {@code
     * java.net.http} is one, too:
     * <pre>{@code
     *   BodyPublisher file = HttpRequest.BodyPublishers.ofFile(path);
     *   callback.accept(new Response(200, List.of(), Body.of(file, file.contentLength())));
     * }</pre>
     * The server subscribes when it is the response's turn to be sent, once for each sending; never where no
     * body is sent, as for HEAD. It calls {@code subscribe}, {@code request} and {@code cancel} on the loop's
     * thread, so they must not block, nor leave its interrupt flag set. A publisher such as that of {@code
     * ofFile} or {@code ofInputStream} reads in {@code request}, and all connections wait for it: give one
     * that may wait a thread of its own.
     * <p>
     * Signals may come from any thread, one at a time, as {@link Flow} rules. At most eight buffers are
     * requested and not sent, and more only when all that has come is sent: a publisher is as slow as its
     * client. A buffer is the server's from {@code onNext} on, so it must not be changed; the server does not
     * move its position or limit. One that is empty sends nothing. One of a mapped file is copied, so if that
     * file is cut meanwhile, zeros are sent.
     * <p>
     * The head is sent with the first buffer that is not empty, see {@link #withHeadAtOnce}. So a publisher
     * that fails before gets its client a 500; one that fails later a body that is cut, with the connection.
     * Both are logged: {@code body_error} if it signals an error, is silent for longer than {@code
     * streamTimeout}, or does not keep to the length; {@code publisher_error} if it breaks the rules, by more
     * buffers than were requested for example. When the client is gone, the subscription is cancelled.
     *
     * @param publisher signals the body's buffers
     * @param length    how many bytes that are in all; negative if nobody knows
     * @return its body
     * @throws IllegalArgumentException if the length has more than 18 digits
     * @throws NullPointerException     if the publisher is null
     */
    public static Body of(Flow.Publisher<? extends ByteBuffer> publisher, long length) {
        Options.within("length", length, Long.MIN_VALUE, MAX_END);
        return new Streamed(Objects.requireNonNull(publisher, "publisher"), Math.max(length, -1), null);
    }

    /**
     * Has the head sent as soon as the publisher has given its subscription, and not with the first buffer. A
     * client such as an {@code EventSource} then knows that it is connected, even if nothing happens. If the
     * publisher fails before its first buffer, the client gets a body that is cut, not a 500. It has no
     * effect on a body that is not a publisher's.
     *
     * @return this body
     */
    public Body withHeadAtOnce() {
        headAtOnce = true;
        return this;
    }

    /**
     * Sets what is run when a response with this body is done with: once for each time that one was given to
     * a callback, whether it was sent, or dropped with its connection, or ignored as late or second, and also
     * if the status or the method allows no body. On the loop's thread; or, if the loop has ended, on that
     * which called the callback, and where {@link Response#release} is called. What it throws is logged as
     * {@code handler_error}, or in the last case thrown. It replaces what was set before, so set it only on a
     * body that is yours.
     *
     * @param action what to run, or null; must not block, nor leave the thread's interrupt flag set
     * @return this body
     */
    public Body onReleased(Runnable action) {
        release = action;
        return this;
    }

    /**
     * Returns its length. For example, a handler around another that compresses what is worth it:
     * <pre>{@code
     *   if (response.content().length() > 1_000) return compressed(response);
     * }</pre>
     *
     * @return how many bytes it has; -1 if it is a publisher's, and nobody knows
     */
    public long length() { return length; }

    /**
     * Reads some of it, into a buffer from its position on. Of a file this may wait for the disk, so rather
     * do it on a thread of an executor. For example, to hash any body:
     * <pre>{@code
     *   ByteBuffer part = ByteBuffer.allocate(64 * 1024);
     *   for (long at = 0; at < body.length();) {
     *       at += body.read(at, part.clear());
     *       digest.update(part.flip());
     *   }
     * }</pre>
     *
     * @param position where to begin, 0 to {@link #length}
     * @param target   gets as much as there is, and as it has room for
     * @return how many bytes: at least 1 unless there is nothing left or no room
     * @throws IOException              if it cannot be read, as where its file was cut
     * @throws IllegalArgumentException if the position is out of its range
     * @throws UnsupportedOperationException if it is a publisher's
     */
    public int read(long position, ByteBuffer target) throws IOException {
        Options.within("position", position, 0L, length);
        int count = (int) Math.min(length - position, target.remaining());
        return count == 0 ? 0 : put(position, count, target);
    }

    /** Whether it keeps a file open and has nothing in memory. */
    boolean isFile() { return false; }

    /** Whether what is sent from an offset on is put into the write buffer, instead of written from here. */
    boolean isCopied(long from) { return true; }

    /** Puts at most so many bytes from an offset into a buffer that has room for them; says how many. */
    int put(long from, int count, ByteBuffer target) throws IOException {
        throw new UnsupportedOperationException("what a publisher signals cannot be read before");
    }

    /**
     * Writes the buffer, and at most so much from an offset: with it if it can, else if the buffer is empty.
     * As much as the channel takes at once; says how much that was. Only where it is not copied.
     */
    int write(ByteBuffer before, long from, int most, GatheringByteChannel target) throws IOException {
        throw new UnsupportedOperationException("it is copied");
    }

    /** Of a publisher: the server cannot read it, but makes a {@link BodyStream} for each sending. */
    static final class Streamed extends Body {

        final Flow.Publisher<? extends ByteBuffer> publisher;

        /** Of a response that switches to another protocol: receives what the client sends; else null. */
        final Flow.Subscriber<? super List<ByteBuffer>> incoming;

        Streamed(Flow.Publisher<? extends ByteBuffer> publisher, long length,
                Flow.Subscriber<? super List<ByteBuffer>> incoming) {
            super(length);
            this.publisher = publisher;
            this.incoming = incoming;
            headAtOnce = incoming != null;
        }

        @Override
        public int read(long position, ByteBuffer target) throws IOException {
            return put(position, 0, target);
        }
    }

    /** In memory. */
    static final class Buffer extends Body {

        /** Wraps the array that was given, or is a read-only view of the buffer that was given. */
        final ByteBuffer octets;

        Buffer(ByteBuffer octets) {
            super(octets.limit());
            this.octets = octets;
        }

        /** Direct bytes are not: if a mapped file was cut, the JVM would report that after the copy. */
        @Override
        boolean isCopied(long from) { return !octets.isDirect(); }

        @Override
        int put(long from, int count, ByteBuffer target) {
            target.put(target.position(), octets, (int) from, count);
            target.position(target.position() + count);
            return count;
        }

        @Override
        int write(ByteBuffer before, long from, int most, GatheringByteChannel target) throws IOException {
            return (int) target.write(new ByteBuffer[] {before, octets.slice((int) from, most)});
        }
    }
}
