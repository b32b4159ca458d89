package org.microhttp.protocol;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A limited number of bytes, connections or requests that threads share, and how many are left. With
 * {@link #NO_LIMIT} nothing is counted. Any thread may call any method.
 */
public final class Budget {

    /** No limit; also a number of bytes that is never reached. */
    public static final long NO_LIMIT = Long.MAX_VALUE;

    public final long limit;
    private final AtomicLong left;

    /** Makes a budget of which nothing is taken yet; the limit may be {@link #NO_LIMIT}. */
    public Budget(long limit) {
        this.limit = limit;
        left = new AtomicLong(limit);
    }

    public long left() { return left.get(); }

    public boolean isLimited() { return limit < NO_LIMIT; }

    /**
     * Takes so many, or releases {@code -count} if that is positive. If fewer are left, takes none and
     * returns false.
     */
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
