package websocket;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A message that is made once and may be sent to many. Safe for all threads. */
public final class WebSocketMessage {

    /** Its frame, which is not changed; nor are its position and limit. */
    final ByteBuffer frame;

    private WebSocketMessage(int opcode, ByteBuffer payload) {
        frame = new Frame(opcode, payload).encode();
    }

    /**
     * Makes a text message. Half of a surrogate pair, which UTF-8 has no form for, becomes a question mark.
     *
     * @param text the text
     * @return the message
     */
    public static WebSocketMessage text(String text) {
        return new WebSocketMessage(Frame.TEXT, StandardCharsets.UTF_8.encode(text));
    }

    /**
     * Makes a binary message of a copy of what a buffer has; its position does not move.
     *
     * @param payload what is sent
     * @return the message
     */
    public static WebSocketMessage binary(ByteBuffer payload) {
        return new WebSocketMessage(Frame.BINARY, payload);
    }
}
