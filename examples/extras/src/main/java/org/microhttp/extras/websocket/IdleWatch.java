package org.microhttp.extras.websocket;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Checks all open connections four times a second, on a thread of its own; that is an addition and a
 * comparison for each connection. A timer for each would take more memory than the rest of the connection.
 */
final class IdleWatch {

    private static final long TICK_MILLIS = 250;

    private static final Set<WebSocket> OPEN = ConcurrentHashMap.newKeySet();

    static {
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
            var thread = new Thread(task, "websocket-idle");
            thread.setDaemon(true);
            return thread;
        });
        timer.scheduleWithFixedDelay(IdleWatch::look, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private IdleWatch() {
    }

    static void add(WebSocket socket) {
        OPEN.add(socket);
    }

    /** Closes the connections whose options are closed. */
    static void closeAll() {
        OPEN.forEach(WebSocket::closeIfAllAre);
    }

    static void remove(WebSocket socket) {
        OPEN.remove(socket);
    }

    private static void look() {
        long now = System.nanoTime();
        for (WebSocket socket : OPEN) {
            try {
                socket.watch(now);
            } catch (Throwable t) {
                // it would end the timer for all connections; the next look tries again
                continue;
            }
        }
    }
}
