package org.microhttp;

/**
 * What a {@link Connection} is in. A request that is answered inline and taken by the socket whole goes from
 * IDLE over HANDLING and ANSWERED back to IDLE in one turn. What is pipelined behind a request stays in the
 * parser, or in the socket, until the connection is IDLE again: only there and in READING requests are taken.
 * <pre>
 *   IDLE       -> READING    some of a request has come
 *              -> HANDLING   a request has come
 *              -> ANSWERED   it is refused
 *              -> YIELDING   the turn has taken as many requests as it may
 *              -> WRITING    the socket does not take the answers of this turn
 *              -> ENDING     the client has ended its side
 *   READING    -> IDLE       it was an empty line
 *              -> HANDLING   the request is complete
 *              -> ANSWERED   it is refused
 *              -> WRITING    the socket does not take the answers of this turn, or a 100
 *   YIELDING   -> IDLE       others had their turn
 *              -> WRITING    others had theirs, and the socket did not take the answers
 *              -> ANSWERED   there is no memory for what waits: that is refused
 *              -> LINGERING  the body of an answer has failed that was being sent
 *   HANDLING   -> ANSWERED   the handler has answered inline, or failed, or too many are pending
 *              -> AWAITING   it has returned without an answer, or failed while one is on its way
 *   AWAITING   -> ANSWERED   the answer is here, or its time is over
 *              -> LINGERING  the body of the answer before has failed
 *   ANSWERED   -> IDLE       the answer is in the write buffer, or sent
 *              -> WRITING    the socket does not take all of it
 *              -> ENDING     it is the last
 *              -> LINGERING  its body has failed, when some of it was sent
 *   WRITING    -> IDLE       all is sent
 *              -> ANSWERED   there is no memory for what waits: that is refused
 *              -> LINGERING  the body of an answer has failed
 *   ENDING     -> LINGERING  all is sent, but the client may be sending still
 *   any but CLOSED -> CLOSED  nothing is left to do or wait for; a reset, a deadline, an error; the loop ends
 * </pre>
 * Beside the state stand three facts: output that is blocked is the writer's, and may be there in YIELDING
 * and AWAITING, too; that the client has ended its side is the socket's; that no request is taken behind the
 * present one is the exchange's, and decided when it is answered, or when what comes behind it is refused.
 */
enum ConnectionState {

    /** Waits for a request, of which nothing has come. */
    IDLE,

    /** Waits for more of a request. */
    READING,

    /** Waits for a task, while other connections have their turn; more requests may be here. */
    YIELDING,

    /** The handler is being called, if there is a place for the request. */
    HANDLING,

    /**
     * Waits for the handler's answer from elsewhere. That the client ends its side is noted only, and a reset
     * closes; the handler is told of neither.
     */
    AWAITING,

    /** The answer is here, and waits until what was written before has been sent. */
    ANSWERED,

    /** Waits for the socket to take what is written; the next request follows. */
    WRITING,

    /** Waits for the socket to take what is written; nothing follows. */
    ENDING,

    /** Our side is ended; what the client still sends is discarded. */
    LINGERING,

    /** Everything is free, but perhaps a place that the handler has. */
    CLOSED;

    /** Whether requests are taken. */
    boolean takesRequests() { return this == IDLE || this == READING; }

    /** Which states were seen to follow, by their place; noted only where assertions are enabled. */
    final boolean[] followers = new boolean[16];
}
