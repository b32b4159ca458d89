package org.microhttp.extras.websocket;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A message that is encoded once and may be sent to many clients. Safe for all threads. */
public final class WebSocketMessage {

    private final int opcode;
    private final int size;
    private final WaitingFrame plain;

    /** Made for the first client with compression; {@link #plain} if compression would not help. */
    private WaitingFrame compressed;

    private WebSocketMessage(int opcode, ByteBuffer payload) {
        this.opcode = opcode;
        size = payload.remaining();
        plain = WaitingFrame.message(new Frame(opcode, payload).encode());
    }

    /**
     * Makes a text message. A single surrogate, which UTF-8 cannot encode, becomes a question mark.
     *
     * @param text the text
     * @return the message
     */
    public static WebSocketMessage text(String text) {
        return new WebSocketMessage(Frame.TEXT, StandardCharsets.UTF_8.encode(text));
    }

    /**
     * Makes a binary message from a copy of a buffer's content; its position does not move.
     *
     * @param payload the content
     * @return the message
     */
    public static WebSocketMessage binary(ByteBuffer payload) {
        return new WebSocketMessage(Frame.BINARY, payload);
    }

    /** {@return the frame for a client with this agreement, null for none} */
    WaitingFrame frame(Compression agreed) {
        return agreed == null || !agreed.isFor(size) ? plain : compressed();
    }

    private synchronized WaitingFrame compressed() {
        if (compressed == null) {
            int header = plain.bytes.remaining() - size;
            ByteBuffer shorter = Compression.compress(plain.bytes.slice(header, size));
            compressed = shorter == null ? plain
                    : WaitingFrame.message(new Frame(opcode, shorter).encode(Frame.COMPRESSED));
        }
        return compressed;
    }
}
