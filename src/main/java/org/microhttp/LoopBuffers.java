package org.microhttp;

import java.nio.ByteBuffer;

/** The buffers that the connections of a loop use by turns, so that an idle connection has none. */
final class LoopBuffers {

    /** How many bytes one write sends at most; larger responses are sent in pieces. */
    static final int PIECE = 256 * 1024;

    /** What was read from a socket. */
    final ByteBuffer received;

    /** The array in which bytes are parsed, unless some are left from an earlier turn. */
    final byte[] scratch;

    /** Collects responses for one write. What the socket does not take is collected anew. */
    final ByteBuffer out = ByteBuffer.allocateDirect(PIECE);

    LoopBuffers(int readSize) {
        received = ByteBuffer.allocateDirect(readSize);
        scratch = new byte[readSize];
    }
}
