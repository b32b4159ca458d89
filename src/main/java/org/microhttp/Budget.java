package org.microhttp;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How many of something, bytes kept or connections or requests, the loops of a group may have all together.
 * Safe for all threads; without a limit nothing is counted, so that nothing is shared.
 */
final class Budget {

    private final boolean limited;
    private final AtomicLong left;

    /** {@link Long#MAX_VALUE} is no limit. */
    Budget(long limit) { limited = limit < Long.MAX_VALUE; left = new AtomicLong(limit); }

    /** Takes some, or a negative number to give some back; false, and nothing taken, if they are not left. */
    boolean tryTake(long count) {
        long had = left.get();
        while (limited && had >= count && !left.compareAndSet(had, had - count)) had = left.get();
        return had >= count;
    }

    /** Takes bytes, and refuses the request that would need too many. */
    void take(long bytes) throws HttpError {
        Syntax.refuseIf(!tryTake(bytes), 503, "out_of_buffers: too many bytes wait (RFC 9110 §15.6.4)");
    }

    void giveBack(long count) { if (limited && count != 0) left.addAndGet(count); }
}
