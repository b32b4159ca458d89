package org.microhttp.extras.websocket;

import java.nio.ByteBuffer;

/**
 * What a program does with one connection, or with many. The methods are called on the thread of the
 * connection's loop, one at a time for each connection, so they must not block. What they throw goes to the
 * handler of uncaught exceptions of that thread, and the connection is closed with 1011.
 */
public interface WebSocketListener {

    /**
     * The connection is open. From now on {@link #onClose} will be called, once.
     *
     * @param socket the connection; methods of it may be called from any thread
     */
    default void onOpen(WebSocket socket) {
    }

    /**
     * A text message has come. By default the connection is closed with 1003: it does not take any.
     *
     * @param socket the connection
     * @param text   the message
     */
    default void onText(WebSocket socket, String text) {
        socket.close(CloseStatus.UNSUPPORTED, "no text is taken");
    }

    /**
     * A binary message has come. By default the connection is closed with 1003: it does not take any.
     *
     * @param socket the connection
     * @param data   the message, which nobody else has
     */
    default void onBinary(WebSocket socket, ByteBuffer data) {
        socket.close(CloseStatus.UNSUPPORTED, "text alone is taken");
    }

    /**
     * The connection is over; nothing else is called for it. The code is that of the client's Close frame,
     * 1005 if it had none. If the client broke a rule or was too slow, memory was short, or a listener
     * failed, it is the code that was sent: 1002, 1007, 1008, 1009, 1011 or 1013, and the reason says why. In
     * all other cases it is 1006: the connection has ended without a Close frame of the client, since the
     * client or the network failed, was silent for too long, or did not read, or the server has ended.
     *
     * @param socket the connection
     * @param code   why it is over (RFC 6455 §7.4)
     * @param reason the same in words, possibly empty; written by the client if the code is
     */
    default void onClose(WebSocket socket, int code, String reason) {
    }
}
