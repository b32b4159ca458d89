package org.microhttp.extras.websocket;

import java.nio.ByteBuffer;

/** The bytes of a frame. It may wait for many connections, but is counted once. Safe for all threads. */
final class WaitingFrame {

    /** Neither the content nor position and limit change. */
    final ByteBuffer bytes;

    /** How many queues have the frame; the memory counts it from the first entry to the last leave. */
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

    /** A control frame, which waits like a message, but is too small to count. */
    static WaitingFrame control(ByteBuffer bytes) {
        return new WaitingFrame(bytes, false);
    }

    /** The frame waits for one more connection. */
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

    /** The frame waits no more for a connection for which it has waited. */
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
