package org.microhttp;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the loops of a group have in common; a loop by itself is a group of one. Used by all their threads,
 * but only when connections come and go, and for what is limited.
 */
final class Common {

    final Budget bytes, connections, requests;
    final AtomicLong nextId = new AtomicLong();

    /** Replaced when one is added, and never changed: to read it makes no object. */
    private volatile Shared[] loops = {};

    /** Places of requests that are still in the handler's hands, though their loop has ended. */
    private long placesOfEnded;

    Common(Options options) {
        bytes = new Budget(options.bufferLimit());
        connections = new Budget(limit(options.maxConnections));
        requests = new Budget(limit(options.maxPendingRequests));
    }

    private static long limit(int most) { return most == Integer.MAX_VALUE ? Long.MAX_VALUE : most; }

    synchronized void add(Shared loop) {
        Shared[] more = Arrays.copyOf(loops, loops.length + 1);
        more[loops.length] = loop;
        loops = more;
    }

    /**
     * A loop has ended. It hears of no answer any more, so the places of its requests are taken for as long
     * as another loop could hand over more.
     */
    synchronized void ended(Shared loop) {
        placesOfEnded += loop.places;
        loop.places = 0;
        loop.gone = true;
        for (Shared other : loops) {
            if (!other.gone) return;
        }
        requests.giveBack(placesOfEnded);
        placesOfEnded = 0;
    }

    /**
     * Finds the loop for a connection: the one that accepted it, unless another has fewer. Counts it there
     * at once, so that the next of a burst goes elsewhere.
     */
    Shared place(Shared acceptor) {
        Shared emptiest;
        int least;
        do {
            emptiest = acceptor;
            least = acceptor.open.get();
            for (Shared loop : loops) {
                int open = loop.open.get();
                if (open < least && !loop.leaving) {
                    emptiest = loop;
                    least = open;
                }
            }
        } while (!emptiest.open.compareAndSet(least, least + 1));
        return emptiest;
    }

    /** A place and a descriptor are free again: whoever waits for one tries again, each on its own thread. */
    void closed() {
        connections.giveBack(1);
        for (Shared loop : loops) loop.listener.onFree(true);
    }

    /** A place that was taken to look for a connection is free again: whoever needs just that tries again. */
    void unused() {
        connections.giveBack(1);
        for (Shared loop : loops) loop.listener.onFree(false);
    }
}
