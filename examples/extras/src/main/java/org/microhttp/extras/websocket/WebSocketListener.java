package org.microhttp.extras.websocket;

import java.nio.ByteBuffer;

/**
 * Gets the messages of one connection, or of many. The methods are called on the thread of the connection's
 * loop, one at a time for each connection, so they must not block. An exception goes to that thread's handler
 * of uncaught exceptions, and the connection is closed with 1011; an OutOfMemoryError closes it with 1013.
 */
public interface WebSocketListener {

    /**
     * The connection is open. Later {@link #onClose} will be called once.
     *
     * @param socket the connection; any thread may call its methods
     */
    default void onOpen(WebSocket socket) {
    }

    /**
     * A text message has come. By default this closes the connection with 1003: no text is accepted.
     *
     * @param socket the connection
     * @param text   the message
     */
    default void onText(WebSocket socket, String text) {
        socket.close(CloseStatus.UNSUPPORTED, "no text is taken");
    }

    /**
     * A binary message has come. By default this closes the connection with 1003: only text is accepted.
     *
     * @param socket the connection
     * @param data   the message, which the listener may keep and change
     */
    default void onBinary(WebSocket socket, ByteBuffer data) {
        socket.close(CloseStatus.UNSUPPORTED, "text alone is taken");
    }

    /**
     * The connection is over; no other method is called for it. The code is one of these:
     * <ul>
     * <li>that of the client's Close frame, or 1005 if the frame had none
     * <li>1002, 1007, 1008, 1009, 1011 or 1013, as sent to the client: it broke a rule or was too slow,
     *     memory was short, or a listener failed
     * <li>1006: the connection ended without a Close frame of the client, because the client or the network
     *     failed, was silent for too long or did not read, or the server ended
     * </ul>
     *
     * @param socket the connection
     * @param code   why the connection is over (RFC 6455 §7.4)
     * @param reason the same in words, possibly empty; written by the client if the code is the client's
     */
    default void onClose(WebSocket socket, int code, String reason) {
    }
}
