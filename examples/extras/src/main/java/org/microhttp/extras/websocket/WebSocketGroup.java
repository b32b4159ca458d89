package org.microhttp.extras.websocket;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Connections that get the same messages. A listener adds its connection when it opens, and removes it when
 * it is closed. Safe for all threads.
 */
public final class WebSocketGroup {

    private final Set<WebSocket> sockets = ConcurrentHashMap.newKeySet();

    /** Makes one without connections. */
    public WebSocketGroup() {
    }

    /**
     * Adds a connection.
     *
     * @param socket the connection
     */
    public void add(WebSocket socket) {
        sockets.add(socket);
    }

    /**
     * Removes a connection.
     *
     * @param socket the connection
     */
    public void remove(WebSocket socket) {
        sockets.remove(socket);
    }

    /**
     * Sends a message to all, encoded once. A client for which too much waits is closed with 1013, for it
     * would miss this one: it connects again, and asks for what it needs. Messages sent by one thread come in
     * its order.
     *
     * @param message the message
     */
    public void send(WebSocketMessage message) {
        for (WebSocket socket : sockets) {
            if (!socket.send(message)) {
                socket.close(CloseStatus.TRY_AGAIN_LATER, "messages come faster than they are read");
            }
        }
    }

    /**
     * Closes all.
     *
     * @param code   see {@link WebSocket#close(int, String)}
     * @param reason see there
     */
    public void close(int code, String reason) {
        for (WebSocket socket : sockets) {
            socket.close(code, reason);
        }
    }
}
