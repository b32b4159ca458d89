package org.microhttp.extras.websocket;

import java.nio.ByteBuffer;

/** The bytes of a frame, which may wait for many connections and is counted once. Safe for all threads. */
final class WaitingFrame {

    /** They are not changed; nor are its position and limit. */
    final ByteBuffer bytes;

    /** In how many queues it is; with the first it is counted in a memory, and with the last no more. */
    private int queues;
    private SharedMemory memory;
    private final boolean counted;

    private WaitingFrame(ByteBuffer bytes, boolean counted) {
        this.bytes = bytes;
        this.counted = counted;
    }

    static WaitingFrame message(ByteBuffer bytes) {
        return new WaitingFrame(bytes, true);
    }

    /** A control frame, which waits as messages do, but is too small to count. */
    static WaitingFrame control(ByteBuffer bytes) {
        return new WaitingFrame(bytes, false);
    }

    /** It waits for one more connection. */
    synchronized void enter(Share share) {
        if (!counted) {
            return;
        }
        if (queues++ == 0) {
            memory = share.memory;
            memory.use(bytes.remaining());
        }
        share.memory.hold(share, bytes.remaining());
    }

    /** It waits no more for a connection for which it has waited. */
    synchronized void leave(Share share) {
        if (!counted) {
            return;
        }
        share.memory.hold(share, -bytes.remaining());
        if (--queues == 0) {
            memory.use(-bytes.remaining());
        }
    }
}
