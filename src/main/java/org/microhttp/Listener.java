package org.microhttp;

import java.io.IOException;
import java.net.*;
import java.nio.channels.*;

/**
 * The port: accepts connections and registers them. It stops watching while the loop has as many connections
 * as it may, until one closes; and when an accept fails, as it does when the process is out of descriptors,
 * until one closes or a tick has passed. A failed accept never ends the loop, and never makes it spin.
 */
final class Listener extends Scheduler.Entry {

    private static final int MAX_ACCEPTS_PER_TURN = 64;

    private final Shared loop;
    final ServerSocketChannel channel = ServerSocketChannel.open();
    private final SelectionKey key;
    private final int maxConnections, sendBufferSize;
    private final long retryAfter;
    private long nextId;
    private boolean paused, failing;

    /**
     * Registers with the loop's selector first, so that whoever closes that finds the channel; then binds.
     */
    Listener(Shared loop, Options options) throws IOException {
        this.loop = loop;
        maxConnections = options.maxConnections;
        sendBufferSize = options.sendBufferSize;
        retryAfter = options.resolution.toNanos();
        channel.configureBlocking(false);
        key = channel.register(loop.selector, SelectionKey.OP_ACCEPT);
        set(StandardSocketOptions.SO_REUSEADDR, options.reuseAddr);
        set(StandardSocketOptions.SO_REUSEPORT, options.reusePort);
        // connections inherit it; a window above 64 KiB can only be agreed on when they are made
        int window = options.receiveBufferSize;
        if (window > 0) channel.setOption(StandardSocketOptions.SO_RCVBUF, window);
        // Java's own default of 50 drops the bursts of connections that a proxy opens
        bind(options.host, options.port, options.acceptLength == 0 ? 1024 : options.acceptLength);
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
        try { channel.bind(address, backlog); } catch (IOException e) {
            throw new IOException("cannot listen on " + address + ": " + e.getMessage(), e);
        }
    }

    /** Accepts what is waiting, a bounded number. */
    void onReady() {
        try {
            for (int i = 0; i < MAX_ACCEPTS_PER_TURN && !paused; i++) {
                SocketChannel accepted = channel.accept();
                if (accepted == null) return;
                failing = false;
                admit(accepted);
                if (loop.open >= maxConnections) pause(true);
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
            loop.log.accepted(nextId, accepted.getRemoteAddress());
            accept.attach(new Connection(loop, accepted, accept, nextId++));
            loop.open++;
            // the client may be gone already
        } catch (Throwable t) { loop.log.acceptFailed(t); accepted.close(); }
    }

    private void pause(boolean on) {
        paused = on;
        key.interestOps(on ? 0 : SelectionKey.OP_ACCEPT);
        if (!failing && on) loop.log.acceptPaused(loop.open);
        if (!failing && !on) loop.log.acceptResumed(loop.open);
    }

    @Override void onDeadline() { resume(); }

    /** A descriptor or a place may be free now; it is at the latest at the next select, which comes first. */
    private void resume() { if (paused && loop.open < maxConnections && key.isValid()) pause(false); }
}
