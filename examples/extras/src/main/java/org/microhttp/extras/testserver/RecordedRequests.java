package org.microhttp.extras.testserver;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.microhttp.Request;

/**
 * The requests that were handled and not taken, in order. Any thread may use this class. Once it is full, no
 * later request is kept, so that the requests that are taken have no gap.
 */
final class RecordedRequests {

    static final int MAX_REQUESTS = 1_000;
    static final int MAX_BYTES = 64 << 20;

    private final Deque<Request> waiting = new ArrayDeque<>();
    private int count;

    /** The size of the bodies in {@link #waiting}. */
    private long bytes;

    /** The number of the first request that was not kept; 0 if all were. */
    private int lost;

    synchronized void add(Request request) {
        count++;
        boolean full = waiting.size() == MAX_REQUESTS || bytes + request.body().length > MAX_BYTES;
        if (lost == 0 && full) {
            lost = count;
        }
        if (lost == 0) {
            waiting.add(request);
            bytes += request.body().length;
        }
        notifyAll();
    }

    synchronized int count() {
        return count;
    }

    /** Takes the next request, or waits for one. */
    synchronized Request take(Duration limit) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        for (long left; waiting.isEmpty() && lost == 0 && (left = end - System.nanoTime()) > 0; ) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        if (waiting.isEmpty() && lost > 0) {
            throw new IllegalStateException("request " + lost + " and later ones were not kept, because "
                    + MAX_REQUESTS + " requests, or " + MAX_BYTES + " bytes of bodies, were not taken");
        }
        if (waiting.isEmpty()) {
            throw new AssertionError("no request came within " + limit + "; " + count + " came before");
        }
        Request request = waiting.remove();
        bytes -= request.body().length;
        return request;
    }
}
