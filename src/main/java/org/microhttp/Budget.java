package org.microhttp;

/**
 * How many bytes the connections of a loop may keep between turns, all together. Used on the loop's thread
 * alone.
 */
final class Budget {

    private long left;

    Budget(long limit) { left = limit; }

    boolean allows(long bytes) { return bytes <= left; }

    /** Takes bytes, or a negative number to give some back; refuses the request that would need too many. */
    void take(long bytes) throws HttpError {
        Syntax.refuseIf(!allows(bytes), 503, "out_of_buffers: too many bytes wait (RFC 9110 §15.6.4)");
        left -= bytes;
    }

    void giveBack(long bytes) { left += bytes; }
}
