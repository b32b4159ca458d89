package org.microhttp.simulation.network;

import java.io.IOException;
import java.net.*;
import java.nio.ByteBuffer;
import java.nio.channels.*;
import java.util.Set;

/** The server's side of a connection. */
public final class SimulatedChannel extends MemoryChannel {

    final Peer peer;
    private final Machine machine;
    SimulatedKey key;
    private boolean outputEnded;
    private boolean dropUnsent;
    private boolean freed;

    public SimulatedChannel(Machine machine, Peer peer) {
        super(SimulatedProvider.INSTANCE);
        this.machine = machine;
        this.peer = peer;
        machine.descriptors++;
        if (peer != null) peer.channel = this;
    }

    /** Null before it is registered. */
    public SimulatedKey key() {
        return key;
    }

    void changed() {
        if (key != null && !freed) ((SimulatedSelector) key.selector()).lookAt(key);
    }

    /** Whether reading and writing are possible at once, as in {@link SelectionKey#readyOps()}. */
    int ready() {
        int read = peer.isReadable() ? SelectionKey.OP_READ : 0;
        int write = peer.isWritable() ? SelectionKey.OP_WRITE : 0;
        return read | write;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        begin(Call.READ);
        int count = peer.read(target);
        machine.note(Call.READ, peer, count);
        return count;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        if (outputEnded) throw new ClosedChannelException();
        begin(Call.WRITE);
        int count = peer.write(source);
        machine.note(Call.WRITE, peer, count);
        return count;
    }

    private void begin(Call call) throws IOException {
        if (!isOpen()) throw new ClosedChannelException();
        machine.spend(call);
        machine.strikeOrFail(call, peer);
    }

    @Override
    public SocketChannel shutdownOutput() throws IOException {
        if (!isOpen()) throw new ClosedChannelException();
        machine.strikeOrFail(Call.END_OUTPUT, peer);
        outputEnded = true;
        machine.note(Call.END_OUTPUT, peer, 0);
        peer.outputEnded();
        return this;
    }

    @Override
    public <T> SocketChannel setOption(SocketOption<T> option, T value) throws IOException {
        if (!isOpen()) throw new ClosedChannelException();
        if (!supportedOptions().contains(option)) throw new UnsupportedOperationException(option.name());
        machine.strikeOrFail(Call.SET_OPTION, peer);
        if (option == StandardSocketOptions.SO_LINGER) dropUnsent = value.equals(0);
        return this;
    }

    @Override
    protected void implConfigureBlocking(boolean block) throws IOException {
        machine.strikeOrFail(Call.CONFIGURE, peer);
    }

    /** A channel with a key keeps its descriptor until that is flushed; what was to be sent goes at once. */
    @Override
    protected void implCloseSelectableChannel() throws IOException {
        if (peer == null) {
            free();
            return;
        }
        machine.note(Call.CLOSE, peer, dropUnsent ? 1 : 0);
        peer.closing(dropUnsent);
        if (!isRegistered()) free();
        // what fails has ended the connection all the same
        machine.strikeOrFail(Call.CLOSE, peer);
    }

    /** The descriptor is given back. */
    void free() {
        if (freed) return;
        freed = true;
        machine.descriptors--;
        if (peer != null) peer.freed();
    }

    @Override
    public SocketAddress getRemoteAddress() throws IOException {
        if (!isOpen()) throw new ClosedChannelException();
        machine.strikeOrFail(Call.ADDRESS, peer);
        return peer.address();
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        boolean unix = peer.address() instanceof UnixDomainSocketAddress;
        return unix ? Set.of(StandardSocketOptions.SO_LINGER)
                : Set.of(StandardSocketOptions.SO_LINGER, StandardSocketOptions.TCP_NODELAY);
    }

    @Override
    public SocketAddress getLocalAddress() {
        throw new UnsupportedOperationException();
    }
}
