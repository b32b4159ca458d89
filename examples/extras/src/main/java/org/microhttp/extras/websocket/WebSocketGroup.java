package org.microhttp.extras.websocket;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Connections that get the same messages. A listener adds a connection in {@code onOpen}, and removes it in
 * {@code onClose}. Safe for all threads.
 */
public final class WebSocketGroup {

    private final Set<WebSocket> sockets = ConcurrentHashMap.newKeySet();

    /** Makes an empty group. */
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
     * Sends a message to all connections, encoded once. If too much waits for a client, its connection is
     * closed with 1013 instead, because the client would miss this message: let it connect again, and ask for
     * what it needs. Messages of one thread arrive in the order of its calls.
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
     * Closes all connections.
     *
     * @param code   as for {@link WebSocket#close(int, String)}
     * @param reason as for {@link WebSocket#close(int, String)}
     */
    public void close(int code, String reason) {
        for (WebSocket socket : sockets) {
            socket.close(code, reason);
        }
    }
}
