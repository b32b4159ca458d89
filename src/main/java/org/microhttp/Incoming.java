package org.microhttp;

import java.io.IOException;

/**
 * What a connection knows of input that is passed on as it comes: a request's body that a subscriber
 * receives, or another protocol. Only the loop's thread uses it.
 */
interface Incoming {

    /** Says whether more may be read. */
    boolean wants();

    /** Passes on a part of what has come, or ends; returns false if nothing more can be done now. */
    boolean passOn(Connection connection) throws IOException;

    /** Ends because nothing more comes; the cause says why. A subscriber that has ended gets no signal. */
    void abort(Throwable cause);

    /** Returns until when the connection waits for input, or for the subscriber to request some. */
    long deadline(Connection connection);

    /** Acts on its deadline, which has passed. */
    void giveUp(Connection connection) throws IOException;
}
