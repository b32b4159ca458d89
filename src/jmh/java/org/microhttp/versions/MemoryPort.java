package org.microhttp.versions;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;

/** A port in memory, at which so many clients connect at once and never again. */
final class MemoryPort extends ServerSocketChannel implements MemorySelector.Readiness {

    private final MemoryChannel[] clients;
    private int accepted;

    MemoryPort(MemoryChannel[] clients) {
        super(null);
        this.clients = clients;
    }

    @Override
    public SocketChannel accept() { return accepted == clients.length ? null : clients[accepted++]; }

    @Override
    public int ready() { return accepted == clients.length ? 0 : SelectionKey.OP_ACCEPT; }

    @Override
    public SocketAddress getLocalAddress() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 8080);
    }

    @Override public ServerSocketChannel bind(SocketAddress local, int backlog) { return this; }
    @Override public <T> ServerSocketChannel setOption(SocketOption<T> option, T value) { return this; }
    @Override public <T> T getOption(SocketOption<T> option) { throw new UnsupportedOperationException(); }
    @Override public Set<SocketOption<?>> supportedOptions() { return Set.of(); }
    @Override public ServerSocket socket() { throw new UnsupportedOperationException(); }
    @Override protected void implCloseSelectableChannel() { }
    @Override protected void implConfigureBlocking(boolean block) { }
}
