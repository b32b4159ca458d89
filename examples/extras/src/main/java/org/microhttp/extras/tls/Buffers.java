package org.microhttp.extras.tls;

import java.nio.ByteBuffer;

/**
 * The buffers that all connections of a front share; each uses them within one turn. They are arrays, because
 * the JDK's ciphers work on arrays; a write copies an array once.
 */
final class Buffers {

    /** The largest record that the JDK accepts has 33,093 bytes. */
    private static final int INPUT = 34 * 1024;

    /** Two records. */
    private static final int OUTPUT = 32 * 1024;

    /** Bytes of the client, encrypted and decrypted. */
    final ByteBuffer received = ByteBuffer.allocate(INPUT), decrypted = ByteBuffer.allocate(INPUT);

    /**
     * Bytes of the server, plain and encrypted. With the shortest records that a client can ask for, of 512
     * bytes (RFC 6066 §4), 40 KiB are encrypted; the engine needs space for one more record.
     */
    final ByteBuffer sent = ByteBuffer.allocate(OUTPUT), encrypted = ByteBuffer.allocate(2 * OUTPUT);
}
