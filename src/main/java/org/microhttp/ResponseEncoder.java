package org.microhttp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;

/**
 * One response on its way to bytes: chooses what of it is sent, then puts that into the write buffer, as much
 * as fits at a time. What is sent is three pieces in a row: the head, which the response keeps rendered; the
 * tail, which is of this sending; the body. What of the body need not be copied is written from where it is.
 */
final class ResponseEncoder {

    /** What is written at once of a body that is not copied. */
    private static final int PIECE = 256 * 1024;

    /** The body could not be read, and this was logged: its file was cut or closed, say. */
    static final class BodyFailure extends IOException {

        private static final long serialVersionUID = 1;
    }

    private static final byte[] CONTINUE = Syntax.octets("HTTP/1.1 100 Continue\r\n\r\n");

    /** Whose response is sent; null for an interim answer. */
    Exchange answered;
    private byte[] head, tail;

    Body body;

    /**
     * How much of the body is sent, and how much went to the write buffer or further: below 0 as long as not
     * all has that is before the body.
     */
    private long length, position;

    /** The position at which head and tail begin: below 0 by what they measure. */
    private int begin;

    /** Whether it was counted and logged as written. */
    boolean reported;

    /** Whether the body, if there is one, is to leave later than the head, and the time has not come. */
    private boolean early;

    /** Begins with an answer, which has no body if the method was HEAD; or, with null, the interim answer. */
    void start(Exchange answered, byte[] tail) {
        this.answered = answered;
        this.tail = tail;
        reported = answered == null;
        head = CONTINUE;
        length = 0;
        if (answered != null) {
            Response response = answered.response;
            head = answered.toHead ? response.head.bytesForHead : response.head.bytes;
            body = response.content;
            length = answered.toHead ? 0 : response.bodyLength();
            early = body.delay > 0;
        }
        begin = -head.length - tail.length;
        position = begin;
    }

    /** Puts what fits into the buffer, from where the last call ended; true when nothing is left. */
    boolean encode(ByteBuffer out) throws IOException {
        put(head, begin, out);
        put(tail, -tail.length, out);
        if (isInBody() && out.hasRemaining() && position < body.copied) {
            int limit = out.limit();
            out.limit((int) Math.min(limit, out.position() + length - position));
            try {
                position += body.put(position, out);
            } catch (Throwable t) {
                throw failure(t);
            }
            out.limit(limit);
        }
        return position == length;
    }

    /** Whether the body has not failed, but its socket: then a byte of it can be written elsewhere. */
    private boolean isReadable(long at) throws IOException {
        Pipe pipe = Pipe.open();
        try (var sink = pipe.sink()) {
            return body.write(ByteBuffer.allocate(0), at, 1, sink) == 1;
        } catch (Throwable t) {
            return false;
        } finally {
            pipe.source().close();
        }
    }

    private BodyFailure failure(Throwable cause) {
        answered.logBodyFailure(cause);
        return new BodyFailure();
    }

    private boolean isInBody() { return position >= 0 && position < length && !early; }

    /** Whether the body has to wait, the head being the last that was written. */
    boolean isEarly(ClientSocket socket, long now) {
        if (early && now - socket.lastWritten >= body.delay) {
            early = false;
            // it is this silence that counts from now on
            socket.lastWritten = now;
        }
        return early;
    }

    /** Writes the buffer, and behind it what need not be copied; false if the socket did not take all. */
    boolean write(ByteBuffer out, ClientSocket socket) throws IOException {
        boolean past = isInBody() && position >= body.copied;
        int most = past ? (int) Math.min(length - position, PIECE) : 0;
        int before = out.remaining();
        int count;
        try {
            count = socket.write(out, body, position, most);
        } catch (Throwable t) {
            // where a file was cut, the last byte of the piece is missing, if any is
            if (past && !isReadable(position + most - 1)) throw failure(t);
            throw t;
        }
        position += Math.max(0, count - before);
        return before > 0 ? count >= before : count == most;
    }

    /** Puts what fits of a piece that begins there: nothing, if all before it has just filled the buffer. */
    private void put(byte[] piece, int begin, ByteBuffer out) {
        int from = (int) Math.max(0, Math.min(position - begin, piece.length));
        int length = Math.min(piece.length - from, out.remaining());
        out.put(piece, from, length);
        position += length;
    }

    /**
     * Takes back so many bytes that were the last to go to the buffer; false, and nothing taken, if some of
     * them were of the response before. The pieces do not change, so to encode again from an earlier position
     * gives the same bytes.
     */
    boolean takeBack(int count) {
        if (count > position - begin) return false;
        position -= count;
        return true;
    }

    /** All that was encoded, each octet a character; of a body that is not in the heap nothing is asked. */
    String message() throws IOException {
        var all = ByteBuffer.allocate(Math.toIntExact((body.copied > 1 ? length : 0) - begin));
        position = begin;
        encode(all);
        position = length;
        return Syntax.text(all.array());
    }

    /** Lets go of the response, of which so many octets went to the write buffer and no further. */
    void clear(int waiting) {
        if (answered != null) answered.end(position - waiting);
        answered = null;
        body = null;
    }
}
