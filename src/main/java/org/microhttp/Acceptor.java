package org.microhttp;

import static java.net.StandardSocketOptions.*;
import static org.microhttp.Event.*;

import java.io.IOException;
import java.net.*;
import java.nio.channels.*;
import java.nio.file.*;
import java.util.List;
import org.microhttp.protocol.TrustedNetwork;

/**
 * Listens at the port or the Unix domain socket, accepts connections and registers them.
 * <p>
 * <b>From the kernel's queue to the first byte</b>: {@link #onReady} takes a place and accepts. The loop with
 * the fewest connections counts the new one, and gets it by a task if it is another loop. {@link #admit} sets
 * the socket's options, registers it with the selector for reading, and makes a {@link Connection}, whose
 * deadline runs from then on. When bytes arrive, the connection takes its first turn.
 * <p>
 * <b>Accepting pauses</b> for one of two reasons. If no place is left, it pauses until there is one. If an
 * accept has failed, for lack of descriptors for example, it pauses until a connection of the group closes,
 * or for 100 ms. So a failed accept neither ends the loop nor makes it spin. Only the loop's thread decides
 * to pause and to go on, by the numbers of places left and of connections closed, see {@link #canGoOn}.
 * Another thread changes these numbers, then checks whether this loop can go on, and wakes it if it is
 * asleep. The loop sets {@code paused}, then {@code asleep}, before it reads the numbers; so no wake-up is
 * missed. (A close by another loop between a failed accept and the pause does not count.)
 */
final class Acceptor implements AutoCloseable, LoopContext.Door {

    private static final String NOT_FREE = "the listener is closed, not bound, or of another server; allowed:"
            + " one that is bound, for one server";

    private static final int MAX_ACCEPTS_PER_TURN = 64;

    /** The longest pause after a failed accept. */
    private static final long RETRY_NANOS = 100_000_000L;

    private final LoopContext context;
    private final Selector selector;
    private final ServerSocketChannel channel;
    private final SelectionKey key;
    private final int sendBufferSize;

    /** The networks that clients may connect from; null for any. */
    private final List<TrustedNetwork> trusted;

    /** The file of the Unix domain socket that this server has bound; else null. */
    private Path file;

    /** Distinguishes the file from a later one of the same name. */
    private Object fileKey;

    /** The address listened on; null if this loop does not listen. */
    SocketAddress address;

    /** Whether the channel was bound before, so another process may still listen when this server ends. */
    private final boolean given;

    private volatile boolean paused;

    /** How many connections had been closed when it paused; when it tries again after a failed accept. */
    private long closedBefore, retryAt;

    /** Whether the last accept that had something to do failed. Of failures in a row the first is logged. */
    boolean failing;

    /** How many accepts in a row have failed. */
    private int failures;

    /** How many clients the kernel's queue may hold when a graceful stop begins, and how many are left. */
    private long mayWait;

    /**
     * Registers the channel with the loop's selector, then binds: if binding fails, the channel is closed
     * with the others of the selector.
     *
     * @param address null if the loop only serves connections that other loops accept
     */
    Acceptor(LoopContext context, Selector selector, Options options, SocketAddress address)
            throws IOException {
        this.context = context;
        this.selector = selector;
        sendBufferSize = options.sendBufferSize();
        trusted = options.proxyProtocol()
                ? options.trustedProxies().stream().map(TrustedNetwork::parse).toList() : null;
        boolean unix = address instanceof UnixDomainSocketAddress;
        if (unix) checkNames();
        given = options.listener() != null && address != null;
        channel = given ? options.listener() : open(unix);
        context.door = this;
        channel.configureBlocking(false);
        key = GroupContext.register(channel, selector, this);
        if (key == null) throw new IOException(NOT_FREE);
        if (address == null) return;
        // connections inherit the size; a window above 64 KiB can only be agreed on when they are made
        if (options.receiveBufferSize() > 0) channel.setOption(SO_RCVBUF, options.receiveBufferSize());
        if (!given) {
            // Java's own default of 50 drops the bursts of connections that a proxy opens
            int backlog = options.acceptLength() == 0 ? 1024 : options.acceptLength();
            if (!unix) set(SO_REUSEADDR, options.reuseAddr());
            // the second loop of a group listens where the first does
            set(SO_REUSEPORT, options.reusePort() || context.group.loops.length > 0);
            bind(address, backlog);
            // Linux lets one client more wait
            mayWait = backlog + 1L;
        }
        this.address = channel.getLocalAddress();
        context.log.report(LISTEN, this.address);
        rearm();
    }

    /**
     * Refuses a locale in which a client could stop the server. A client may bind its own socket to a name of
     * any bytes. The JDK's accept decodes the name by the default charset, and encodes it as a path by the
     * locale's charset. Where this fails, the connection and its descriptor are lost.
     */
    private static void checkNames() throws IOException {
        try {
            for (byte b = -128; b < 0; b++) {
                // a byte that cannot be decoded becomes U+FFFD, which is a path in UTF-8
                UnixDomainSocketAddress.of(new String(new byte[] {b}));
            }
        } catch (IllegalArgumentException e) {
            throw new IOException("at a Unix domain socket in this locale, a client with a name that is not"
                    + " ASCII could stop the server; allowed: a locale of UTF-8, as by LC_ALL=C.UTF-8", e);
        }
    }

    private static ServerSocketChannel open(boolean unix) throws IOException {
        return unix ? ServerSocketChannel.open(StandardProtocolFamily.UNIX) : ServerSocketChannel.open();
    }

    private static SocketAddress addressOf(ServerSocketChannel listener) throws IOException {
        boolean free = listener.isOpen() && !listener.isRegistered();
        SocketAddress address = free ? listener.getLocalAddress() : null;
        if (address != null) return address;
        throw new IOException(NOT_FREE);
    }

    /** Returns the address of the options; asks a name service if they have a name. */
    static SocketAddress resolve(Options options) throws IOException {
        if (options.listener() != null) return addressOf(options.listener());
        if (options.unixSocket() != null) return UnixDomainSocketAddress.of(options.unixSocket());
        if (options.host() == null) return new InetSocketAddress(options.port());
        return new InetSocketAddress(options.host(), options.port());
    }

    /** Sets an option if the platform has it for this kind of socket, and returns whether it has. */
    private boolean set(SocketOption<Boolean> option, boolean on) throws IOException {
        try {
            channel.setOption(option, on);
            return true;
        } catch (UnsupportedOperationException e) {
            if (on) context.log.report(OPTION_SKIPPED, option);
            return false;
        }
    }

    private void bind(SocketAddress address, int backlog) throws IOException {
        try {
            if (address instanceof UnixDomainSocketAddress unix) removeStale(unix);
            channel.bind(address, backlog);
            if (file != null) fileKey = attribute("fileKey");
        } catch (IOException | IllegalArgumentException e) {
            String why = e instanceof SocketException ? e.getMessage() : "" + e;
            throw new IOException("cannot listen on " + address + ": " + why, e);
        }
    }

    /**
     * Removes the socket file of a server that has ended without closing it, because the file would keep this
     * server from binding. A file at which a server listens stays, and so does any other file.
     */
    private void removeStale(UnixDomainSocketAddress address) throws IOException {
        file = address.getPath();
        try (var probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            // a full queue must not block this thread
            probe.configureBlocking(false);
            // connect only to a socket, file type 12, because any other file refuses a connect, too
            if ((int) attribute("unix:mode") >> 12 == 12) probe.connect(address);
        } catch (ConnectException e) {
            Files.delete(file);
        } catch (NoSuchFileException e) {
            // there is no file
        }
    }

    private Object attribute(String name) throws IOException {
        return Files.getAttribute(file, name, LinkOption.NOFOLLOW_LINKS);
    }

    /** Removes the file, if it is still this server's. */
    private void deleteFile() {
        try {
            if (file != null && attribute("fileKey").equals(fileKey)) Files.delete(file);
        } catch (Throwable t) {
            // the file is gone already, or stays for the next server
        }
        file = null;
    }

    /** Allows other loops to listen at this port, and returns its address; null if that is impossible. */
    SocketAddress share() throws IOException {
        return !given && address instanceof InetSocketAddress && set(SO_REUSEPORT, true) ? address : null;
    }

    /** Throws if the owner of a given channel has closed it, because then nobody would be accepted. */
    void checkOpen() throws IOException {
        if (!channel.isOpen()) throw new ClosedChannelException();
    }

    /** Says whether a graceful stop still has to accept clients and to close the port. */
    boolean mustDrain() { return channel.isOpen() && !given; }

    /** Closes the port. Clients in the kernel's queue are reset, unless another process listens there. */
    @Override
    public void close() {
        deleteFile();
        ClientSocket.close(channel, key);
    }

    /**
     * Accepts waiting clients, a bounded number. In a graceful stop, it accepts no more than the kernel's
     * queue may hold, then closes the port. A given port stays open until the loop ends: clients in its queue
     * may be its owner's, and Java's close of an inherited one redirects standard output to /dev/null.
     */
    void onReady() {
        long most = context.end.leaving ? Math.min(mayWait, MAX_ACCEPTS_PER_TURN) : MAX_ACCEPTS_PER_TURN;
        int count = 0;
        while (count < most && !context.checkStop() && acceptOne()) {
            count++;
        }
        if (!context.end.leaving) return;
        mayWait -= count;
        if (count < MAX_ACCEPTS_PER_TURN && !paused && !given) close();
    }

    /** Accepts a client; false if there is none, or accepting pauses. True after a failure of one client. */
    private boolean acceptOne() {
        GroupContext group = context.group;
        if (!group.connections.tryTake(1)) {
            failing = false;
            pause();
            context.log.report(ACCEPT_PAUSE, context.connectionCount.get());
            return false;
        }
        SocketChannel accepted = null;
        try {
            accepted = channel.accept();
        } catch (Throwable t) {
            if (!failing) context.log.report(ACCEPT_ERROR, t);
            failing = true;
            failures++;
            // any other failure may concern one client only, so the next accept is tried at once, but not so
            // many times
            boolean strange = !(t instanceof IOException);
            if (strange && failures <= MAX_ACCEPTS_PER_TURN) return true;
            pause();
        } finally {
            if (accepted == null) group.releaseConnection();
        }
        if (accepted == null) return false;
        failing = false;
        failures = 0;
        handOver(accepted, group.placeConnection(context));
        return true;
    }

    /** Has a loop that counts the connection already admit it, on the loop's thread. */
    private void handOver(SocketChannel accepted, LoopContext target) {
        LoopContext.Door there = target.door;
        try {
            // if that loop has ended, this thread turns the connection away
            if (target == context || !target.tasks.add(() -> there.admit(accepted))) there.admit(accepted);
        } catch (Throwable t) {
            there.turnAway(accepted, ACCEPT_ERROR, t);
        }
    }

    /** Registers a connection that this loop or another has accepted. */
    @Override
    public void admit(SocketChannel accepted) {
        Connection connection;
        try {
            accepted.configureBlocking(false);
            if (accepted.getRemoteAddress() instanceof InetSocketAddress client) {
                if (trusted != null && trusted.stream().noneMatch(network -> network.has(client))) {
                    turnAway(accepted, UNTRUSTED, client);
                    return;
                }
                // without this the second part of an answer would wait 40 ms for a delayed acknowledgement
                accepted.setOption(TCP_NODELAY, true);
            }
            if (sendBufferSize > 0) accepted.setOption(SO_SNDBUF, sendBufferSize);
            SelectionKey key = accepted.register(selector, SelectionKey.OP_READ);
            connection = new Connection(context, accepted, key);
            key.attach(connection);
        } catch (Throwable t) {
            // this loop may have ended; on some systems no option can be set if the client has gone
            turnAway(accepted, ACCEPT_ERROR, t);
            return;
        }
        // from here on the connection itself releases its place
        context.counters.add(Counters.ACCEPTED, 1);
        context.log.report(ACCEPT, connection.socket.id, connection.client());
    }

    @Override
    public void turnAway(SocketChannel accepted, Event event, Object why) {
        // it was closed by an earlier attempt, which then failed
        if (!accepted.isOpen()) return;
        ClientSocket.close(accepted, accepted.keyFor(selector));
        context.connectionClosed();
        context.log.report(event, why);
    }

    private void pause() {
        closedBefore = context.group.closed.get();
        retryAt = context.clock.now() + RETRY_NANOS;
        paused = true;
        rearm();
    }

    /** Has the selector watch the port, unless accepting pauses, even if a failed select has lost that. */
    void rearm() {
        if (!key.isValid()) return;
        int wanted = address == null || paused ? 0 : SelectionKey.OP_ACCEPT;
        // setting the same interest again would do nothing
        key.interestOps(SelectionKey.OP_ACCEPT - wanted);
        key.interestOps(wanted);
    }

    /** A pause ends when a place is free; after a failed accept, when a connection has closed. */
    @Override
    public boolean canGoOn() {
        GroupContext group = context.group;
        if (!paused) return false;
        return failing ? group.closed.get() != closedBefore : group.connections.left() > 0;
    }

    /** Returns for how many nanoseconds {@link #onTurn} has nothing to do, 0 or more. */
    long nanosToNext(long now) {
        if (canGoOn() || !paused && context.end.leaving && mustDrain()) return 0;
        return paused && failing ? Math.max(0, retryAt - now) : Long.MAX_VALUE;
    }

    /**
     * Goes on when a pause is over, and in a graceful stop while time is left. It is called after each
     * select, which at the latest has closed the descriptors of connections that this loop closed before.
     */
    void onTurn(long now) {
        if (nanosToNext(now) > 0) return;
        if (paused && !failing) context.log.report(ACCEPT_RESUME, context.connectionCount.get());
        paused = false;
        rearm();
        if (context.end.leaving && now - context.end.until < 0) onReady();
    }

    /**
     * Begins a graceful stop. Closing the port resets the clients in the kernel's queue, so they are accepted
     * first. The port is deregistered, because the close of a registered port waits for the next select.
     */
    void leave() throws IOException {
        deleteFile();
        key.cancel();
        selector.selectNow();
        // clients that wait now are accepted even if no time is left
        if (!paused) onReady();
    }
}
