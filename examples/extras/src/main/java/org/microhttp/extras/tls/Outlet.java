package org.microhttp.extras.tls;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A socket that is written to, and what it has not taken yet. For the front's thread. */
final class Outlet {

    static final ByteBuffer NONE = ByteBuffer.allocate(0);

    private final SocketChannel channel;
    private ByteBuffer left;

    /** @param first what it is given when it is connected */
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

    /** Writes what is left; true if the socket has taken all. */
    boolean flush() throws IOException {
        if (left != NONE && channel.isConnected()) {
            channel.write(left);
        }
        if (!left.hasRemaining()) {
            left = NONE;
        }
        return left == NONE;
    }

    /** Writes from a buffer that all connections share, when nothing is left; true if that is taken, too. */
    boolean write(ByteBuffer shared) throws IOException {
        channel.write(shared);
        left = rest(shared);
        return left == NONE;
    }

    /** The same after what is left, to a socket that may be closed: then all is dropped. */
    boolean offer(ByteBuffer shared) {
        try {
            return flush() && (!shared.hasRemaining() || write(shared));
        } catch (IOException e) {
            left = NONE;
            return true;
        }
    }

    /** What is left in a buffer that all connections share, in one of its own. */
    static ByteBuffer rest(ByteBuffer shared) {
        return shared.hasRemaining() ? ByteBuffer.allocate(shared.remaining()).put(shared).flip() : NONE;
    }
}
