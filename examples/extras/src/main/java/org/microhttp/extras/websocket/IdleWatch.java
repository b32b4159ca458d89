package org.microhttp.extras.websocket;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Looks at all open connections four times a second, on one thread of its own: that is an addition and a
 * comparison for each. A timer for each connection would take more memory than it has otherwise.
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

    /** Closes those whose options say so. */
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
            } catch (OutOfMemoryError e) {
                // it would end the timer; the next look tries again
                return;
            }
        }
    }
}
