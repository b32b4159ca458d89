package org.microhttp;

import java.util.ArrayDeque;

/**
 * A share of the bytes that one turn of the loop may write to all its connections together. Connections that
 * have only small answers to send have a share of their own, so that they do not wait for large ones.
 * <p>
 * When a share is used up, or others wait for it, a response waits in line. At the end of each turn of the
 * loop those in line write, as long as the share lasts; one that has more to send waits again, after the
 * others. A connection in line does not wait for its socket: the loop does not sleep before the line is
 * empty.
 */
final class WriteShare {

    /** A response that waits in line. */
    interface Waiting {

        /** Writes, if its connection is still open. */
        void write();
    }

    /** How many bytes one write sends at most, and all writes of a turn of the loop. */
    final int most, perTurn;

    /** How many bytes the present turn of the loop may still write. */
    private int left;

    /**
     * The first response of each connection that waits. A response whose connection is closed does nothing.
     */
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

    WriteShare(int most, int perTurn) {
        this.most = most;
        this.perTurn = perTurn;
        begin();
    }

    /** Begins a turn of the loop. */
    void begin() { left = perTurn; }

    /** Says whether a write is allowed now: to anyone if nobody waits, otherwise to the first in line. */
    boolean allows(boolean firstInLine) { return left >= most && (firstInLine || waiting.isEmpty()); }

    void take(int written) { left -= written; }

    void add(Waiting response) { waiting.add(response); }

    boolean isAwaited() { return !waiting.isEmpty(); }

    /** Lets those in line write, until the share is used up. */
    void serve() {
        while (isAwaited() && left >= most) {
            waiting.remove().write();
        }
    }

    /** Empties the line. */
    void clear() { waiting.clear(); }
}
