package org.microhttp;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How many of something the loops of a group may have all together. Safe for all threads; without a limit
 * nothing is counted, so that nothing is shared.
 * <p>
 * This is the ledger of all that a client can occupy: who charges it, which object holds the charge, and who
 * gives it back, once, whatever path ends it. Whoever charges has what is charged already, so that an
 * allocation that fails costs nothing.
 * <ul>
 * <li><b>Bytes received</b> ({@code maxBufferedBytes}): what a parser keeps from one turn to the next, which
 *     is the request line and the fields of an incomplete request, what has come of its body, and what is not
 *     yet parsed. {@link RequestParser#keep} charges them at the end of a turn, less when a request has gone
 *     to the handler; {@link RequestParser#drop} gives all back when one is refused or the connection ends.
 *     The parser knows what it is charged, so nothing is given back twice. Within a turn the one connection
 *     of a loop that has it holds what was read, uncounted. A request is never charged more than
 *     {@code maxRequestSize}, though its arrays, which double as they grow, may be longer.
 * <li><b>Bytes to send</b> (the same budget): small answers that the socket did not take, charged while the
 *     writer has an array of them: until it is put into the write buffer again, or
 *     {@link ResponseWriter#drop}. Where there is no room, the connection is closed without an answer.
 * <li><b>What events tell of a request</b> (the same budget): request line and fields, if they are above 1
 *     KiB, charged by its {@link Exchange} when it is not answered at once, or its answer not sent at once,
 *     until {@link Exchange#end}. Where there is no room, they are forgotten as soon as there is an answer.
 * <li><b>Bodies</b>, with the files that they keep open: the handler's own, given back with
 *     {@link Body#onReleased} by {@link Exchange#end}, or by {@link Exchange#take} what is no answer.
 * <li><b>One connection</b> so has at most {@code maxRequestSize} bytes of a request, and the write buffer's
 *     64 KiB of answers; not counted are the request in the handler's hands, and the response on its way.
 * <li><b>Connections</b> ({@code maxConnections}) and their descriptors: taken by {@link Acceptor} before it
 *     accepts; given back by {@link LoopContext#connectionClosed} when {@link Connection#close} has closed
 *     the channel, or when what was accepted could not be registered or handed over.
 * <li><b>Requests in the handler's hands</b> ({@code maxPendingRequests}): the place is the
 *     {@link Exchange}'s, taken when the request is handed over, given back by {@link Connection} with the
 *     first answer or failure or at {@code handlerTimeout}, also when the connection is gone by then. A loop
 *     that has ended hears of no answer: its places stay taken for the others of its group.
 * <li><b>Tasks</b>: one for each answer and each failure from another thread, one for a connection that is
 *     handed over, and one at a time for a connection with more requests than a turn takes.
 * <li><b>Time of the loop</b>: a turn takes a fixed number of accepts, tasks, and of reads, requests and
 *     writes for each connection; each octet is looked at a constant number of times, and no object is made
 *     for an element of a list that a client sends.
 * <li><b>Time of the client</b>: one deadline a connection, by {@link Connection}'s state, in
 *     {@link Scheduler}.
 * </ul>
 */
final class Budget {

    final long limit;
    final AtomicLong left;

    /** {@link Long#MAX_VALUE} is no limit. */
    Budget(long limit) {
        this.limit = limit;
        left = new AtomicLong(limit);
    }

    boolean isLimited() { return limit < Long.MAX_VALUE; }

    /** Takes some, or gives back what is less than none; false, and nothing taken, if they are not left. */
    boolean tryTake(long count) {
        if (!isLimited() || count == 0) return true;
        while (true) {
            long had = left.get();
            if (had < count) return false;
            if (left.compareAndSet(had, had - count)) return true;
        }
    }

    void giveBack(long count) { tryTake(-count); }
}
