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
 * The body of a response, for a handler's thread to write. What is small is kept, and is one response when it
 * is complete, as is a body that is written at once; what is larger, or flushed, is streamed, and then
 * writing waits for the client. One thread at a time may use it.
 */
final class ResponseStream extends OutputStream {

    /** How many bytes are kept, and how many a buffer of a stream has at most. */
    private static final int PIECE = 32 * 1024;

    /** What a buffer has at first, if the length is not known. */
    private static final int BEGINNING = 1024;

    /**
     * How many buffers wait; and if the body of the request is not read by then: a handler may echo 1 MiB.
     */
    private static final int MOST = 4;
    private static final int MOST_BEFORE_END = 32;

    private static final Body EMPTY = Body.of(ByteBuffer.allocate(0));

    /** The body that HEAD leaves out; of unknown length if the handler gives none, and none is sent then. */
    private static final Flow.Publisher<ByteBuffer> UNSENT = subscriber -> { };

    private final Answer answer;
    private final RequestStream request;
    private int status;
    private List<Header> fields;

    /** How many bytes there will be, and how many are missing; negative if nobody knows. */
    private long length;
    private long missing;
    private byte[] piece;
    private int used;
    private volatile Outgoing outgoing;
    private boolean begun;

    /** Whether the response is given completely, or has failed; whether what is written then is dropped. */
    private boolean complete;
    private boolean unsent;

    ResponseStream(Answer answer, RequestStream request) {
        this.answer = answer;
        this.request = request;
    }

    /**
     * Responds without a body.
     *
     * @param toHead       whether what is written all the same is dropped
     * @param unsentLength for HEAD the length that the body would have (RFC 9110 §9.3.2), negative for none
     */
    void beginEmpty(int code, List<Header> given, boolean toHead, long unsentLength) throws IOException {
        begin(code, given, 0);
        unsent = toHead;
        complete = true;
        respond(toHead ? Body.of(UNSENT, unsentLength) : EMPTY);
        request.close();
    }

    /** @param expected how many bytes will be written; negative if nobody knows */
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
     * Has the whole body sent from the handler's array, which costs less than a copy, and waits until it is,
     * or the client is gone. An interrupt does not end that, for the array may be in use.
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
     * Makes room for at least a byte. A piece is sent only when there is more, for it may be all there is.
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

    /** Has the piece sent in a stream, and waits for room. */
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

    /** Begins to stream; without the head alone, it is sent together with what comes first. */
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

    /** Sends the head, and what was written so far; after the body of the request, if that is not read. */
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
        // a length that was not said is not sent: programs may rely on chunks, as the JDK documents
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
     * Cuts the response, which is a 500 if nothing is sent. One that is complete stands; that is logged.
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
