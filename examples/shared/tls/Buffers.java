package tls;

import java.nio.ByteBuffer;

/**
 * The buffers that all connections of a front share, in one turn each. They are arrays: the JDK's ciphers
 * work on these, and to write one copies it once.
 */
final class Buffers {

    /** More than the largest record that the JDK takes, which has 33,093 bytes. */
    static final int SIZE = 64 * 1024;

    /** Two records, which fit into {@link #encrypted} whatever the cipher and the size of records add. */
    private static final int PIECE = 32 * 1024;

    /** Of the client, and what that is decrypted. */
    final ByteBuffer received = ByteBuffer.allocate(SIZE), decrypted = ByteBuffer.allocate(SIZE);

    /** Of the server, and what that is encrypted. */
    final ByteBuffer sent = ByteBuffer.allocate(PIECE), encrypted = ByteBuffer.allocate(SIZE);
}
