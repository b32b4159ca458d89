package org.microhttp;

import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * One request and its answer: the callback that the handler is given, and later the response on its way out.
 * Its identity tells an answer to this request from a late one to an earlier request.
 */
final class Exchange implements Consumer<Response> {

    /** Ready answers, when the handler failed, and when it is not asked. */
    static final Response FAILED =
            new HttpError(500, "handler_error: the handler failed (RFC 9110 §15.6.1)").response();
    static final Response OVERLOADED =
            new HttpError(503, "overload: too many requests are pending (RFC 9110 §15.6.4)")
                    .response(new Header("Retry-After", "1"));

    private final Connection connection;

    /** The answer, once there is one; what is sent of it besides the body, chosen when it is sent. */
    Response response;
    byte[] head, tail;

    /** How many bytes are sent, and how many of them went to the write buffer. */
    long end, position;

    /** Whether it was logged and counted as written. */
    boolean told;

    Exchange(Connection connection) { this.connection = connection; }

    /** Answers, from any thread. */
    @Override public void accept(Response answer) { connection.answer(this, answer); }

    /** Answers with 500 for what went wrong, from any thread. */
    void fail(Throwable cause) { connection.fail(this, cause); }

    /** Puts what fits of the answer into the buffer, from where the last call ended; true when all is in. */
    boolean encode(ByteBuffer out) {
        int headEnd = head.length;
        int bodyAt = headEnd + tail.length;
        if (position < headEnd) position += put(head, position, out);
        if (position >= headEnd && position < bodyAt) position += put(tail, position - headEnd, out);
        if (position >= bodyAt && position < end) position += response.writeBody(out, position - bodyAt);
        return position == end;
    }

    /** All that is sent, each octet a character. */
    String message() {
        var all = ByteBuffer.allocate(Math.toIntExact(end));
        long at = position;
        position = 0;
        encode(all);
        position = at;
        return Syntax.text(all.array(), 0, all.capacity());
    }

    static int put(byte[] piece, long from, ByteBuffer out) {
        int length = (int) Math.min(piece.length - from, out.remaining());
        out.put(piece, (int) from, length);
        return length;
    }
}
