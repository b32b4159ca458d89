package org.microhttp;

import static java.net.StandardSocketOptions.*;
import static org.microhttp.Event.*;

import java.io.IOException;
import java.net.*;
import java.nio.channels.*;
import java.util.List;

/**
 * The port: accepts connections and registers them. It stops watching while the group has as many
 * connections as it may, until one closes; and when an accept fails, as it does when the process is out of
 * descriptors, until one closes or a tenth of a second has passed. A failed accept never ends the loop, and
 * never makes it spin.
 * <p>
 * From the kernel's queue to the first byte: {@link #onReady} takes a place and accepts; the loop with the
 * fewest connections counts the new one, and gets it by a task if it is another; {@link #admit} sets its
 * options and registers it with the selector for reading; a {@link Connection} is made, whose deadline runs
 * from then on; when bytes are here it takes its first turn.
 */
final class Acceptor {

    private static final int MAX_ACCEPTS_PER_TURN = 64;

    /** After a failed accept; whoever waits in the kernel's queue waits no longer than this. */
    private static final long RETRY_NANOS = 100_000_000L;

    private final LoopContext loop;
    private final Selector selector;
    private final ServerSocketChannel channel;
    private final SelectionKey key;
    private final int sendBufferSize;

    /** Whose connections are taken at all; null for anybody's. */
    private final List<TrustedNetwork> trusted;

    /** Null if it listens at a port, or not at all. */
    private SocketFile file;

    /** Where it listens; null if it does not. */
    SocketAddress address;
    private final boolean inherited;

    /** For how long it pauses, from when on; less than 0 if it does not. Others may end it, by 0. */
    private volatile long pause = -1;
    private long pausedAt;

    /** Whether it pauses for want of a place. */
    private boolean full;

    /** Whether the last accept failed, so that the first of many failures is logged. */
    boolean failing;

    /** How many may wait in the kernel's queue; when the loop leaves, how many of them are still let in. */
    private int backlog;

    /**
     * Registers with the loop's selector first, so that whoever closes that finds the channel; then binds.
     *
     * @param address null to accept nothing, and take what other loops hand over
     */
    Acceptor(LoopContext loop, Selector selector, Options options, SocketAddress address)
            throws IOException {
        this.loop = loop;
        this.selector = selector;
        sendBufferSize = options.sendBufferSize;
        trusted = options.proxyProtocol
                ? options.trustedProxies.stream().map(TrustedNetwork::of).toList() : null;
        if (address instanceof UnixDomainSocketAddress) checkNames();
        inherited = options.inheritedSocket && address != null;
        channel = inherited ? inherited() : open(address);
        loop.acceptor = this;
        channel.configureBlocking(false);
        key = channel.register(selector, 0, this);
        if (address == null) return;
        // connections inherit it; a window above 64 KiB can only be agreed on when they are made
        if (options.receiveBufferSize > 0) channel.setOption(SO_RCVBUF, options.receiveBufferSize);
        if (!inherited) {
            // Java's own default of 50 drops the bursts of connections that a proxy opens
            backlog = options.acceptLength == 0 ? 1024 : options.acceptLength;
            if (address instanceof InetSocketAddress) set(SO_REUSEADDR, options.reuseAddr);
            // the second loop of a group listens where the first does
            set(SO_REUSEPORT, options.reusePort || loop.group.loops.length > 0);
            bind(address);
        }
        this.address = channel.getLocalAddress();
        loop.log.report(LISTEN, this.address);
        watch(true);
    }

    /**
     * Refuses a locale in which a client could stop the server. A client may bind its own socket to a name of
     * any bytes. The JDK's accept decodes it by the default charset and encodes it as a path, by that of the
     * locale. Where this fails, the connection and its descriptor are lost.
     */
    private static void checkNames() throws IOException {
        try {
            for (byte b = -128; b < 0; b++) {
                // what cannot be decoded becomes U+FFFD, which is a path in UTF-8
                UnixDomainSocketAddress.of(new String(new byte[] {b}));
            }
        } catch (IllegalArgumentException e) {
            throw new IOException("at a Unix domain socket in this locale, a client with a name that is not"
                    + " ASCII could stop the server; allowed: a locale of UTF-8, as by LC_ALL=C.UTF-8", e);
        }
    }

    private static ServerSocketChannel open(SocketAddress address) throws IOException {
        if (!(address instanceof UnixDomainSocketAddress)) return ServerSocketChannel.open();
        return ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    }

    /** The listening socket that this process was started with as its standard input. */
    private static ServerSocketChannel inherited() throws IOException {
        Channel channel = System.inheritedChannel();
        if (channel instanceof ServerSocketChannel open && open.isOpen() && !open.isRegistered()) return open;
        throw new IOException("no listening socket was inherited; allowed: one as standard input");
    }

    /** Where options say to listen; asks a name service if they have a name. */
    static SocketAddress resolve(Options options) throws IOException {
        if (options.inheritedSocket) return inherited().getLocalAddress();
        if (options.unixSocket != null) return UnixDomainSocketAddress.of(options.unixSocket);
        if (options.host == null) return new InetSocketAddress(options.port);
        return new InetSocketAddress(options.host, options.port);
    }

    /** Says whether the platform has the option, for a socket of this kind. */
    private boolean set(SocketOption<Boolean> option, boolean on) throws IOException {
        boolean supported = channel.supportedOptions().contains(option);
        if (supported) {
            channel.setOption(option, on);
        } else if (on) {
            loop.log.report(OPTION_SKIPPED, option);
        }
        return supported;
    }

    private void bind(SocketAddress address) throws IOException {
        try {
            if (address instanceof UnixDomainSocketAddress unix) {
                file = new SocketFile(channel, unix, backlog);
            } else {
                channel.bind(address, backlog);
            }
        } catch (IOException | IllegalArgumentException e) {
            String why = e instanceof SocketException ? e.getMessage() : "" + e;
            throw new IOException("cannot listen on " + address + ": " + why, e);
        }
    }

    /** Lets others listen on the port from now on, and says where; null if the platform lacks that. */
    SocketAddress share() throws IOException {
        return !inherited && address instanceof InetSocketAddress && set(SO_REUSEPORT, true) ? address : null;
    }

    /** Whether somebody may still be let in, when the loop leaves. */
    boolean isOpen() { return channel.isOpen() && !inherited; }

    /** Nobody is let in any more. */
    void close() {
        backlog = 0;
        if (file != null) file.delete();
        ClientSocket.close(channel, key);
    }

    /** Accepts what is waiting, a bounded number. */
    void onReady() { accept(MAX_ACCEPTS_PER_TURN); }

    /** Accepts what is waiting, at most so many, and says how many that was. */
    private int accept(int most) {
        int count = 0;
        while (count < most && !loop.checkStop() && acceptOne()) {
            count++;
        }
        return count;
    }

    /** Accepts one, if there is one and a place for it; false if not. */
    private boolean acceptOne() {
        if (!loop.group.connections.tryTake(1)) {
            pause(Long.MAX_VALUE);
            full = true;
            loop.log.report(ACCEPT_PAUSE, loop.connectionCount.get());
            // one may have come free before others could see that this loop waits
            if (loop.group.connections.left.get() > 0) pause = 0;
            return false;
        }
        SocketChannel accepted = null;
        try {
            accepted = channel.accept();
        } catch (Throwable t) {
            if (!failing) loop.log.report(ACCEPT_ERROR, t);
            failing = true;
            // any other error concerns one client: the next accept may succeed at once
            if (!(t instanceof IOException || t instanceof OutOfMemoryError)) return true;
            pause(RETRY_NANOS);
        } finally {
            if (accepted == null) loop.group.giveBackPlace(false);
        }
        if (accepted == null) return false;
        failing = false;
        LoopContext target = loop.group.placeConnection(loop);
        if (target == loop) {
            admit(accepted);
        } else {
            handOver(accepted, target);
        }
        return true;
    }

    /** Gives a connection to the loop that counts it. If that has ended, the connection is taken at once. */
    private void handOver(SocketChannel accepted, LoopContext target) {
        try {
            if (!target.tasks.add(() -> take(accepted, target))) take(accepted, target);
        } catch (Throwable t) {
            target.acceptor.turnAway(accepted, ACCEPT_ERROR, t);
        }
    }

    /** Has the target admit a connection that this loop accepted. If it was stopped since, this loop does. */
    private void take(SocketChannel accepted, LoopContext target) {
        if (target == loop || !target.stopped) {
            target.acceptor.admit(accepted);
            return;
        }
        loop.connectionCount.incrementAndGet();
        target.connectionCount.decrementAndGet();
        handOver(accepted, loop);
    }

    /** Registers a connection that is counted here already, accepted by this loop or by another. */
    private void admit(SocketChannel accepted) {
        Connection connection;
        try {
            accepted.configureBlocking(false);
            if (accepted.getRemoteAddress() instanceof InetSocketAddress client) {
                if (trusted != null && trusted.stream().noneMatch(network -> network.has(client))) {
                    turnAway(accepted, UNTRUSTED, client);
                    return;
                }
                // without it the second part of an answer would wait 40 ms for a delayed acknowledgement
                accepted.setOption(TCP_NODELAY, true);
            }
            if (sendBufferSize > 0) accepted.setOption(SO_SNDBUF, sendBufferSize);
            SelectionKey key = accepted.register(selector, SelectionKey.OP_READ);
            connection = new Connection(loop, accepted, key);
            key.attach(connection);
        } catch (Throwable t) {
            // the client may be gone already, or this loop ended
            turnAway(accepted, ACCEPT_ERROR, t);
            return;
        }
        loop.counters.add(Counters.ACCEPTED, 1);
        loop.log.report(ACCEPT, connection.socket.id, connection.socket.client);
    }

    /** Closes what is counted here and cannot be a connection; from any thread. */
    private void turnAway(SocketChannel accepted, Event event, Object why) {
        ClientSocket.close(accepted, accepted.keyFor(selector));
        loop.connectionClosed();
        loop.log.report(event, why);
    }

    private void pause(long nanos) {
        pausedAt = loop.now();
        pause = nanos;
        watch(false);
    }

    /** Tells the selector anew what is waited for, which it may have forgotten when it failed. */
    void rearm() {
        watch(false);
        watch(address != null && pause < 0);
    }

    private void watch(boolean on) {
        if (key.isValid()) key.interestOps(on ? SelectionKey.OP_ACCEPT : 0);
    }

    /** Somebody's place has come free, and perhaps a descriptor, too: from any thread, makes no object. */
    void onFree(boolean descriptor) {
        if (pause <= 0 || pause == RETRY_NANOS && !descriptor) return;
        pause = 0;
        loop.tasks.wake();
    }

    /** How long it needs no look: 0 or more nanoseconds. */
    long nanosToRetry(long now) { return pause < 0 ? Long.MAX_VALUE : Math.max(0, pausedAt + pause - now); }

    /**
     * After a select goes on if the pause is over, with a bounded number when the loop leaves. What was
     * closed before has freed its descriptor at the latest in that select.
     */
    void onTurn(long now) {
        if (nanosToRetry(now) > 0) return;
        if (full) loop.log.report(ACCEPT_RESUME, loop.connectionCount.get());
        full = false;
        pause = -1;
        watch(true);
        if (loop.leaving) letIn(now);
    }

    /**
     * Ends listening. Who is in the kernel's queue when the descriptor is closed gets a reset: they are let
     * in first, as many as may wait there, as places allow, and until the loop ends. A registered channel
     * would be closed only at the next select, so it is not one.
     */
    void leave() throws IOException {
        if (file != null) file.delete();
        key.cancel();
        selector.selectNow(ready -> { });
        if (pause < 0) letIn(loop.now());
    }

    private void letIn(long now) {
        int count = loop.nanosLeft(now) == 0 ? 0 : accept(Math.min(backlog, MAX_ACCEPTS_PER_TURN));
        backlog -= count;
        if (pause >= 0) return;
        if (count == MAX_ACCEPTS_PER_TURN) {
            pause(0);
        } else if (!inherited) {
            close();
        }
    }
}
