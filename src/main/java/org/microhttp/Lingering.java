package org.microhttp;

import java.io.IOException;

/**
 * The last part of a connection's life, when our side is ended and the peer may not know yet: what it still
 * sends is discarded. To close a socket with unread input resets it, and our answer may be lost (RFC 9112
 * §9.6).
 */
final class Lingering {

    // what a client may take to notice that it was refused; nginx, too, waits 5 s and 30 s
    private static final long MAX_SILENCE = 5_000_000_000L, MAX_TIME = 30_000_000_000L, MAX_BYTES = 64L << 20;

    /** When it ends at the latest, and when it ends if nothing more comes. */
    private final long end;
    long deadline;
    private long bytes;

    Lingering(long now) {
        end = now + MAX_TIME;
        deadline = now + MAX_SILENCE;
    }

    /**
     * Ends our side, unless the client sends nothing more, so that the connection may be closed at once: then
     * returns null.
     *
     * @param more   whether it has sent more than its last request
     * @param waited whether it has had time to send more
     */
    static Lingering begin(ClientSocket socket, boolean more, boolean waited) throws IOException {
        boolean sending = more || waited && !socket.endOfStream && socket.read(Integer.MAX_VALUE) > 0;
        if (socket.endOfStream || !sending) {
            socket.report(Event.CLOSE_AFTER_RESPONSE);
            return null;
        }
        socket.report(Event.LINGER);
        socket.endOutput();
        return new Lingering(socket.loop.now());
    }

    /** Takes the count that a read returned; true if it was the last one. */
    boolean record(int count, long now) {
        if (count > 0) deadline = Scheduler.earlier(now + MAX_SILENCE, end);
        bytes += count;
        return count < 0 || bytes > MAX_BYTES || now - deadline >= 0;
    }
}
