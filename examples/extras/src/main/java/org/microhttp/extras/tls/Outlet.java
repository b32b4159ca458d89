package org.microhttp.extras.tls;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A socket to write to, and the bytes that it has not accepted yet. For the front's thread. */
final class Outlet {

    static final ByteBuffer NONE = ByteBuffer.allocate(0);

    private final SocketChannel channel;
    private ByteBuffer left;

    /** @param first what is written first, once the channel is connected */
    Outlet(SocketChannel channel, ByteBuffer first) {
        this.channel = channel;
        left = first;
    }

    boolean isEmpty() {
        return left == NONE;
    }

    int size() {
        return left.remaining();
    }

    /** Writes what is left; true if the socket has accepted everything. */
    boolean flush() throws IOException {
        if (left != NONE && channel.isConnected()) {
            channel.write(left);
        }
        if (!left.hasRemaining()) {
            left = NONE;
        }
        return left == NONE;
    }

    /** Writes from a shared buffer, only when nothing is left; true if the socket has accepted everything. */
    boolean write(ByteBuffer shared) throws IOException {
        channel.write(shared);
        left = rest(shared);
        return left == NONE;
    }

    /** Flushes, then writes from a shared buffer. If the socket is closed, everything is dropped. */
    boolean offer(ByteBuffer shared) {
        try {
            return flush() && (!shared.hasRemaining() || write(shared));
        } catch (IOException e) {
            left = NONE;
            return true;
        }
    }

    /** Copies the rest of a shared buffer to a new one. */
    static ByteBuffer rest(ByteBuffer shared) {
        return shared.hasRemaining() ? ByteBuffer.allocate(shared.remaining()).put(shared).flip() : NONE;
    }
}
