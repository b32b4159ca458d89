package org.microhttp;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the loops of a group have in common; a loop by itself is a group of one. Used by all their threads,
 * but only when connections come and go, and for what is limited.
 */
final class GroupContext {

    final Budget bytes, connections, requests;
    final AtomicLong nextId = new AtomicLong();

    /** Replaced when one is added, and never changed: to read it makes no object. */
    volatile LoopContext[] loops = {};

    GroupContext(Options options) {
        bytes = new Budget(options.bufferLimit(Runtime.getRuntime().maxMemory()));
        connections = new Budget(options.maxConnections);
        requests = new Budget(options.maxPendingRequests);
    }

    synchronized void add(LoopContext loop) {
        LoopContext[] more = Arrays.copyOf(loops, loops.length + 1);
        more[loops.length] = loop;
        loops = more;
    }

    /** Whether the calling thread is that of one of the loops, which must not wait for their end. */
    boolean isLoopThread() { return Arrays.stream(loops).anyMatch(loop -> loop.tasks.isLoopThread()); }

    /**
     * Finds the loop for a connection: the one that accepted it, unless another has fewer. Counts it there
     * at once, so that the next of a burst goes elsewhere.
     */
    synchronized LoopContext placeConnection(LoopContext accepting) {
        LoopContext emptiest = accepting;
        for (LoopContext loop : loops) {
            if (loop.leaving) continue;
            if (loop.connectionCount.get() < emptiest.connectionCount.get()) emptiest = loop;
        }
        emptiest.connectionCount.incrementAndGet();
        return emptiest;
    }

    /**
     * A place is free again, that of a connection that is closed with its descriptor: whoever waits for one
     * of them tries again, each on its own thread.
     */
    void giveBackPlace(boolean withDescriptor) {
        connections.giveBack(1);
        for (LoopContext loop : loops) {
            loop.acceptor.onFree(withDescriptor);
        }
    }
}
