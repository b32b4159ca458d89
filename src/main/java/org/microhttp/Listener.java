package org.microhttp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * The port: accepts connections and registers them. It stops watching while the loop has as many connections
 * as it may, until one closes; and when an accept fails, as it does when the process is out of descriptors,
 * until one closes or a tick has passed. A failed accept never ends the loop, and never makes it spin.
 */
final class Listener extends Scheduler.Entry {

    private static final int MAX_ACCEPTS_PER_TURN = 64;

    private final Shared loop;
    private final ServerSocketChannel channel;
    private final SelectionKey key;
    private final int maxConnections;
    private final int sendBufferSize;
    private final long retryAfter;
    private long nextId;
    private boolean paused;
    private boolean failing;

    /** Binds the port; if that fails everything is freed. */
    Listener(Shared loop, Options options) throws IOException {
        this.loop = loop;
        maxConnections = options.maxConnections;
        sendBufferSize = options.sendBufferSize;
        retryAfter = options.resolution.toNanos();
        channel = ServerSocketChannel.open();
        try {
            set(StandardSocketOptions.SO_REUSEADDR, options.reuseAddr);
            set(StandardSocketOptions.SO_REUSEPORT, options.reusePort);
            // connections inherit it; a window above 64 KiB can only be agreed on when they are made
            int window = options.receiveBufferSize;
            if (window > 0) channel.setOption(StandardSocketOptions.SO_RCVBUF, window);
            bind(options.host, options.port, options.acceptLength);
            channel.configureBlocking(false);
            key = channel.register(loop.selector, SelectionKey.OP_ACCEPT);
        } catch (Throwable t) {
            channel.close();
            throw t;
        }
        loop.onClose = this::resume;
        loop.log.listening(channel.getLocalAddress());
    }

    private void set(SocketOption<Boolean> option, boolean on) throws IOException {
        if (channel.supportedOptions().contains(option)) channel.setOption(option, on);
        else if (on) loop.log.optionSkipped(option);
    }

    private void bind(String host, int port, int backlog) throws IOException {
        var address = host == null ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
        if (address.isUnresolved()) throw new IOException("cannot listen on " + host + ": unknown host name");
        try {
            channel.bind(address, backlog);
        } catch (IOException e) {
            throw new IOException("cannot listen on " + address + ": " + e.getMessage(), e);
        }
    }

    int port() throws IOException { return ((InetSocketAddress) channel.getLocalAddress()).getPort(); }

    /** Accepts what is waiting, a bounded number. */
    void onReady() {
        try {
            for (int i = 0; i < MAX_ACCEPTS_PER_TURN; i++) {
                if (loop.open >= maxConnections) {
                    loop.log.acceptPaused(loop.open);
                    pause(true);
                    return;
                }
                SocketChannel accepted = channel.accept();
                if (accepted == null) return;
                failing = false;
                admit(accepted);
            }
        } catch (Throwable t) {
            if (!failing) loop.log.acceptFailed(t);
            failing = true;
            pause(true);
            loop.scheduler.schedule(this, loop.now() + retryAfter);
        }
    }

    private void admit(SocketChannel accepted) throws IOException {
        try {
            accepted.configureBlocking(false);
            // without it the second part of an answer would wait 40 ms for a delayed acknowledgement
            accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
            if (sendBufferSize > 0) accepted.setOption(StandardSocketOptions.SO_SNDBUF, sendBufferSize);
            SelectionKey accept = accepted.register(loop.selector, SelectionKey.OP_READ);
            loop.log.accepted(nextId, accepted.socket().getRemoteSocketAddress());
            accept.attach(new Connection(loop, accepted, accept, nextId++));
            loop.open++;
        } catch (Throwable t) {
            // the client may be gone already
            loop.log.acceptFailed(t);
            accepted.close();
        }
    }

    private void pause(boolean on) {
        paused = on;
        key.interestOps(on ? 0 : SelectionKey.OP_ACCEPT);
    }

    @Override void onDeadline() { resume(); }

    /** A descriptor or a place may be free now; it is at the latest at the next select, which comes first. */
    private void resume() {
        if (!paused || loop.open >= maxConnections || !key.isValid()) return;
        if (!failing) loop.log.acceptResumed(loop.open);
        pause(false);
    }

    void close() throws IOException { channel.close(); }
}
