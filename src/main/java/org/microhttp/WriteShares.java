package org.microhttp;

import static org.microhttp.LoopBuffers.PIECE;

/** What a turn of the loop may write: a share for small responses, and one for large ones. */
final class WriteShares {

    /**
     * 4 MiB of small responses, which have at most 16 KiB, so that 1,024 sockets, as many as a selector
     * reports at once, get 4 KiB each; and 1 MiB of large ones.
     */
    final WriteShare small = new WriteShare(ConnectionTurn.BATCH / 4, 16 * PIECE),
            large = new WriteShare(PIECE, 4 * PIECE);

    /** How many bytes of bodies wait in line in the heap. */
    long inLine;

    void begin() {
        small.begin();
        large.begin();
    }

    /** Says whether responses wait for a turn of the loop, though their sockets may take more. */
    boolean isAwaited() { return small.isAwaited() || large.isAwaited(); }

    /** Has those in line write, as much as the turn of the loop may. */
    void serve() {
        small.serve();
        large.serve();
    }

    /** Empties both lines. */
    void clear() {
        small.clear();
        large.clear();
    }
}
