package org.microhttp.extras.websocket;

import java.util.HashSet;
import java.util.Set;

/**
 * The memory that connections hold together, with a limit: for incomplete messages, unread input, and
 * messages that wait for clients. Beyond the limit the connection with the largest product of bytes and time
 * is given up, so that a client that does not end its message, or does not read, makes room for others. Safe
 * for all threads. The thread that needs memory gives up the connection, and must hold no lock then.
 */
final class SharedMemory {

    /** For all connections whose options do not set their own. */
    static final SharedMemory DEFAULT = new SharedMemory(Runtime.getRuntime().maxMemory() / 4);

    private final long most;
    private final Set<Share> holders = new HashSet<>();
    private long used;

    SharedMemory(long most) {
        this.most = most;
    }

    /** Counts bytes as used once, however many connections hold them; negative when they are released. */
    synchronized void use(long bytes) {
        used += bytes;
    }

    /** Counts bytes that a connection holds, negative for fewer; others may hold the same bytes, too. */
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
     * Gives up connections until no more than the limit is used.
     *
     * @return false if the asking connection is one of them
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
