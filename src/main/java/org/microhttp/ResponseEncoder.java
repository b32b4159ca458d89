package org.microhttp;

import java.nio.ByteBuffer;

/**
 * One response on its way to bytes: chooses what of it is sent, then puts that into the write buffer, as much
 * as fits at a time. What is sent is three pieces in a row: the head, which the response keeps rendered; the
 * tail, which is of this sending; the body.
 */
final class ResponseEncoder {

    private static final byte[] CONTINUE = ResponseTail.ascii("HTTP/1.1 100 Continue\r\n\r\n");

    /** Whose response is sent; null for an interim answer. */
    Exchange answered;
    private byte[] head, tail;

    /** How many bytes are sent, and how many of them went to the write buffer. */
    private long end, position;

    /** Whether it was counted and logged as written. */
    boolean reported;

    /** Begins with an answer, which has no body if the method was HEAD. */
    void start(Exchange answered, byte[] tail) {
        this.answered = answered;
        reported = false;
        Response response = answered.response;
        begin(response.head.bytes(answered.toHead), tail, answered.toHead ? 0 : response.bodyLength());
    }

    /** Begins with the interim answer 100, which is sent like any other but is not the answer. */
    void startContinue() {
        answered = null;
        reported = true;
        begin(CONTINUE, ByteQueue.NONE, 0);
    }

    private void begin(byte[] head, byte[] tail, long bodyLength) {
        this.head = head;
        this.tail = tail;
        end = head.length + tail.length + bodyLength;
        position = 0;
    }

    /** Puts what fits into the buffer, from where the last call ended; true when all is in. */
    boolean encode(ByteBuffer out) {
        int headEnd = head.length;
        int bodyAt = headEnd + tail.length;
        if (position < headEnd) position += put(head, position, out);
        if (position >= headEnd && position < bodyAt) position += put(tail, position - headEnd, out);
        if (position >= bodyAt && position < end) {
            position += answered.response.writeBody(out, position - bodyAt);
        }
        return position == end;
    }

    static int put(byte[] piece, long from, ByteBuffer out) {
        int length = (int) Math.min(piece.length - from, out.remaining());
        out.put(piece, (int) from, length);
        return length;
    }

    /**
     * Takes back so many bytes that were the last to go to the buffer; false, and nothing taken, if some of
     * them were of the response before. The pieces do not change, so to encode again from an earlier position
     * gives the same bytes.
     */
    boolean takeBack(int count) {
        if (count > position) return false;
        position -= count;
        return true;
    }

    /** All that is sent, each octet a character. */
    String message() {
        var all = ByteBuffer.allocate(Math.toIntExact(end));
        long at = position;
        position = 0;
        encode(all);
        position = at;
        return Syntax.text(all.array());
    }

    /** Lets go of the response, of which so many octets went to the write buffer and no further. */
    void clear(int waiting) {
        if (answered != null) answered.end(end - position + waiting);
        answered = null;
        head = null;
        tail = null;
    }
}
