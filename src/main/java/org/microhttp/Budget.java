package org.microhttp;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A limit that the loops of a group share, and how much of it is left. Safe for all threads. Without a limit
 * nothing is counted, so nothing is shared.
 * <p>
 * This is the ledger of everything that a client can occupy: what charges it, which object holds the charge,
 * and what releases it, once, whatever ends it. Allocate before charging, so that a failed allocation
 * leaves nothing charged.
 * <ul>
 * <li><b>Bytes received</b> ({@code maxBufferedBytes}): what a parser keeps from one turn to the next, which
 *     is the head of an incomplete request, what has come of its body, and bytes not parsed yet.
 *     {@link RequestParser#keep} charges them at the end of a step, and less after a request has gone to the
 *     handler; {@link RequestParser#drop} releases all. Within a step the loop's one array holds what was
 *     read. A request is never charged more than {@code maxRequestSize}, though its arrays, which double as
 *     they grow, may be longer.
 * <li><b>Responses that wait</b> (the same budget): what a {@link ResponseQueue} keeps behind its first
 *     response, and the bodies of all, but not files and not the largest body; and a request line and fields
 *     above 1 KiB as long as their exchange lasts. Charged after each flush, released with the exchanges or
 *     by {@link ResponseQueue#drop}. If there is no budget and the socket is full, the connection ends.
 * <li><b>Bodies</b>, with the files that they keep open, are the program's. {@link Exchange#end}, or
 *     {@link Exchange#take} for a response that is ignored, reports their release by {@link Body#onReleased}.
 * <li><b>One connection</b> so keeps at most {@code maxRequestSize} bytes of requests, and of responses
 *     64 KiB and one more body, or eight files. Of these the largest body is not counted; nor is the
 *     request that the handler has.
 * <li><b>Connections</b> ({@code maxConnections}) and their descriptors: {@link Acceptor} takes a place
 *     before it accepts. {@link LoopContext#connectionClosed} releases it, when {@link Connection} has closed
 *     the channel, or a channel could not be registered or handed over.
 * <li><b>Pending requests</b> ({@code maxPendingRequests}): the {@link Exchange} takes a place before it
 *     calls the handler, and releases it with the first response or failure, or at {@code handlerTimeout},
 *     also if the connection is gone by then; at once if nobody waits and no thread of an executor has begun.
 *     Places of a loop that has ended stay taken.
 * <li><b>Tasks</b>: one for each response or failure that is given later than its handler returns, one for a
 *     connection that is handed over, and one for each buffer of a stream, of which eight are requested.
 * <li><b>Streamed bodies</b>: eight buffers that a publisher has signalled and the client has not taken, of a
 *     size that the program decides. Of one that signals more, no more is kept. {@link Exchange#end} cancels.
 * <li><b>Bodies that are received as they come</b>: what a read brings, passed on at once or kept by the
 *     parser, which charges it, until it is requested. Their exchange has its place from the head on.
 * <li><b>Another protocol</b>: the same of what its client sends, and eight buffers of its publisher. It has
 *     the place of its connection alone.
 * <li><b>Time of the loop</b>: a turn has a fixed number of accepts and tasks, and for each connection of
 *     reads, requests and writes. Each byte is looked at a constant number of times, and no object is made
 *     for an element of a list that a client sends.
 * <li><b>Time of the client</b>: each connection has one deadline, by its state, in the {@link Scheduler}.
 * </ul>
 */
final class Budget {

    final long limit;
    final AtomicLong left;

    /** The limit may be {@link Options#NO_LIMIT}. */
    Budget(long limit) {
        this.limit = limit;
        left = new AtomicLong(limit);
    }

    boolean isLimited() { return limit < Options.NO_LIMIT; }

    /** Takes so many, or releases them if the count is negative; false if there are fewer: then none. */
    boolean tryTake(long count) {
        if (!isLimited() || count == 0) return true;
        while (true) {
            long had = left.get();
            if (had < count) return false;
            if (left.compareAndSet(had, had - count)) return true;
        }
    }

    void release(long count) { tryTake(-count); }
}
