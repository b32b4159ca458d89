package org.microhttp;

import java.util.*;

/**
 * What a {@link Connection} waits for. A request that is answered inline takes the connection from IDLE to
 * HANDLING and back to IDLE; the response is sent at the end of the turn. Later requests stay in the parser,
 * or in the socket, until the connection takes requests again, in IDLE or READING.
 * <p>
 * In a <i>turn of a connection</i> the connection takes a step and sends what it can. In a <i>turn of the
 * loop</i> each connection that is ready, or has a task or a deadline that is due, takes a turn. Both are
 * bounded. "Turn" alone means the connection's here and in {@code Connection}, and the loop's in
 * {@code EventLoop} and {@code Acceptor}.
 * <p>
 * Three facts are not states. The queue knows whether it is blocked; it may be blocked while more is awaited,
 * too. The socket knows whether the client has ended its side. An exchange knows whether it is the last,
 * which is decided when it gets its response, or when what comes after its request is refused.
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
     * a full socket, a full queue, or fairness: the loop has written as much as it may, and the queue waits
     * in line; or the turn has taken as many requests as it may. In this last case all is sent already, so
     * the selector reports the socket as writable at once, and the connection goes on in the next turn of the
     * loop.
     */
    WRITING,

    /** Waits until what is queued has been sent; nothing follows. */
    ENDING,

    /** Our side has ended; the client's input is dropped. */
    LINGERING,

    /** Everything is released, except the place of a request that the handler still has. */
    CLOSED;

    /** What may follow each state, and when. */
    private static final Map<ConnectionState, Set<ConnectionState>> NEXT = new EnumMap<>(Map.of(
            IDLE, EnumSet.of(
                    // some of a request has come
                    READING,
                    // a request has come
                    HANDLING,
                    // the turn is full, or the socket does not take what is queued
                    WRITING,
                    // the request is refused, or the client has ended its side
                    ENDING,
                    // the body of a response has failed in the middle
                    LINGERING,
                    // a head has come, and a subscriber receives the body
                    RECEIVING),
            READING, EnumSet.of(
                    // only an empty line, or a PROXY header, has come
                    IDLE,
                    // the request is complete
                    HANDLING,
                    // a head has come, and a subscriber receives the body
                    RECEIVING,
                    // the socket does not take what is queued, or a 100
                    WRITING,
                    // the request is refused
                    ENDING,
                    // the body of a response has failed in the middle
                    LINGERING),
            RECEIVING, EnumSet.of(
                    // the body is complete, or is not wanted any more
                    HANDLING,
                    // the request is refused
                    ENDING,
                    // the body of an earlier response has failed in the middle
                    LINGERING),
            HANDLING, EnumSet.of(
                    // the handler has responded inline, or failed, or too many are pending
                    IDLE,
                    // the response is here, and the queue is full or blocked
                    WRITING,
                    // no response is here: it is given later, or the loop was stopped
                    AWAITING,
                    // a publisher signals the response's body
                    STREAMING,
                    // the response switches to another protocol
                    UPGRADED,
                    // the response is the last
                    ENDING),
            AWAITING, EnumSet.of(
                    // the response is here
                    IDLE,
                    // the response is here, and the queue is full or blocked
                    WRITING,
                    // a publisher signals the response's body
                    STREAMING,
                    // the response switches to another protocol
                    UPGRADED,
                    // the response is the last, or its time has passed
                    ENDING,
                    // the body of an earlier response has failed in the middle
                    LINGERING),
            STREAMING, EnumSet.of(
                    // the publisher has ended, or has failed before its first buffer
                    IDLE,
                    // the same, and the queue is full or blocked
                    WRITING,
                    // the same, and the response is the last
                    ENDING,
                    // the body has failed in the middle, or that of an earlier response
                    LINGERING),
            UPGRADED, EnumSet.of(
                    // the publisher has ended, or has failed before the head was sent
                    ENDING,
                    // the body of an earlier response has failed in the middle
                    LINGERING),
            WRITING, EnumSet.of(
                    // everything is sent; if the turn was full, others had theirs
                    IDLE,
                    // no buffer is left for the request that waits, so it is refused
                    ENDING,
                    // the body of a response has failed in the middle
                    LINGERING),
            ENDING, EnumSet.of(
                    // all is sent, or a body has failed, but the client may be sending still
                    LINGERING)));

    /**
     * Says whether a connection may go from this state to the next. Any but CLOSED may be closed: nothing is
     * left to do or wait for; a reset, a deadline, an error; the loop ends.
     */
    boolean allows(ConnectionState next) {
        return this != CLOSED && (next == CLOSED || NEXT.get(this).contains(next));
    }

    /** Says whether requests are taken. */
    boolean takesRequests() { return this == IDLE || this == READING; }

    /** Says whether a part of a request has come. */
    boolean isInsideRequest() { return this == READING || this == RECEIVING; }
}
