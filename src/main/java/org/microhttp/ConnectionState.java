package org.microhttp;

/**
 * What a {@link Connection} waits for. A request that is answered inline goes from IDLE over HANDLING back to
 * IDLE, and its response leaves at the end of the turn. What is pipelined after a request stays in the
 * parser, or in the socket, until the connection takes requests again: only in IDLE and READING.
 * <pre>
 *   IDLE       -> READING    some of a request has come
 *              -> HANDLING   a request has come
 *              -> WRITING    the turn is full, or the socket does not take what is queued
 *              -> ENDING     the request is refused, or the client has ended its side
 *              -> LINGERING  the body of a response has failed in the middle
 *              -> RECEIVING  a head has come, and somebody receives its body
 *   READING    -> IDLE       it was an empty line, or a PROXY header
 *              -> HANDLING   the request is complete
 *              -> RECEIVING  a head has come, and somebody receives its body
 *              -> WRITING    the socket does not take what is queued, or a 100
 *              -> ENDING     the request is refused
 *              -> LINGERING  the body of a response has failed in the middle
 *   RECEIVING  -> HANDLING   the body is complete, or is not wanted any more
 *              -> ENDING     the request is refused
 *              -> LINGERING  the body of an earlier response has failed in the middle
 *   HANDLING   -> IDLE       the handler has responded inline, or failed, or too many are pending
 *              -> WRITING    the response is here, and the queue is full
 *              -> AWAITING   no response is here: it comes from elsewhere, or the loop was stopped
 *              -> STREAMING  a publisher signals the response's body
 *              -> UPGRADED   the response switches to another protocol
 *              -> ENDING     the response is the last
 *   AWAITING   -> IDLE       the response is here
 *              -> WRITING    the response is here, and the queue is full or blocked
 *              -> STREAMING  a publisher signals the response's body
 *              -> UPGRADED   the response switches to another protocol
 *              -> ENDING     the response is the last, or its time has passed
 *              -> LINGERING  the body of an earlier response has failed in the middle
 *   STREAMING  -> IDLE       the publisher has ended, or has failed before its first buffer
 *              -> WRITING    the same, and the queue is full or blocked
 *              -> ENDING     the same, and the response is the last
 *              -> LINGERING  the body has failed in the middle, or that of an earlier response
 *   UPGRADED   -> ENDING     the publisher has ended, or has failed before the head was sent
 *              -> LINGERING  the body of an earlier response has failed in the middle
 *   WRITING    -> IDLE       everything is sent; if the turn was full, others had theirs
 *              -> ENDING     there is no memory for what waits: that is refused
 *              -> LINGERING  the body of a response has failed in the middle
 *   ENDING     -> LINGERING  all is sent, or a body has failed, but the client may be sending still
 *   any but CLOSED -> CLOSED  nothing is left to do or wait for; a reset, a deadline, an error; the loop ends
 * </pre>
 * In a <i>turn of a connection</i> it takes a step and sends what it can; in a <i>turn of the loop</i> each
 * connection that is ready has one, and so has each one with a task or a deadline that is due. Of both there
 * are bounds; where only "turn" is said, it is the connection's here and in {@code Connection}, and the
 * loop's in {@code EventLoop} and {@code Acceptor}.
 * <p>
 * Three facts are not states. The queue knows whether it is blocked, which it may be in AWAITING and
 * STREAMING, too. The socket knows whether the client has ended its side. An exchange knows whether it is the
 * last, which is decided when it gets its response, or when what comes after its request is refused.
 */
enum ConnectionState {

    /** Waits for a request, of which nothing has come. */
    IDLE,

    /** Waits for more of a request. */
    READING,

    /** Waits for more of a body that somebody receives, or for that to be requested. */
    RECEIVING,

    /** The handler is being called, if there is a place for the request. */
    HANDLING,

    /**
     * Waits for the handler's response from elsewhere. If the client ends its side, that is only noted; a
     * reset closes, if it is noticed because more may be read.
     */
    AWAITING,

    /** Waits for the publisher of the last queued response's body. Input is treated as in AWAITING. */
    STREAMING,

    /** Another protocol is spoken: waits for its publisher, and for what its client sends. */
    UPGRADED,

    /**
     * Waits until the socket has taken what is queued and takes more; the next request follows. The reason is
     * a full socket, a queue that holds as much as the write buffer, or fairness: the turn has taken as many
     * requests as it may. Then all is sent already, so the selector reports the socket as writable at once,
     * and the connection goes on in the next turn of the loop.
     */
    WRITING,

    /** Waits until what is queued has been sent; nothing follows. */
    ENDING,

    /** Our side has ended; what the client still sends is discarded. */
    LINGERING,

    /** Everything is released, but perhaps the place of a request that the handler has. */
    CLOSED;

    /** Whether requests are taken. */
    boolean takesRequests() { return this == IDLE || this == READING; }

    /** Whether some of a request has come, and more has to. */
    boolean isInsideRequest() { return this == READING || this == RECEIVING; }
}
