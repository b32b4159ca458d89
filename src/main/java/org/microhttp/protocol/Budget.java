package org.microhttp.protocol;

import java.util.concurrent.atomic.AtomicLong;

/** A limit that threads share, and how much of it is left. Without a limit nothing is counted. */
public final class Budget {

    /** No limit; also a number of bytes that is never reached. */
    public static final long NO_LIMIT = Long.MAX_VALUE;

    public final long limit;
    private final AtomicLong left;

    /** The limit may be {@link #NO_LIMIT}. */
    public Budget(long limit) {
        this.limit = limit;
        left = new AtomicLong(limit);
    }

    public long left() { return left.get(); }

    public boolean isLimited() { return limit < NO_LIMIT; }

    /** Takes a count, or releases it if it is negative. If fewer are left, takes none and returns false. */
    public boolean tryTake(long count) {
        if (!isLimited() || count == 0) return true;
        while (true) {
            long had = left.get();
            if (had < count) return false;
            assert had - count <= limit : "more is released than was taken";
            if (left.compareAndSet(had, had - count)) return true;
        }
    }

    public void release(long count) { tryTake(-count); }
}
