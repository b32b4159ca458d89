package org.microhttp;

import java.util.*;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What the loops of a group share; a loop by itself is a group of one. All their threads use it, but only
 * when connections come and go, and for what is limited.
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

    void add(LoopContext loop) {
        LoopContext[] more = Arrays.copyOf(loops, loops.length + 1);
        more[loops.length] = loop;
        loops = more;
    }

    /** Returns what these loops have done together. Any thread may call it. */
    static Stats sum(LoopContext... loops) {
        Stats sum = Stats.of(Map.of());
        for (LoopContext loop : loops) {
            Map<String, Long> numbers = loop.counters.named();
            numbers.put("connections", (long) loop.connectionCount.get());
            numbers.put("longestTurn", loop.longestTurn);
            sum = sum.plus(Stats.of(numbers));
        }
        return sum;
    }

    /** Says whether the calling thread runs a loop of the group; it must not wait for a loop to end. */
    boolean isLoopThread() { return Arrays.stream(loops).anyMatch(loop -> loop.tasks.isLoopThread()); }

    /**
     * Chooses the loop for a connection: the accepting loop, or the first of those with the fewest
     * connections if they have fewer. Counts the connection at once, so that a burst is spread.
     */
    synchronized LoopContext placeConnection(LoopContext accepting) {
        LoopContext emptiest = accepting;
        for (LoopContext loop : loops) {
            boolean emptier = loop.connectionCount.get() < emptiest.connectionCount.get();
            if (emptier && !loop.leaving) emptiest = loop;
        }
        emptiest.connectionCount.incrementAndGet();
        return emptiest;
    }

    /** Excludes a loop from {@link #placeConnection}. Connections placed before are counted in it. */
    synchronized void exclude(LoopContext loop) { loop.leaving = true; }

    /** Releases the place of a connection, and wakes every loop that may accept again. Makes no object. */
    void releaseConnection() {
        connections.release(1);
        for (LoopContext loop : loops) {
            if (loop.door.canGoOn()) loop.tasks.wake();
        }
    }
}
