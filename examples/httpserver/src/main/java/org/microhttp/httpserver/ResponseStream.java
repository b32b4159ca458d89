package org.microhttp.httpserver;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.Semaphore;
import org.microhttp.Body;
import org.microhttp.Header;
import org.microhttp.Response;

/**
 * The body of a response, for a handler's thread to write. A body that is small, or is written at once,
 * becomes one response when it is complete. A larger or flushed body is streamed, and then writing waits for
 * the client. For one thread at a time.
 */
final class ResponseStream extends OutputStream {

    /** The most bytes that are kept, and that a buffer of a stream has. */
    private static final int PIECE = 32 * 1024;

    /** The first size of a buffer, if the length of the body is not known. */
    private static final int BEGINNING = 1024;

    /**
     * How many buffers wait; and how many before the request's body is read: a handler may echo 1 MiB.
     */
    private static final int MOST = 4;
    private static final int MOST_BEFORE_END = 32;

    private static final Body EMPTY = Body.of(ByteBuffer.allocate(0));

    /** The body that HEAD leaves out. If the handler gives no length, none is sent. */
    private static final Flow.Publisher<ByteBuffer> UNSENT = subscriber -> { };

    private final Answer answer;
    private final RequestStream request;
    private int status;
    private List<Header> fields;

    /** How many bytes the body has, and how many are missing; negative if unknown. */
    private long length;
    private long missing;
    private byte[] piece;
    private int used;
    private volatile Outgoing outgoing;
    private boolean begun;

    /** Whether the response is complete, or has failed; and whether later writes are dropped. */
    private boolean complete;
    private boolean unsent;

    ResponseStream(Answer answer, RequestStream request) {
        this.answer = answer;
        this.request = request;
    }

    /**
     * Responds without a body.
     *
     * @param toHead       whether later writes are dropped, instead of failing
     * @param unsentLength for HEAD the length that the body would have (RFC 9110 §9.3.2), negative for none
     */
    void beginEmpty(int code, List<Header> given, boolean toHead, long unsentLength) throws IOException {
        begin(code, given, 0);
        unsent = toHead;
        complete = true;
        respond(toHead ? Body.of(UNSENT, unsentLength) : EMPTY);
        request.close();
    }

    /** @param expected how many bytes will be written; negative if unknown */
    void begin(int code, List<Header> given, long expected) {
        begun = true;
        status = code;
        fields = given;
        length = expected;
        missing = expected;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, bytes.length);
        checkBegun();
        if (unsent || count == 0) {
            return;
        }
        check(count);
        boolean whole = count == missing && used == 0 && outgoing == null;
        if (whole && count >= PIECE && request.isOver()) {
            lend(bytes, offset, count);
            return;
        }
        append(bytes, offset, count);
        missing -= length < 0 ? 0 : count;
        if (missing == 0) {
            complete();
        }
    }

    private void checkBegun() throws IOException {
        if (!begun) {
            throw new IOException("response headers not sent yet");
        }
    }

    private void check(int count) throws IOException {
        if (complete) {
            throw new IOException("the response is complete, or has failed");
        }
        if (length >= 0 && count > missing) {
            fail(new IOException("more than the " + length + " bytes of sendResponseHeaders"));
        }
    }

    /**
     * Sends the whole body from the handler's array, which costs less than a copy, and waits until the body
     * is sent or the client is gone. An interrupt does not end the wait: the array may be in use.
     */
    private void lend(byte[] bytes, int offset, int count) {
        complete = true;
        var done = new Semaphore(0);
        respond(Body.of(ByteBuffer.wrap(bytes, offset, count)).onReleased(done::release));
        done.acquireUninterruptibly();
    }

    private void append(byte[] bytes, int offset, int count) throws IOException {
        int at = offset;
        int end = offset + count;
        while (at < end) {
            makeRoom(end - at);
            int taken = Math.min(piece.length - used, end - at);
            System.arraycopy(bytes, at, piece, used, taken);
            used += taken;
            at += taken;
        }
    }

    /**
     * Makes room for at least a byte. A full piece is sent only when more follows: it may be the whole body.
     */
    private void makeRoom(int wanted) throws IOException {
        if (used == PIECE) {
            ship();
        }
        if (piece == null) {
            long size = length < 0 ? Math.max(BEGINNING, wanted) : missing;
            piece = new byte[(int) Math.min(PIECE, size)];
        } else if (used == piece.length) {
            piece = Arrays.copyOf(piece, Math.min(PIECE, Math.max(2 * used, used + wanted)));
        }
    }

    /** Puts the piece into the stream, and waits for room. */
    private void ship() throws IOException {
        stream(false);
        ByteBuffer full = ByteBuffer.wrap(piece, 0, used);
        piece = null;
        used = 0;
        if (!outgoing.hasRoom()) {
            request.keepRest();
        }
        outgoing.put(full);
    }

    /** Begins to stream. The head is sent alone, or else together with the first buffer. */
    private void stream(boolean headAlone) {
        if (outgoing != null) {
            return;
        }
        outgoing = new Outgoing(request.isOver() ? MOST : MOST_BEFORE_END, answer::end);
        Body body = Body.of(outgoing, length).onReleased(outgoing::cancel);
        respond(headAlone ? body.withHeadAtOnce() : body);
    }

    private void respond(Body body) {
        Response response;
        try {
            response = Answer.of(status, fields, body);
        } catch (IllegalArgumentException e) {
            // a field that must not be sent
            complete = true;
            answer.fail(e);
            throw e;
        }
        answer.give(response);
    }

    /** Sends the head and all bytes written so far, but not before the request's body is read. */
    @Override
    public void flush() throws IOException {
        checkBegun();
        if (!complete && used > 0) {
            ship();
        } else if (!complete) {
            stream(true);
        } else if (length < 0) {
            // as with the JDK, a body of known length may be flushed when all is written
            check(0);
        }
    }

    private void complete() throws IOException {
        complete = true;
        if (outgoing == null && length >= 0) {
            respond(Body.of(ByteBuffer.wrap(piece, 0, used)));
            return;
        }
        // no length is sent if the handler gave none: programs may rely on chunks, as the JDK documents
        stream(false);
        if (used > 0) {
            ship();
        }
        outgoing.end(null);
    }

    /** Ends the response, and the body of the request. */
    @Override
    public void close() throws IOException {
        checkBegun();
        if (!complete) {
            if (missing > 0) {
                fail(new IOException(missing + " of the " + length + " bytes of sendResponseHeaders"
                        + " are not written"));
            }
            complete();
        }
        request.close();
    }

    private void fail(IOException cause) throws IOException {
        abort(cause);
        throw cause;
    }

    /**
     * Cuts the response, or makes it a 500 if nothing is sent. If it is complete, the cause is only logged.
     */
    void abort(Throwable cause) {
        if (complete) {
            answer.give(Response.failed(cause));
        } else if (outgoing != null) {
            outgoing.end(cause);
        } else {
            answer.fail(cause);
        }
        complete = true;
        request.cancel();
    }

    /** The client is gone. */
    void onGone() {
        Outgoing stream = outgoing;
        if (stream != null) {
            stream.cancel();
        }
    }
}
