package org.microhttp;

import java.io.*;
import java.nio.ByteBuffer;
import java.nio.channels.*;
import java.nio.file.*;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.*;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Flow;
import java.util.function.UnaryOperator;

/**
 * The body of a {@link Response}: an array, a buffer, or a region of a file, which has a length and can be
 * read from any offset more than once; or the buffers that a publisher signals while the body is sent.
 * <p>
 * A body is immutable: {@link #onReleased}, {@link #withHeadAtOnce} and {@link #withPublisher} return copies.
 * It is safe for all threads, and may be sent any number of times, also at the same time, except that of
 * {@link #of(Path)}, whose file is closed when its response is done.
 */
public abstract class Body {

    /** The largest number of 18 digits: no Content-Length has more. */
    private static final long MAX_END = 999_999_999_999_999_999L;

    /** The number of bytes; negative if it is not known before they are sent. */
    long length;

    /** What runs when a response with this body is done: the last action that was added runs first. */
    final List<Release> releases;

    /** An action. Copies of a body have the same object, so that it is run once. */
    static final class Release {

        final Runnable action;

        /** Whether a file stays open until the action has run. */
        final boolean file;

        Release(Runnable action, boolean file) {
            this.action = Objects.requireNonNull(action, "action");
            this.file = file;
        }
    }

    Body(long length, List<Release> releases) {
        this.length = length;
        this.releases = releases;
    }

    /**
     * Makes a body of the bytes between a buffer's position and limit. For example, a mapped file:
     * <pre>{@code
     *   Body body = Body.of(file.map(FileChannel.MapMode.READ_ONLY, 0, file.size()));
     * }</pre>
     * The bytes are not copied, so do not change them afterwards; position and limit may change. Bytes of a
     * direct or mapped buffer go to the socket with one copy less than those of an array. If a mapped file is
     * truncated, connections that are sent the lost part end, and {@link #read} of that part throws an
     * IOException; the rest of the file's last page is sent and read as zeros. No other connection is
     * affected, because only the kernel reads direct buffers. If a program itself reads a mapped buffer whose
     * file is truncated, the JVM throws an {@code InternalError} in that thread, perhaps much later.
     *
     * @param buffer a buffer of any kind
     * @return its body
     * @throws NullPointerException if the buffer is null
     */
    public static Body of(ByteBuffer buffer) { return new Buffer(buffer.slice().asReadOnlyBuffer()); }

    /**
     * Opens a file and makes a body of all of it, for one response. The file is closed when that response is
     * done, see {@link #onReleased}; if you do not give the response to a callback, call {@link
     * Response#release}. For example:
     * <pre>{@code
     *   Handler handler = Handler.blocking(request ->
     *           Response.of(200, "application/pdf", Body.of(Path.of("report.pdf"))));
     * }</pre>
     * If an exception is thrown in between, nobody closes the file. {@link Header} refuses some values, so
     * make headers from a client's input before the body:
     * <pre>{@code
     *   var headers = List.of(new Header("Content-Disposition", "attachment; filename=" + name));
     *   return new Response(200, headers, Body.of(path));
     * }</pre>
     * Opening a file may wait for the disk. Check a path that comes from a client. The rest is as with {@link
     * #of(FileChannel, long, long)}.
     *
     * @param path a regular file
     * @return its body
     * @throws IOException          if the file cannot be opened: NoSuchFileException if there is none
     * @throws NullPointerException if the path is null
     */
    public static Body of(Path path) throws IOException {
        // a pipe without a writer would not be opened, and a folder fails only when it is sent
        if (!Files.readAttributes(path, BasicFileAttributes.class).isRegularFile()) {
            throw new FileSystemException(path.toString(), null, "not a regular file");
        }
        FileChannel file = FileChannel.open(path);
        try {
            return of(file, 0, file.size()).onReleased(() -> close(file));
        } catch (Throwable t) {
            close(file);
            throw t;
        }
    }

    private static void close(FileChannel file) {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Makes a body of a region of a file, which goes from the kernel's page cache to the socket and is never
     * in the heap. The file must stay open while the body is sent:
     * <pre>{@code
     *   FileChannel file = FileChannel.open(path);
     *   Body firstBytes = Body.of(file, 0, 1_000).onReleased(() -> close(file));
     * }</pre>
     * If the file turns out to be shorter, or cannot be read, the client gets a 500 if nothing of the
     * response was sent; otherwise the connection is closed in the middle of the body. Both are logged as
     * {@code body_error}. The loop's thread reads what is not in the page cache, and all connections wait for
     * the disk. An interrupt of a thread that uses the channel closes the channel, as always in Java.
     *
     * @param file     open for reading; its own position is not used
     * @param position the offset at which the region begins, 0 or more
     * @param length   the length of the region, 0 or more
     * @return its body
     * @throws IllegalArgumentException if position or length is negative, or the end beyond 18 digits
     * @throws NullPointerException     if the file is null
     */
    public static Body of(FileChannel file, long position, long length) {
        Check.within("position", position, 0L, MAX_END);
        Check.within("length", length, 0L, MAX_END - position);
        Objects.requireNonNull(file, "file");
        return new Region(file, position, length, List.of());
    }

    /**
     * Makes a body of unknown length from a publisher. The body is sent in chunks (RFC 9112 §7.1). To an
     * HTTP/1.0 client it is sent until the connection closes; a reset shows that it is incomplete (RFC 9112
     * §8). At a Unix domain socket, where no client sees a reset, such a client gets a 505. The rest is as
     * with {@link #of(Flow.Publisher, long)}. For example, events that a browser receives as they happen:
     * <pre>{@code
     *   return Response.of(200, "text/event-stream", Body.of(publisher).withHeadAtOnce());
     * }</pre>
     *
     * @param publisher signals the body's buffers
     * @return its body
     * @throws NullPointerException if the publisher is null
     */
    public static Body of(Flow.Publisher<? extends ByteBuffer> publisher) { return of(publisher, -1); }

    /**
     * Makes a body from a publisher that signals its buffers while it is sent, such as a
     * {@code BodyPublisher} of {@code java.net.http}:
     * <pre>{@code
     *   BodyPublisher file = BodyPublishers.ofFile(path);
     *   return Response.of(200, "text/plain", Body.of(file, file.contentLength()));
     * }</pre>
     * The server subscribes when it is the response's turn to be sent, once for each sending, but not if no
     * body is sent, as for HEAD. It calls {@code subscribe}, {@code request} and {@code cancel} on the loop's
     * thread, so they must not block; but a subscription that comes after the loop has ended is cancelled on
     * the thread that gives it. The publishers of {@code ofFile} and {@code ofInputStream} read in
     * {@code request}, and all connections wait for them: let a publisher that may wait use its own thread.
     * <p>
     * Signals may come from any thread, one at a time, as {@link Flow} requires. The server requests eight
     * buffers at most, and more only when all that have come are sent: a publisher is as slow as its client.
     * Do not change a buffer after {@code onNext}; the server does not move its position or limit. An empty
     * buffer sends nothing. A direct buffer is not copied: send large ones. If the file of a mapped buffer is
     * truncated, this is a failure of the publisher; see {@link #of(ByteBuffer)}.
     * <p>
     * The head is sent with the first buffer that is not empty, see {@link #withHeadAtOnce}. If the publisher
     * fails before that, the client gets a 500; after it, the body and the connection are cut. Both are
     * logged: as {@code body_error} if the publisher signals an error, is silent for longer than
     * {@code streamTimeout}, or does not keep to the length; as {@code publisher_error} if it breaks the
     * rules, with more buffers than requested for example. A publisher that gives up a client, because the
     * client is too slow for example, signals a {@link CancellationException}, which is not logged. When the
     * client is gone, the subscription is cancelled.
     *
     * @param publisher signals the body's buffers
     * @param length    the number of bytes in all; negative if it is not known
     * @return its body
     * @throws IllegalArgumentException if the length has more than 18 digits
     * @throws NullPointerException     if the publisher is null
     */
    public static Body of(Flow.Publisher<? extends ByteBuffer> publisher, long length) {
        Check.within("length", length, Long.MIN_VALUE, MAX_END);
        return new Streamed(Objects.requireNonNull(publisher, "publisher"), Math.max(length, -1));
    }

    /**
     * Has the head sent as soon as the publisher has given its subscription, instead of with the first
     * buffer. A client such as an {@code EventSource} then knows that it is connected, even if nothing
     * happens. If the publisher fails after its subscription and before a buffer, the body is cut; the client
     * gets no 500. This has no effect on other bodies.
     *
     * @return the copy
     */
    public Body withHeadAtOnce() { return this; }

    /**
     * Copies a publisher's body with another publisher, which subscribes to the first when it is subscribed
     * to. The copy has no known length; the rest is that of this body. This is how a wrapping handler changes
     * a body that it cannot {@link #read}. For example, to count what is sent:
     * <pre>{@code
     *   Handler counted = handler.andThen((request, response) ->
     *           response.withBody(response.body().withPublisher(Counting::new)));
     * }</pre>
     * This has no effect on other bodies, nor on that of {@link Response#upgrade}.
     *
     * @param change makes a publisher of the first; called at once, and only for a publisher's body
     * @return the copy; this body itself if it is no publisher's
     * @throws NullPointerException if the function, or what it returns, is null
     */
    public Body withPublisher(UnaryOperator<Flow.Publisher<? extends ByteBuffer>> change) {
        Objects.requireNonNull(change, "change");
        return this;
    }

    /**
     * Copies the body with one more action, for example to close a file. The actions of a body run when a
     * response with it is done: once for each time that a response was given to a callback, whether it was
     * sent, dropped with its connection, or ignored as late or second, and also if the status or the method
     * allows no body. The one added last runs first. They run on the loop's thread; if the loop has ended, on
     * the thread that called the callback; and in {@link Response#release}. All run even if one throws; what
     * is thrown is logged as {@code handler_error}, and {@code release} throws it. Only the actions of the
     * body that was given run: those of other copies do not.
     *
     * @param action what to run; it must not block
     * @return the copy
     * @throws NullPointerException if the action is null
     */
    public Body onReleased(Runnable action) {
        var all = new ArrayList<Release>();
        all.add(new Release(action, isFile()));
        all.addAll(releases);
        return with(List.copyOf(all));
    }

    /**
     * Returns a body whose release also releases another, which it may read. Only the other's actions are
     * kept, so its array can be garbage-collected.
     */
    Body insteadOf(Body other) {
        if (releases.containsAll(other.releases)) return this;
        var all = new LinkedHashSet<>(releases);
        all.addAll(other.releases);
        return with(List.copyOf(all));
    }

    abstract Body with(List<Release> releases);

    /**
     * Returns the length. For example, in a wrapping handler that compresses only large bodies:
     * <pre>{@code
     *   if (response.body().length() > 1_000) return compressed(response);
     * }</pre>
     *
     * @return the number of bytes; -1 for a publisher's body of unknown length
     */
    public long length() { return length; }

    /**
     * Reads a part of the body into a buffer, from the buffer's position on. Reading a file may wait for the
     * disk, so do it on a thread of an executor. A direct buffer is read through a pipe, some 64 KiB at a
     * time, see {@link #of(ByteBuffer)}. For example, to hash any body but a publisher's:
     * <pre>{@code
     *   ByteBuffer part = ByteBuffer.allocate(64 * 1024);
     *   for (long at = 0; at < body.length();) {
     *       at += body.read(at, part.clear());
     *       digest.update(part.flip());
     *   }
     * }</pre>
     *
     * @param position the offset to read from, 0 to {@link #length}
     * @param target   gets the bytes, at most as many as it has room for
     * @return how many bytes: at least 1 unless nothing is left or there is no room
     * @throws IOException              if the body cannot be read, because its file was truncated for example
     * @throws IllegalArgumentException if the position is out of its range
     * @throws UnsupportedOperationException if the body is a publisher's
     */
    public int read(long position, ByteBuffer target) throws IOException {
        Check.within("position", position, 0L, length);
        int count = (int) Math.min(length - position, target.remaining());
        return count == 0 ? 0 : put(position, count, target);
    }

    /**
     * Returns the bytes of a body in memory, for example in a test of a handler:
     * <pre>{@code
     *   assertEquals("hello", new String(response.body().bytes(), UTF_8));
     * }</pre>
     *
     * @return the array that was given, not a copy; the bytes of a heap buffer in a new array
     * @throws UnsupportedOperationException if the body is a file's, a direct or mapped buffer's, or a
     *                                       publisher's
     */
    public byte[] bytes() {
        throw new UnsupportedOperationException("the body is not in the heap; use read()");
    }

    /** Says whether the body keeps a file open and has nothing in memory. */
    boolean isFile() { return false; }

    /** Says whether the body, or one that it stands for, keeps a file open until the release. */
    boolean keepsFile() {
        for (Release release : releases) {
            if (release.file) return true;
        }
        return isFile();
    }

    /**
     * Returns how many bytes from an offset on {@link #write} sends; 0 if {@link #put} copies those at the
     * offset into the write buffer.
     */
    long writable(long from) { return 0; }

    /** Puts at most {@code count} bytes from an offset into a buffer with room for them; returns how many. */
    int put(long from, int count, ByteBuffer target) throws IOException {
        throw new UnsupportedOperationException("what a publisher signals cannot be read before");
    }

    /** Says whether the byte at an offset can be read. */
    boolean isReadable(long at) {
        try {
            return put(at, 1, ByteBuffer.allocate(1)) == 1;
        } catch (Throwable t) {
            return false;
        }
    }

    /**
     * Writes the buffer and at most {@code most} bytes from an offset, as many as the channel takes at once;
     * returns how many. A body that cannot be written together with the buffer writes only the buffer, unless
     * the buffer is empty. This is called only for bytes that are {@link #writable}.
     */
    int write(ByteBuffer before, long from, int most, GatheringByteChannel target) throws IOException {
        throw new UnsupportedOperationException("it is copied");
    }

    /** A region of a file. */
    private static final class Region extends Body {

        private final FileChannel file;
        private final long position;

        Region(FileChannel file, long position, long length, List<Release> releases) {
            super(length, releases);
            this.file = file;
            this.position = position;
        }

        @Override
        Body with(List<Release> others) { return new Region(file, position, length, others); }

        @Override
        boolean isFile() { return true; }

        /** The first bytes are copied, see {@link ResponseQueue}. */
        @Override
        long writable(long from) { return from == 0 ? 0 : length - from; }

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

        /** Nothing was read, or a full socket took nothing: the file's size shows whether it was cut. */
        private int check(int count, long from) throws IOException {
            if (count > 0) return count;
            if (file.size() <= position + from) throw new EOFException("the file of the body was cut");
            return 0;
        }
    }

    /** A publisher's body: the server cannot read it, but makes a {@link BodyStream} for each sending. */
    static final class Streamed extends Body {

        final Flow.Publisher<? extends ByteBuffer> publisher;

        /** The subscriber that gets the client's input after a switch to another protocol; else null. */
        final Flow.Subscriber<? super List<ByteBuffer>> incoming;

        /** Whether the head of a response is sent before the publisher has signalled a buffer. */
        final boolean headAtOnce;

        Streamed(Flow.Publisher<? extends ByteBuffer> publisher, long length) {
            this(publisher, length, null, false, List.of());
        }

        /** Makes the body of a response that switches to another protocol. */
        Streamed(Flow.Publisher<? extends ByteBuffer> publisher,
                Flow.Subscriber<? super List<ByteBuffer>> incoming) {
            this(publisher, -1, incoming, true, List.of());
        }

        private Streamed(Flow.Publisher<? extends ByteBuffer> publisher, long length,
                Flow.Subscriber<? super List<ByteBuffer>> incoming, boolean headAtOnce,
                List<Release> releases) {
            super(length, releases);
            this.publisher = publisher;
            this.incoming = incoming;
            this.headAtOnce = headAtOnce;
        }

        @Override
        public Body withHeadAtOnce() { return new Streamed(publisher, length, incoming, true, releases); }

        @Override
        public Body withPublisher(UnaryOperator<Flow.Publisher<? extends ByteBuffer>> change) {
            if (incoming != null) return super.withPublisher(change);
            var changed = Objects.requireNonNull(change.apply(publisher), "the changed publisher");
            return new Streamed(changed, -1, null, headAtOnce, releases);
        }

        @Override
        Body with(List<Release> others) {
            return new Streamed(publisher, length, incoming, headAtOnce, others);
        }

        @Override
        public int read(long position, ByteBuffer target) throws IOException {
            return put(position, 0, target);
        }
    }

    /** A body in memory. */
    static final class Buffer extends Body {

        /** The given array, wrapped, or a read-only view of the given buffer. */
        final ByteBuffer bytes;

        Buffer(ByteBuffer bytes) { this(bytes, List.of()); }

        private Buffer(ByteBuffer bytes, List<Release> releases) {
            super(bytes.limit(), releases);
            this.bytes = bytes;
        }

        @Override
        Body with(List<Release> others) { return new Buffer(bytes, others); }

        @Override
        public byte[] bytes() {
            if (bytes.isDirect()) return super.bytes();
            if (bytes.hasArray()) return bytes.array();
            var copy = new byte[bytes.limit()];
            bytes.get(0, copy);
            return copy;
        }

        /**
         * Only the kernel reads direct bytes. They may be a file's that was truncated: the kernel reports
         * this at once, the JVM at any time later, and a copy would end with what the target had before.
         */
        @Override
        long writable(long from) { return bytes.isDirect() ? length - from : 0; }

        @Override
        int put(long from, int count, ByteBuffer target) throws IOException {
            if (bytes.isDirect()) return putByKernel(bytes.slice((int) from, count), target);
            target.put(target.position(), bytes, (int) from, count);
            target.position(target.position() + count);
            return count;
        }

        /** Puts as many bytes as a pipe takes. */
        private static int putByKernel(ByteBuffer source, ByteBuffer target) throws IOException {
            Pipe pipe = Pipe.open();
            try (var sink = pipe.sink(); var in = pipe.source()) {
                sink.configureBlocking(false);
                int count = sink.write(source);
                count = in.read(target.slice(target.position(), count));
                target.position(target.position() + count);
                return count;
            }
        }

        @Override
        int write(ByteBuffer before, long from, int most, GatheringByteChannel target) throws IOException {
            return (int) target.write(new ByteBuffer[] {before, bytes.slice((int) from, most)});
        }
    }
}
