package org.microhttp;

/**
 * What a {@link Connection} is in.
 * <pre>
 *                request              response             sent, no further request here
 *   accept -> READING ------> HANDLING ---------> WRITING ------------------------> READING
 *               |               ^                 |  |
 *               |               +-----------------+  | sent, further request here
 *               | refused                            | sent, not persistent
 *               +----------------> WRITING           +----> LINGERING ----> CLOSED
 *   any state: reset, deadline passed, I/O error, loop stopped ----> CLOSED
 *   end of stream: after what is owed is sent ----> CLOSED
 *   sent, not persistent, nothing left unread ----> CLOSED without lingering
 * </pre>
 */
enum ConnectionState {

    /** Waits for a request, or for more of one. */
    READING,

    /** The handler has the request, and the answer is awaited. */
    HANDLING,

    /** An answer waits for the socket, or is the last and has just been put into the write buffer. */
    WRITING,

    /** Our side is ended; what the client still sends is discarded. */
    LINGERING,

    /** Everything is free, but perhaps a place that the handler has. */
    CLOSED
}
