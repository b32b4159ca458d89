package org.microhttp.extras.tls;

import java.nio.ByteBuffer;

/**
 * The buffers that all connections of a front share, in one turn each. They are arrays: the JDK's ciphers
 * work on these, and to write one copies it once.
 */
final class Buffers {

    /** The largest record that the JDK takes has 33,093 bytes. */
    private static final int INPUT = 34 * 1024;

    /** Two records. */
    private static final int OUTPUT = 32 * 1024;

    /** Of the client, and what that is decrypted. */
    final ByteBuffer received = ByteBuffer.allocate(INPUT), decrypted = ByteBuffer.allocate(INPUT);

    /**
     * Of the server, and what that is encrypted: with the shortest records that may be agreed on, of 512
     * bytes (RFC 6066 §4), some 40 KiB, and after them the engine wants space for a record.
     */
    final ByteBuffer sent = ByteBuffer.allocate(OUTPUT), encrypted = ByteBuffer.allocate(2 * OUTPUT);
}
