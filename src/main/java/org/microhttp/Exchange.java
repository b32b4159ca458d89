package org.microhttp;

import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * One request and its answer: the callback that the handler is given, and later the response on its way out.
 * Its identity tells an answer to this request from a late one to an earlier request.
 */
final class Exchange implements Consumer<Response> {

    private final Connection connection;

    /** The answer, once there is one; what is sent of it besides the body, chosen when it is sent. */
    Response response;
    byte[] head, tail;

    /** How many bytes are sent, and how many of them went to the write buffer. */
    long end, position;

    Exchange(Connection connection) { this.connection = connection; }

    /** Answers, from any thread. */
    @Override public void accept(Response answer) { connection.answer(this, answer); }

    /** Puts what fits of the answer into the buffer, from where the last call ended; true when all is in. */
    boolean encode(ByteBuffer out) {
        int headEnd = head.length;
        int bodyAt = headEnd + tail.length;
        if (position < headEnd) position += put(head, position, out);
        if (position >= headEnd && position < bodyAt) position += put(tail, position - headEnd, out);
        if (position >= bodyAt && position < end) position += response.writeBody(out, position - bodyAt);
        return position == end;
    }

    static int put(byte[] piece, long from, ByteBuffer out) {
        int length = (int) Math.min(piece.length - from, out.remaining());
        out.put(piece, (int) from, length);
        return length;
    }
}
