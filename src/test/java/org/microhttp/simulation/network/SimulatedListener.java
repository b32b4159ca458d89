package org.microhttp.simulation.network;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;

/** A listening socket, and the kernel's queue of those that wait to be accepted. */
public final class SimulatedListener extends ServerSocketChannel {

    private static final String TOO_MANY_OPEN_FILES = "Too many open files";

    private final Machine machine;
    private final Deque<Peer> waiting = new ArrayDeque<>();
    SimulatedKey key;
    private InetSocketAddress address;
    private int backlog;
    private boolean shared;
    private boolean freed;

    SimulatedListener(Machine machine) {
        super(SimulatedProvider.INSTANCE);
        this.machine = machine;
        machine.descriptors++;
    }

    /** Puts a client into the queue; false if that is full or gone. */
    boolean offer(Peer peer) {
        if (freed || waiting.size() >= backlog) return false;
        waiting.add(peer);
        changed();
        return true;
    }

    /** How many wait to be accepted. */
    public int waiting() {
        return waiting.size();
    }

    /** Null before it is registered. */
    public SimulatedKey key() {
        return key;
    }

    private void changed() {
        if (key != null && !freed) ((SimulatedSelector) key.selector()).lookAt(key);
    }

    int ready() {
        return waiting.isEmpty() ? 0 : SelectionKey.OP_ACCEPT;
    }

    @Override
    public SocketChannel accept() throws IOException {
        if (!isOpen()) throw new ClosedChannelException();
        if (address == null) throw new NotYetBoundException();
        machine.spend(Call.ACCEPT);
        machine.strikeOrFail(Call.ACCEPT, waiting.peek());
        if (waiting.isEmpty()) return null;
        if (machine.descriptors >= machine.maxDescriptors) {
            machine.accepting(this, null);
            throw new IOException(TOO_MANY_OPEN_FILES);
        }
        Peer peer = waiting.remove();
        var channel = new SimulatedChannel(machine, peer);
        machine.note(Call.ACCEPT, peer, 0);
        machine.accepting(this, peer);
        return channel;
    }

    @Override
    public ServerSocketChannel bind(SocketAddress local, int backlog) throws IOException {
        var wanted = (InetSocketAddress) local;
        int port = machine.bind(this, wanted.getPort(), shared);
        if (port < 0) throw new BindException("Address already in use");
        address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        this.backlog = backlog;
        return this;
    }

    @Override
    public <T> ServerSocketChannel setOption(SocketOption<T> option, T value) {
        if (option == StandardSocketOptions.SO_REUSEPORT) shared = (Boolean) value;
        return this;
    }

    boolean isShared() {
        return shared;
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return Set.of(StandardSocketOptions.SO_REUSEADDR, StandardSocketOptions.SO_REUSEPORT,
                StandardSocketOptions.SO_RCVBUF);
    }

    @Override
    public SocketAddress getLocalAddress() {
        return address;
    }

    @Override
    public ServerSocket socket() {
        try {
            return new ServerSocket() {
                @Override
                public int getLocalPort() {
                    return address == null ? -1 : address.getPort();
                }
            };
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    protected void implConfigureBlocking(boolean block) throws IOException {
        machine.strikeOrFail(Call.CONFIGURE, null);
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        try {
            machine.strikeOrFail(Call.CLOSE, null);
        } finally {
            if (!isRegistered()) free();
        }
    }

    /** The port is free, and who waited gets a reset. */
    void free() {
        if (freed) return;
        freed = true;
        machine.descriptors--;
        machine.unbind(this);
        waiting.forEach(Peer::refused);
        waiting.clear();
    }

    @Override
    public <T> T getOption(SocketOption<T> option) {
        throw new UnsupportedOperationException();
    }
}
