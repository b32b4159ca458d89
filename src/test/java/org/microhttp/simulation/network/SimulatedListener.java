package org.microhttp.simulation.network;

import java.io.IOException;
import java.net.*;
import java.nio.channels.*;
import java.nio.file.Files;
import java.util.*;

/**
 * A listening socket, and the kernel's queue of those that wait to be accepted. One of the Unix domain has a
 * real file, empty and no socket, which its user removes as that of a real one; who connects must find it.
 */
public final class SimulatedListener extends ServerSocketChannel {

    private static final String TOO_MANY_OPEN_FILES = "Too many open files";

    private final Machine machine;
    private final Deque<Peer> waiting = new ArrayDeque<>();
    SimulatedKey key;
    private final boolean unix;
    private SocketAddress address;
    private int backlog;
    private boolean shared;
    private boolean freed;

    SimulatedListener(Machine machine, boolean unix) {
        super(SimulatedProvider.INSTANCE);
        this.unix = unix;
        this.machine = machine;
        machine.descriptors++;
    }

    /** Puts a client into the queue; false if that is full or gone. */
    boolean offer(Peer peer) {
        if (waiting.size() >= backlog || isGone()) return false;
        waiting.add(peer);
        changed();
        return true;
    }

    /** Whether nobody finds it any more. What was inherited others have, too. */
    private boolean isGone() {
        if (this == machine.inherited()) return false;
        return freed || unix && !Files.exists(((UnixDomainSocketAddress) address).getPath());
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
        if (unix) {
            machine.bind(this, Machine.UNIX, false);
            address = local;
            Files.createFile(((UnixDomainSocketAddress) local).getPath());
        } else {
            var wanted = (InetSocketAddress) local;
            int port = machine.bind(this, wanted.getPort(), shared);
            if (port < 0) throw new BindException("Address already in use");
            address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        }
        this.backlog = backlog;
        return this;
    }

    @Override
    public <T> ServerSocketChannel setOption(SocketOption<T> option, T value) {
        if (!supportedOptions().contains(option)) throw new UnsupportedOperationException(option.name());
        if (option == StandardSocketOptions.SO_REUSEPORT) shared = (Boolean) value;
        return this;
    }

    boolean isShared() {
        return shared;
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        if (unix) return Set.of(StandardSocketOptions.SO_RCVBUF);
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
                    return address instanceof InetSocketAddress inet ? inet.getPort() : -1;
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

    /** The port is free, and who waited gets a reset; unless others have the socket, too. */
    void free() {
        if (freed) return;
        freed = true;
        machine.descriptors--;
        if (this == machine.inherited()) return;
        machine.unbind(this);
        waiting.forEach(Peer::refused);
        waiting.clear();
    }

    @Override
    public <T> T getOption(SocketOption<T> option) {
        throw new UnsupportedOperationException();
    }
}
