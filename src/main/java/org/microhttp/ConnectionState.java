package org.microhttp;

/**
 * What a {@link Connection} waits for. A request that is answered inline takes it from IDLE to HANDLING and
 * back to IDLE; the response is sent at the end of the turn. Later requests stay in the parser, or in the
 * socket, until the connection takes requests again, in IDLE or READING.
 * <pre>
 *   IDLE       -> READING    some of a request has come
 *              -> HANDLING   a request has come
 *              -> WRITING    the turn is full, or the socket does not take what is queued
 *              -> ENDING     the request is refused, or the client has ended its side
 *              -> LINGERING  the body of a response has failed in the middle
 *              -> RECEIVING  a head has come, and a subscriber receives the body
 *   READING    -> IDLE       it was an empty line, or a PROXY header
 *              -> HANDLING   the request is complete
 *              -> RECEIVING  a head has come, and a subscriber receives the body
 *              -> WRITING    the socket does not take what is queued, or a 100
 *              -> ENDING     the request is refused
 *              -> LINGERING  the body of a response has failed in the middle
 *   RECEIVING  -> HANDLING   the body is complete, or is not wanted any more
 *              -> ENDING     the request is refused
 *              -> LINGERING  the body of an earlier response has failed in the middle
 *   HANDLING   -> IDLE       the handler has responded inline, or failed, or too many are pending
 *              -> WRITING    the response is here, and the queue is full
 *              -> AWAITING   no response is here: it is given later, or the loop was stopped
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
 * In a <i>turn of a connection</i> the connection takes a step and sends what it can. In a <i>turn of the
 * loop</i> each connection that is ready, or has a task or a deadline that is due, takes a turn. Both are
 * bounded. "Turn" alone means the connection's here and in {@code Connection}, and the loop's in {@code
 * EventLoop} and {@code Acceptor}.
 * <p>
 * Three facts are not states. The queue knows whether it is blocked, which it may be in AWAITING and
 * STREAMING, too. The socket knows whether the client has ended its side. An exchange knows whether it is the
 * last, which is decided when it gets its response, or when what comes after its request is refused.
 */
enum ConnectionState {

    /** Waits for the first byte of a request. */
    IDLE,

    /** Waits for more of a request. */
    READING,

    /** Waits for more of a body that a subscriber receives, or for the subscriber to request more. */
    RECEIVING,

    /** The handler is being called, if there is a place for the request. */
    HANDLING,

    /**
     * Waits for the handler's response, given later. If the client ends its side, that is only noted; a reset
     * closes the connection, and is noticed as long as more may be read.
     */
    AWAITING,

    /** Waits for the publisher of the last queued response. Input is treated as in AWAITING. */
    STREAMING,

    /** Another protocol is spoken: waits for its publisher, and for what its client sends. */
    UPGRADED,

    /**
     * Waits until the socket has taken what is queued and takes more; the next request follows. The reason is
     * a full socket, a full queue, or fairness: the turn has taken as many requests as it may. Then all is
     * sent already, so the selector reports the socket as writable at once, and the connection goes on in the
     * next turn of the loop.
     */
    WRITING,

    /** Waits until what is queued has been sent; nothing follows. */
    ENDING,

    /** Our side has ended; the client's input is dropped. */
    LINGERING,

    /** Everything is released, except the place of a request that the handler still has. */
    CLOSED;

    /** Says whether requests are taken. */
    boolean takesRequests() { return this == IDLE || this == READING; }

    /** Says whether a part of a request has come. */
    boolean isInsideRequest() { return this == READING || this == RECEIVING; }
}
