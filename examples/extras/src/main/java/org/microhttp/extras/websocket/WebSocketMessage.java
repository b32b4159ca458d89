package org.microhttp.extras.websocket;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A message that is made once and may be sent to many. Safe for all threads. */
public final class WebSocketMessage {

    /** Its frame, which is not changed; nor are its position and limit. */
    final ByteBuffer frame;

    /** In how many queues it is; with the first it is counted in a memory, and with the last no more. */
    private int queues;
    private SharedMemory memory;
    private final boolean counted;

    private WebSocketMessage(ByteBuffer frame, boolean counted) {
        this.frame = frame;
        this.counted = counted;
    }

    private WebSocketMessage(int opcode, ByteBuffer payload) {
        this(new Frame(opcode, payload).encode(), true);
    }

    /** A control frame, which waits as messages do, but is too small to count. */
    static WebSocketMessage control(ByteBuffer frame) {
        return new WebSocketMessage(frame, false);
    }

    /** It waits for one more connection. */
    synchronized void enter(Share share) {
        if (!counted) {
            return;
        }
        if (queues++ == 0) {
            memory = share.memory;
            memory.use(frame.remaining());
        }
        share.memory.hold(share, frame.remaining());
    }

    /** It waits no more for a connection for which it has waited. */
    synchronized void leave(Share share) {
        if (!counted) {
            return;
        }
        share.memory.hold(share, -frame.remaining());
        if (--queues == 0) {
            memory.use(-frame.remaining());
        }
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
