package org.microhttp;

import java.io.IOException;
import java.nio.channels.*;
import java.util.*;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.microhttp.protocol.Budget;

/**
 * What the loops of a group share; a loop by itself is a group of one. All their threads use it, but only
 * when connections come and go, and for what is limited.
 * <p>
 * This is the ledger of everything that a client can occupy: what charges it, which object holds the charge,
 * and what releases it, exactly once. Allocate before charging, so that a failed allocation leaves nothing
 * charged.
 * <ul>
 * <li><b>Bytes received</b> ({@code maxBufferedBytes}): what a parser keeps from one turn to the next: the
 *     head of an incomplete request, the part of its body that has come, and bytes not parsed yet.
 *     {@code RequestParser.keep} adjusts the charge at the end of each step; {@code RequestParser.drop}
 *     releases all. Within a step the loop's one array holds what was read. A parser is never charged more
 *     than {@code maxRequestSize}, though its arrays may have up to four times its bytes.
 * <li><b>Responses that wait</b> (the same budget): what a {@link ResponseQueue} keeps after its first
 *     response, and all bodies, except files and the largest body; also a request head above 1 KiB until its
 *     response is given, or until its end if that is reported. They are charged after each flush, and
 *     released with the exchanges or by {@link ResponseQueue#drop}. If the budget is used up and the socket
 *     is full, the connection ends.
 * <li><b>Responses that wait in line</b>, see {@link WriteShare}: {@link ResponseQueue} counts all their
 *     bodies in the heap. While they are more than the loop's part of the same limit, {@link
 *     Connection#onReady} reads no new request; those that are in a parser are taken. So the program makes
 *     little more than the loop writes.
 * <li><b>Bodies</b>, with the files that they keep open, are the program's. {@link Exchange} reports their
 *     release by {@link Body#onReleased}: at its end, or when a response is ignored or replaced.
 * <li><b>One connection</b> therefore keeps at most {@code maxRequestSize} bytes of requests, and of
 *     responses 64 KiB and one more body, or eight files. Of these the largest body is not counted; nor is
 *     the request that the handler has.
 * <li><b>Connections</b> ({@code maxConnections}) and their descriptors: {@link Acceptor} takes a place
 *     before it accepts. {@link LoopContext#connectionClosed} releases it, when {@link Connection} has closed
 *     the channel, or a channel could not be registered or handed over; if none was accepted, the acceptor
 *     releases it.
 * <li><b>Pending requests</b> ({@code maxPendingRequests}): the {@link Exchange} takes a place before it
 *     calls the handler, and releases it with the first response or failure, or at {@code handlerTimeout},
 *     even if the connection is gone. If the request is abandoned before the executor of
 *     {@link BlockingHandler} runs its task, the task takes over the place.
 *     A place that outlasts its loop is released with the response.
 * <li><b>Tasks of an executor</b>: at most one for each place, as long as the executor works; those of
 *     abandoned requests are empty.
 * <li><b>Tasks of the loop</b>: one for each response or failure that is given later than its handler
 *     returns, and perhaps one for its place; one for a connection that is handed over; one for each buffer
 *     of a stream, of which eight are requested, for some other signals of its publisher, and for the turn
 *     after them; one each time a subscriber requests something new, or cancels; two for a graceful stop.
 * <li><b>Streamed bodies</b>: eight buffers that a publisher has signalled and the client has not taken. The
 *     program decides their size. Buffers beyond eight are not kept. {@link Exchange#end} cancels.
 * <li><b>Bodies that are received as they come</b>: what a read brings is passed on at once, or kept and
 *     charged by the parser until it is requested; only some 16 bytes are read that are not requested. Their
 *     exchange has its place from the head on.
 * <li><b>Another protocol</b>: the same for what its client sends, and eight buffers of its publisher. It
 *     has only the place of its connection.
 * <li><b>Time of the loop</b>: a turn has a fixed number of accepts and tasks, and for each connection of
 *     reads and requests. For all connections together it writes at most 4 MiB of small responses and 1 MiB
 *     of large ones: {@link WriteShare} counts these bytes, and begins anew with each turn. While the loop is
 *     full, a late response may also write as much by itself. Each byte is looked at a constant number of
 *     times, and no object is made for an element of a list that a client sends.
 * <li><b>Time of the client</b>: each connection has one deadline, by its state, in the {@link Scheduler}.
 * </ul>
 */
final class GroupContext {

    final Budget bytes, connections, requests;

    /** The number of the next connection; and how many connections have been closed. */
    final AtomicLong nextId = new AtomicLong(), closed = new AtomicLong();

    /** What runs when the first loop begins a graceful stop; null for nothing, or once a loop took it. */
    final AtomicReference<Runnable> onStopping;

    /** The loops. The array is replaced when a loop is added, so that reading it makes no object. */
    volatile LoopContext[] loops = {};

    GroupContext(Options options) {
        long heap = Runtime.getRuntime().maxMemory();
        bytes = new Budget(Objects.requireNonNull(options, "options").bufferLimit(heap));
        connections = new Budget(options.maxConnections());
        requests = new Budget(options.maxPendingRequests());
        onStopping = new AtomicReference<>(options.onStopping());
    }

    /** Registers a channel for its one server; returns null if there is one, perhaps since just now. */
    static synchronized SelectionKey register(ServerSocketChannel channel, Selector selector,
            Object attachment) throws IOException {
        return channel.isRegistered() ? null : channel.register(selector, 0, attachment);
    }

    void add(LoopContext context) {
        LoopContext[] more = Arrays.copyOf(loops, loops.length + 1);
        more[loops.length] = context;
        loops = more;
    }

    /** Returns what these loops have done together. Any thread may call it. */
    static Stats sum(LoopContext... loops) {
        Stats sum = Stats.of(Map.of());
        for (LoopContext context : loops) {
            Map<String, Long> numbers = context.counters.named();
            numbers.put("connections", (long) context.connectionCount.get());
            numbers.put("longestTurn", context.clock.longestTurn);
            sum = sum.plus(Stats.of(numbers));
        }
        return sum;
    }

    /** Says whether the calling thread runs a loop of the group, and so must not wait for a loop to end. */
    boolean isLoopThread() { return Arrays.stream(loops).anyMatch(context -> context.tasks.isLoopThread()); }

    /**
     * Chooses the loop for a connection: the accepting loop, or the first of those with the fewest
     * connections if they have fewer. Counts the connection at once, so that a burst is spread.
     */
    synchronized LoopContext placeConnection(LoopContext accepting) {
        LoopContext emptiest = accepting;
        for (LoopContext context : loops) {
            boolean emptier = context.connectionCount.get() < emptiest.connectionCount.get();
            if (emptier && !context.end.leaving) emptiest = context;
        }
        emptiest.connectionCount.incrementAndGet();
        return emptiest;
    }

    /** Excludes a loop from {@link #placeConnection}. Connections placed before stay counted. */
    synchronized void exclude(LoopContext context) { context.end.leaving = true; }

    /** Releases the place of a connection, and wakes every loop that may accept again. */
    void releaseConnection() {
        connections.release(1);
        for (LoopContext context : loops) {
            if (context.door.canGoOn()) context.tasks.wake();
        }
    }
}
