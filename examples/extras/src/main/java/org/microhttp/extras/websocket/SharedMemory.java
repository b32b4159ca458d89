package org.microhttp.extras.websocket;

import java.util.HashSet;
import java.util.Set;

/**
 * What connections may hold together: of messages that have not come whole, and of messages that wait for
 * clients. When it is too much, the connection that has held most for longest is given up: bytes times time.
 * So clients that begin messages and do not end them, or read nothing, make room for others. Safe for all
 * threads; a connection is given up by the thread that needs memory, which must have no lock then.
 */
final class SharedMemory {

    /** For all connections whose options say nothing else. */
    static final SharedMemory DEFAULT = new SharedMemory(Runtime.getRuntime().maxMemory() / 4);

    private final long most;
    private final Set<Share> holders = new HashSet<>();
    private long used;

    SharedMemory(long most) {
        this.most = most;
    }

    /** Bytes are used that no connection has counted; negative for those that are used no more. */
    synchronized void use(long bytes) {
        used += bytes;
    }

    /** A connection holds so many bytes more, or less; others may hold them, too. */
    synchronized void hold(Share share, long bytes) {
        boolean first = share.held == 0;
        share.held += bytes;
        if (first) {
            share.since = System.nanoTime();
            holders.add(share);
        } else if (share.held == 0) {
            holders.remove(share);
        }
    }

    /**
     * Gives up connections until no more is used than may be.
     *
     * @return false if the one that has asked for more is one of them
     */
    boolean relieve(Share asking) {
        boolean kept = true;
        for (Share heaviest = removeHeaviest(); heaviest != null; heaviest = removeHeaviest()) {
            heaviest.giveUp(CloseStatus.NO_MEMORY);
            kept &= heaviest != asking;
        }
        return kept;
    }

    private synchronized Share removeHeaviest() {
        if (used <= most) {
            return null;
        }
        long now = System.nanoTime();
        Share heaviest = null;
        double greatest = -1;
        for (Share share : holders) {
            double weight = (double) share.held * (now - share.since);
            if (weight > greatest) {
                heaviest = share;
                greatest = weight;
            }
        }
        holders.remove(heaviest);
        return heaviest;
    }
}
