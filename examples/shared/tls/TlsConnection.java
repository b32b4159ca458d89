package tls;

import static java.nio.channels.SelectionKey.OP_CONNECT;
import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;

/**
 * A client and its connection to the server, between which bytes are passed on in both directions. All of it
 * is for the front's thread, but for the engine while the worker has it, and {@link #complete}.
 * <pre>
 *   HANDSHAKE -> OPEN    the handshake is complete: the server is connected to, and gets the PROXY header
 *   HANDSHAKE -> ENDING  the handshake has failed: the client gets an alert
 *   OPEN      -> ENDING  the server has ended, or the client in TLS 1.2, or the client breaks a rule
 *   ENDING    -> CLOSED  the client has all, and has ended, too; or has had its time
 *   any       -> CLOSED  a side is reset, the client ends without close_notify, a deadline, the front ends
 * </pre>
 * What one side does not take is kept, and until it is taken no more is read of the other. So no more is kept
 * for each direction than {@link Buffers} hold, less than 64 KiB, and of an idle connection nothing.
 */
final class TlsConnection {

    private enum State { HANDSHAKE, OPEN, ENDING, CLOSED }

    /** How long after our end a client may be silent, and may send: as long as one of the server's own. */
    private static final long MAX_SILENCE = TimeUnit.SECONDS.toNanos(5);
    private static final long MAX_LINGER = TimeUnit.SECONDS.toNanos(30);

    /** How many records, or steps of the handshake, a turn takes. */
    private static final int MAX_STEPS = 64;

    private final FrontLoop loop;
    private final SocketChannel client;
    private final SelectionKey clientKey;
    private final InetSocketAddress address;

    /** The client's address as the server's events have it. */
    private final String name;

    private State state = State.HANDSHAKE;
    private SSLEngine engine;
    private SocketChannel server;
    private SelectionKey serverKey;

    /** What has come of the client and is not decrypted: a part of a record, or more if it has to wait. */
    private ByteBuffer received = Outlet.NONE;

    private final Outlet toClient;
    private Outlet toServer;

    /** Whether the worker has the engine, or makes it. */
    private boolean working;

    /** Whether nothing can be done before more has come of the client. */
    private boolean starved;

    /** Whether the client has ended its side by close_notify, and its TCP connection; and whether we have. */
    private boolean clientEnded, clientGone, outputEnded;

    /** Whether close_notify, or an alert, is still to be sent. */
    private boolean notifies;

    /** Whether the last answer that the server logged was complete. Set by the server's threads. */
    volatile boolean complete = true;

    /** When it is closed if nothing else happens; and the latest time to which that may be moved. */
    private long deadline, lastDeadline;

    TlsConnection(FrontLoop loop, SocketChannel client, SelectionKey key) throws IOException {
        this.loop = loop;
        this.client = client;
        clientKey = key;
        toClient = new Outlet(client, Outlet.NONE);
        address = (InetSocketAddress) client.getRemoteAddress();
        name = ProxyHeaders.name(address);
        limit(loop.handshakeNanos);
    }

    /** Has the worker make the engine. */
    void begin() {
        try {
            work(() -> engine = loop.certificates.engine(address));
        } catch (Throwable t) {
            fail(t);
        }
    }

    /** What was agreed with the client; from any thread, when the handshake is complete. */
    SSLSession session() {
        return engine.getSession();
    }

    private void limit(long nanos) {
        deadline = System.nanoTime() + nanos;
        loop.timed.add(this);
    }

    boolean isInHandshake() {
        return state == State.HANDSHAKE;
    }

    /** Does what can be done, and sets what is waited for. Any failure ends this connection only. */
    void turn(SelectionKey ready) {
        if (state == State.CLOSED) {
            return;
        }
        try {
            int operations = ready == null ? 0 : ready.readyOps();
            boolean readable = ready == clientKey && (operations & OP_READ) != 0;
            if ((operations & OP_CONNECT) != 0) {
                server.finishConnect();
            }
            if (state == State.ENDING) {
                finish(readable);
            } else if (!working) {
                receive(readable);
                send(ready == serverKey && (operations & OP_READ) != 0);
            }
            settle();
        } catch (Throwable t) {
            fail(t);
        }
    }

    private void settle() {
        if (state == State.CLOSED) {
            return;
        }
        boolean reads = state == State.ENDING ? !clientGone : starved && !working && !clientEnded;
        watch(clientKey, (reads ? OP_READ : 0) | (toClient.isEmpty() ? 0 : OP_WRITE));
        if (state == State.OPEN && server.isConnected()) {
            watch(serverKey, (toClient.isEmpty() ? OP_READ : 0) | (toServer.isEmpty() ? 0 : OP_WRITE));
        } else if (state == State.OPEN) {
            watch(serverKey, OP_CONNECT);
        }
    }

    private static void watch(SelectionKey key, int wanted) {
        if (key.interestOps() != wanted) {
            key.interestOps(wanted);
        }
    }

    /** Decrypts what has come of the client, and passes it on. */
    private void receive(boolean readable) throws IOException {
        if (clientEnded || starved && !readable) {
            return;
        }
        ByteBuffer in = loop.buffers.received.clear().put(received);
        boolean ended = readable && client.read(in) < 0;
        in.flip();
        starved = false;
        int steps = 0;
        while (decrypt(in)) {
            steps++;
            if (steps == MAX_STEPS) {
                // a client with tiny records, or new keys for each, must not hold up the others
                loop.execute(() -> turn(null));
                break;
            }
        }
        received = state == State.HANDSHAKE || state == State.OPEN ? Outlet.rest(in) : Outlet.NONE;
        if (ended && starved) {
            // truncated (RFC 8446 §6.1): what has come may be a part of what was meant
            throw new EOFException("the client has ended the connection without close_notify");
        }
    }

    /** Takes a step; false if nothing more can be done now. */
    private boolean decrypt(ByteBuffer in) throws IOException {
        HandshakeStatus status = engine.getHandshakeStatus();
        if (status == HandshakeStatus.NEED_TASK) {
            // in TLS 1.3 there is none (RFC 8446 §4.1.2), in TLS 1.2 it may be refused (RFC 5746 §4.4)
            refuse(state == State.OPEN, "renegotiation is refused");
            work(this::runTasks);
            return false;
        }
        if (status == HandshakeStatus.NEED_WRAP) {
            return encrypt(Outlet.NONE);
        }
        if (state == State.HANDSHAKE && status == HandshakeStatus.NOT_HANDSHAKING) {
            connect();
        }
        if (state == State.OPEN && !toServer.offer(Outlet.NONE)) {
            return false;
        }
        ByteBuffer out = loop.buffers.decrypted.clear();
        SSLEngineResult result = engine.unwrap(in, out);
        return switch (result.getStatus()) {
            case OK -> state == State.HANDSHAKE || toServer.offer(out.flip());
            case BUFFER_UNDERFLOW -> {
                starved = true;
                yield false;
            }
            case CLOSED -> endInput();
            // the buffer takes the largest record that the engine takes
            case BUFFER_OVERFLOW -> throw new SSLException("a record is too large");
        };
    }

    private static void refuse(boolean wrong, String why) throws SSLException {
        if (wrong) {
            throw new SSLException(why);
        }
    }

    /**
     * The client has sent close_notify. In TLS 1.3 that ends its side alone (RFC 8446 §6.1); before, both
     * have to end at once (RFC 5246 §7.2.1), and the engine has done so.
     */
    private boolean endInput() throws IOException {
        clientEnded = true;
        if (state == State.HANDSHAKE || engine.isOutboundDone()
                || engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
            end(true);
        } else {
            server.shutdownOutput();
        }
        return false;
    }

    /** Connects to the server, which learns who the client is before all else. */
    private void connect() throws IOException {
        if (loop.log.open.putIfAbsent(name, this) != null) {
            throw new IOException("a connection of this address is open, to another address of this machine");
        }
        state = State.OPEN;
        loop.timed.remove(this);
        server = loop.connect();
        serverKey = server.register(loop.selector, 0, this);
        var local = (InetSocketAddress) client.getLocalAddress();
        toServer = new Outlet(server, ProxyHeaders.of(address, local));
    }

    /** Encrypts what has come of the server, and sends it. */
    private void send(boolean readable) throws IOException {
        if (!toClient.flush() || state != State.OPEN || working || !readable) {
            return;
        }
        ByteBuffer in = loop.buffers.sent.clear();
        int count;
        try {
            count = server.read(in);
        } catch (IOException e) {
            // a Unix domain socket that is closed with unread input: all that was sent before has been read
            complete &= loop.isUnix();
            count = -1;
        }
        if (count < 0) {
            end(complete);
        } else {
            encrypt(in.flip());
        }
    }

    /** Encrypts all of that, or what the engine has to say, and sends it; false if the socket is full. */
    private boolean encrypt(ByteBuffer plain) throws IOException {
        if (!toClient.flush()) {
            return false;
        }
        ByteBuffer out = loop.buffers.encrypted.clear();
        SSLEngineResult result;
        do {
            result = engine.wrap(plain, out);
        } while (result.bytesProduced() > 0
                && (plain.hasRemaining() || engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP));
        refuse(plain.hasRemaining(), "what the server has sent cannot be encrypted");
        return toClient.write(out.flip());
    }

    /**
     * Begins the end, of which the server has no part any more. What is encrypted is still sent. Without
     * close_notify after it the client knows that there should be more (RFC 9112 §9.8).
     */
    private void end(boolean whole) throws IOException {
        if (whole) {
            engine.closeOutbound();
        } else {
            loop.log.report("tls_cut", address, new IOException("the server has ended in an answer"));
        }
        beginEnd(whole);
    }

    private void beginEnd(boolean notice) throws IOException {
        state = State.ENDING;
        closeServer();
        notifies = notice;
        limit(loop.flushNanos);
        finish(false);
    }

    /**
     * Sends the rest, ends our side, and drops what still comes: to close a socket with unread input resets
     * it, and the end of the answer may be lost (RFC 9112 §9.6).
     */
    private void finish(boolean readable) throws IOException {
        int count = readable ? client.read(loop.buffers.received.clear()) : 0;
        clientGone |= count < 0;
        boolean sent = toClient.flush();
        if (sent && notifies) {
            notifies = false;
            sent = encrypt(Outlet.NONE);
        }
        if (sent && !outputEnded) {
            outputEnded = true;
            client.shutdownOutput();
            limit(loop.lingers(MAX_SILENCE));
            lastDeadline = System.nanoTime() + loop.lingers(MAX_LINGER);
        }
        if (outputEnded && clientGone) {
            close();
        } else if (outputEnded && count > 0) {
            long later = System.nanoTime() + MAX_SILENCE;
            deadline = later - lastDeadline < 0 ? later : lastDeadline;
        }
    }

    private void runTasks() {
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            task.run();
        }
    }

    /** Has the worker do what takes long. */
    private void work(FrontLoop.Work task) {
        working = true;
        loop.work(() -> {
            // not for one that has been closed since
            if (client.isOpen()) {
                task.run();
            }
        }, failure -> {
            working = false;
            if (failure == null) {
                turn(null);
            } else {
                fail(failure);
            }
        });
    }

    void checkDeadline(long now) {
        if (now - deadline < 0) {
            return;
        }
        if (state == State.HANDSHAKE) {
            loop.log.report("tls_error", address, new SocketTimeoutException("no handshake in time"));
        }
        close();
    }

    /** A fault of TLS is told to the client by an alert, which the engine has ready (RFC 8446 §6.2). */
    private void fail(Throwable cause) {
        boolean passing = state == State.HANDSHAKE || state == State.OPEN;
        if (passing) {
            loop.log.report("tls_error", address, cause);
        }
        try {
            if (passing && !working && cause instanceof SSLException) {
                beginEnd(engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP);
                settle();
                return;
            }
        } catch (Throwable t) {
            // the alert cannot be sent
        }
        close();
    }

    private void closeServer() {
        loop.log.open.remove(name, this);
        if (server != null) {
            FrontLoop.close(server);
        }
    }

    void close() {
        state = State.CLOSED;
        closeServer();
        FrontLoop.close(client);
        loop.closed(this);
    }
}
