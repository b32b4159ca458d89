package org.microhttp;

import java.util.function.Consumer;

/**
 * One request and its answer: the callback that the handler is given, and later the response on its way out.
 * Its identity tells an answer to this request from a late one to an earlier request.
 */
final class Exchange implements Consumer<Response> {

    private final Connection connection;

    /** The answer, once there is one. */
    Response response;

    /** What is sent of it, chosen when it is sent: head, fields of this sending, and body up to the end. */
    byte[] head, tail;
    long end;

    /** How many of its bytes went to the write buffer. */
    long position;

    Exchange(Connection connection) { this.connection = connection; }

    /** Answers, from any thread. */
    @Override public void accept(Response answer) { connection.answer(this, answer); }
}
