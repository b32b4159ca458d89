package org.microhttp.extras.websocket;

import java.nio.ByteBuffer;

/**
 * A control frame, or a whole message with its fragments joined (RFC 6455 §5.2). Safe for all threads.
 *
 * @param opcode  one of the constants here
 * @param payload the content, unmasked
 */
record Frame(int opcode, ByteBuffer payload) {

    static final int CONTINUATION = 0;
    static final int TEXT = 1;
    static final int BINARY = 2;
    static final int CLOSE = 8;
    static final int PING = 9;
    static final int PONG = 10;

    /** The longest payload of a control frame (§5.5), and of a frame with its length in the second byte. */
    static final int SHORT = 125;

    /** In the second byte: the length follows in 2 bytes, or in 8 (§5.2). */
    static final int TWO_BYTES = 126;
    static final int EIGHT_BYTES = 127;

    /** The longest payload whose length is in 2 bytes. */
    static final int MEDIUM = 0xFFFF;

    static final int FIN = 0x80;

    /** RSV1 of a message's first frame: the message is compressed (RFC 7692 §6). */
    static final int COMPRESSED = 0x40;

    private static final int LONGEST_HEADER = 10;

    /** Close, ping and pong (§5.5). */
    static boolean isControl(int opcode) {
        return opcode >= CLOSE;
    }

    /** {@return the bytes as a server sends them: in one frame (§5.4), without a mask (§5.1)} */
    ByteBuffer encode() {
        return encode(0);
    }

    /** @param reserved bits besides FIN: none, or {@link #COMPRESSED} */
    ByteBuffer encode(int reserved) {
        int length = payload.remaining();
        ByteBuffer frame = ByteBuffer.allocate(length + (length > SHORT ? LONGEST_HEADER : 2));
        frame.put((byte) (FIN | reserved | opcode));
        // the shortest form (§5.2)
        if (length <= SHORT) {
            frame.put((byte) length);
        } else if (length <= MEDIUM) {
            frame.put((byte) TWO_BYTES).putShort((short) length);
        } else {
            frame.put((byte) EIGHT_BYTES).putLong(length);
        }
        return frame.put(payload.duplicate()).flip();
    }
}
