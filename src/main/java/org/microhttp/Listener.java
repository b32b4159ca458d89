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

    /** Instead of a port: accept nothing, and take what other loops hand over. */
    static final int NONE = -1;

    private final Shared loop;
    final ServerSocketChannel channel = ServerSocketChannel.open();
    private final SelectionKey key;
    private final int sendBufferSize;
    private final boolean listens;
    private final long retryAfter;
    volatile boolean failing;

    /**
     * Registers with the loop's selector first, so that whoever closes that finds the channel; then binds.
     */
    Listener(Shared loop, Options options, int port, boolean sharing) throws IOException {
        this.loop = loop;
        sendBufferSize = options.sendBufferSize;
        retryAfter = options.resolution.toNanos();
        listens = port != NONE;
        loop.listener = this;
        channel.configureBlocking(false);
        key = channel.register(loop.selector, listens ? SelectionKey.OP_ACCEPT : 0);
        if (!listens) return;
        set(StandardSocketOptions.SO_REUSEADDR, options.reuseAddr);
        set(StandardSocketOptions.SO_REUSEPORT, sharing);
        // connections inherit it; a window above 64 KiB can only be agreed on when they are made
        int window = options.receiveBufferSize;
        if (window > 0) channel.setOption(StandardSocketOptions.SO_RCVBUF, window);
        // Java's own default of 50 drops the bursts of connections that a proxy opens
        bind(options.host, port, options.acceptLength == 0 ? 1024 : options.acceptLength);
        loop.log.listening(channel.getLocalAddress());
    }

    private void set(SocketOption<Boolean> option, boolean on) throws IOException {
        if (channel.supportedOptions().contains(option)) channel.setOption(option, on);
        else if (on) loop.log.optionSkipped(option);
    }

    private void bind(String host, int port, int backlog) throws IOException {
        var address = host == null ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
        if (address.isUnresolved()) throw new IOException("cannot listen on " + host + ": unknown host name");
        try { channel.bind(address, backlog); } catch (IOException | UnsupportedAddressTypeException e) {
            String why = e instanceof IOException ? e.getMessage() : "not an address of this platform";
            throw new IOException("cannot listen on " + address + ": " + why, e);
        }
    }

    /** Accepts what is waiting, a bounded number. */
    void onReady() {
        for (int i = 0; i < MAX_ACCEPTS_PER_TURN && !loop.paused && accept(false); i++) { }
    }

    /** Accepts one, if there is one and a place for it; false if there is none. */
    private boolean accept(boolean beyondLimit) {
        boolean place = loop.common.connections.tryTake(1);
        if (!place && !beyondLimit) {
            pause(true);
            // one may have come free before the other loops could see that this one waits
            if (loop.common.connections.tryTake(1)) loop.common.unused();
            return false;
        }
        try {
            SocketChannel accepted = channel.accept();
            if (accepted != null) {
                failing = false;
                Shared target = loop.common.place(loop);
                if (target == loop) admit(accepted);
                else handOver(accepted, target);
                return true;
            }
        } catch (Throwable t) {
            if (!failing) loop.log.acceptFailed(t);
            failing = true;
            pause(true);
            loop.scheduler.schedule(this, loop.now() + retryAfter);
        }
        if (place) loop.common.unused();
        return false;
    }

    /** A loop that has ended meanwhile runs no task any more: closed twice is better than never. */
    private static void handOver(SocketChannel accepted, Shared target) throws IOException {
        target.execute(() -> target.listener.admit(accepted));
        if (!target.selector.isOpen()) accepted.close();
    }

    /** Registers a connection that is counted here already, accepted by this loop or by another. */
    private void admit(SocketChannel accepted) {
        try {
            accepted.configureBlocking(false);
            // without it the second part of an answer would wait 40 ms for a delayed acknowledgement
            accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
            if (sendBufferSize > 0) accepted.setOption(StandardSocketOptions.SO_SNDBUF, sendBufferSize);
            SelectionKey accept = accepted.register(loop.selector, SelectionKey.OP_READ);
            long id = loop.common.nextId.getAndIncrement();
            loop.log.accepted(id, accepted.getRemoteAddress());
            accept.attach(new Connection(loop, accepted, accept, id));
            // the client may be gone already, or this loop ended
        } catch (Throwable t) {
            loop.log.acceptFailed(t);
            try { accepted.close(); } catch (IOException e) { loop.log.acceptFailed(e); }
            loop.closed();
        }
    }

    private void pause(boolean on) {
        loop.paused = on;
        if (key.isValid()) key.interestOps(on ? 0 : SelectionKey.OP_ACCEPT);
        if (!failing && on) loop.log.acceptPaused(loop.open.get());
        if (!failing && !on) loop.log.acceptResumed(loop.open.get());
    }

    @Override void onDeadline() { resume(); }

    /** A descriptor or a place may be free now; it is at the latest at the next select, which comes first. */
    void resume() { if (loop.paused && key.isValid()) pause(false); }

    /**
     * Ends listening. Who is in the kernel's queue when the descriptor is closed gets a reset: they are let
     * in until it is empty. A registered channel would be closed only at the next select, so it is not one.
     */
    void leave() throws IOException {
        loop.scheduler.cancel(this);
        key.cancel();
        loop.selector.selectNow(ready -> { });
        while (listens && accept(true)) { }
        channel.close();
    }
}
