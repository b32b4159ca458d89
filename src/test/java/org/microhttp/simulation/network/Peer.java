package org.microhttp.simulation.network;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;

/** The other side of a connection, and what the kernel holds for both. */
public abstract class Peer {

    /** What the server's side has, from when it is accepted. */
    protected SimulatedChannel channel;

    public final SimulatedChannel channel() {
        return channel;
    }

    /** What tells it from others, and says where the kernel puts it. */
    public abstract int number();

    /** Where it is; a Unix domain socket for one that comes to such. */
    public abstract SocketAddress address();

    /** What can be read at once: bytes, the end, or a failure. */
    public abstract boolean isReadable();

    /** Whether a write takes something, or fails, at once. */
    public abstract boolean isWritable();

    protected abstract int read(ByteBuffer target) throws IOException;

    protected abstract int write(ByteBuffer source) throws IOException;

    /** The server ends its side, and goes on reading. */
    protected void outputEnded() { }

    /** The server closes: its side ends, with a reset if what is unsent is to be dropped. */
    protected void closing(boolean dropUnsent) { }

    /** The descriptor is free. Who was not told before that it closes is told by this. */
    protected void freed() { }

    /** The listener was closed before anybody accepted, or what accepted failed. */
    protected void refused() { }

    /** Its channel was registered, with the selector of the loop that has it. */
    protected void registered(SimulatedSelector selector) { }

    /** Has the selector look at it again, if there is one. */
    public final void changed() {
        if (channel != null) channel.changed();
    }
}
