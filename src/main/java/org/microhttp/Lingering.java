package org.microhttp;

import java.io.IOException;

/**
 * The last part of a connection's life: our side has ended, and the client's input is read and dropped,
 * because closing a socket with unread input resets it, and our answer may be lost (RFC 9112 §9.6).
 */
final class Lingering {

    // how long a client may take to notice that it was refused; nginx waits 5 s and 30 s, too
    private static final long MAX_SILENCE = 5_000_000_000L, MAX_TIME = 30_000_000_000L, MAX_BYTES = 64L << 20;

    /** The latest end, and the end if nothing more comes. */
    private final long end;
    long deadline;
    private long bytes;

    Lingering(long now) {
        end = now + MAX_TIME;
        deadline = now + MAX_SILENCE;
    }

    /**
     * Ends our side and begins to linger; returns null if the client sends nothing more, so that the
     * connection can be closed at once.
     *
     * @param more   whether the client has sent more than its last request
     * @param waited whether the client has had time to send more
     */
    static Lingering begin(ClientSocket socket, boolean more, boolean waited) throws IOException {
        boolean sending = more || waited && !socket.endOfStream && socket.read(Integer.MAX_VALUE) > 0;
        if (socket.endOfStream || !sending) {
            socket.report(Event.CLOSE_AFTER_RESPONSE);
            return null;
        }
        socket.report(Event.LINGER);
        socket.endOutput();
        return new Lingering(socket.context.clock.now());
    }

    /** Counts what a read has returned; returns true if no further read is due. */
    boolean record(int count, long now) {
        if (count > 0) deadline = Scheduler.earlier(now + MAX_SILENCE, end);
        bytes += count;
        return count < 0 || bytes > MAX_BYTES || now - deadline >= 0;
    }
}
