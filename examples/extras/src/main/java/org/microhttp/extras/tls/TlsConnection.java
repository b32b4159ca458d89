package org.microhttp.extras.tls;

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
import java.util.List;
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
 *   HANDSHAKE -> OPEN    the handshake is complete: the server is connected to, unless it was when the front
 *                        began to leave, and gets the PROXY header
 *   HANDSHAKE -> ENDING  the handshake has failed: the client gets an alert
 *   OPEN      -> ENDING  the server has ended, or the client in TLS 1.2, or the client breaks a rule
 *   ENDING    -> CLOSED  the client has all, and has ended, too; or has had its time
 *   any       -> CLOSED  a side is reset, the client ends without close_notify, a deadline, the front ends
 * </pre>
 * What one side does not take is kept, and until it is taken no more is read of the other. So no more is kept
 * for each direction than {@link Buffers} hold, less than 64 KiB, and of an idle connection nothing. A {@link
 * Sum} bounds what all connections keep; in it a handshake counts with all that its engine keeps.
 */
final class TlsConnection {

    private enum State { HANDSHAKE, OPEN, ENDING, CLOSED }

    /** How long after our end a client may be silent, and may send: as long as one of the server's own. */
    private static final long MAX_SILENCE = TimeUnit.SECONDS.toNanos(5);
    private static final long MAX_LINGER = TimeUnit.SECONDS.toNanos(30);

    /** How many records, or steps of the handshake, a turn takes; one without data, as new keys, is dear. */
    private static final int MAX_STEPS = 16, WITHOUT_DATA = 4;

    /** How many records in a row may have no data. BoringSSL takes as many; a client needs one or two. */
    private static final int MAX_WITHOUT_DATA = 32;

    /** What a client costs as long as it is silent, and what the engine adds; both are measured. */
    private static final int SOCKET_BYTES = 2 * 1024, ENGINE_BYTES = 8 * 1024;

    /** How often the engine keeps what a handshake brings, with what it makes of certificates. */
    private static final int COPIES = 4;

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

    /** What the worker does with the engine, or to make it, or what waits for the worker; else null. */
    private Runnable job;

    /** How many records have had no data since the handshake, or since the last that had. */
    private int withoutData;

    /** What has come in the handshake; what this connection keeps, and the sum in which that is counted. */
    private long handshakeBytes, counted;
    private Sum sum;

    /** Whether nothing can be done before more has come of the client; whether it was sent anything. */
    private boolean starved = true, answered;

    /** Whether the client has ended its side by close_notify, and its TCP connection; and whether we have. */
    private boolean clientEnded, clientGone, outputEnded;

    /** Whether close_notify, or an alert, is still to be sent. */
    private boolean notifies;

    /** Whether the last answer that the server logged was complete. Set by the server's threads. */
    volatile boolean complete = true;

    /** Whether another connection has or had the same name, to which the server's event may belong. */
    private volatile boolean ambiguous;

    /** When it is closed if nothing else happens; and the latest time to which that may be moved. */
    private long deadline, lastDeadline;

    TlsConnection(FrontLoop loop, SocketChannel client, SelectionKey key) throws IOException {
        this.loop = loop;
        this.client = client;
        clientKey = key;
        toClient = new Outlet(client, Outlet.NONE);
        address = (InetSocketAddress) client.getRemoteAddress();
        name = ProxyHeaders.name(address);
        sum = loop.handshakes;
        limit(loop.handshakeNanos);
    }

    /** What was agreed with the client, null if it may be another; from any thread after the handshake. */
    SSLSession session() {
        return ambiguous ? null : engine.getSession();
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
            } else {
                receive(readable);
                send(ready == serverKey && (operations & OP_READ) != 0);
            }
            settle();
        } catch (Throwable t) {
            fail(t);
        }
    }

    private void settle() throws IOException {
        if (state != State.CLOSED) {
            count();
        }
        if (state == State.CLOSED) {
            return;
        }
        boolean reads = state == State.ENDING || (job == null ? starved : mayReadAhead()) && !clientEnded;
        watch(clientKey, (reads && !clientGone ? OP_READ : 0) | (toClient.isEmpty() ? 0 : OP_WRITE));
        if (state == State.OPEN && server.isConnected()) {
            watch(serverKey, (toClient.isEmpty() ? OP_READ : 0) | (toServer.isEmpty() ? 0 : OP_WRITE));
        } else if (state == State.OPEN) {
            watch(serverKey, OP_CONNECT);
        }
    }

    /** A client that leaves before its answer is noticed, so that the worker does nothing for it. */
    private boolean mayReadAhead() {
        return state == State.HANDSHAKE && received.remaining() < loop.buffers.received.capacity();
    }

    /** Counts what is kept now. If that is too much in sum, the oldest handshakes end, or this connection. */
    private void count() throws IOException {
        long now = received.remaining() + toClient.size() + (toServer == null ? 0 : toServer.size());
        if (state == State.HANDSHAKE) {
            now += SOCKET_BYTES + (handshakeBytes == 0 ? 0 : ENGINE_BYTES + COPIES * handshakeBytes);
        }
        boolean fits = countIn(state == State.HANDSHAKE ? loop.handshakes : loop.others, now);
        if (state == State.HANDSHAKE && !fits) {
            loop.dropHandshakes();
        } else if (!fits) {
            throw new IOException(Sum.FULL);
        }
    }

    private boolean countIn(Sum next, long bytes) {
        sum.add(-counted);
        long more = sum == next ? bytes - counted : bytes;
        sum = next;
        counted = bytes;
        return sum.add(bytes) || more <= 0;
    }

    private static void watch(SelectionKey key, int wanted) {
        if (key.interestOps() != wanted) {
            key.interestOps(wanted);
        }
    }

    /** Decrypts what has come of the client, and passes it on. */
    private void receive(boolean readable) throws IOException {
        boolean waits = starved || job != null;
        if (clientEnded || waits && !readable) {
            return;
        }
        ByteBuffer in = read(readable);
        checkTruncated(!answered);
        if (job != null) {
            received = Outlet.rest(in);
            return;
        }
        starved = false;
        int steps = 0;
        while (decrypt(in)) {
            steps += withoutData > 0 ? WITHOUT_DATA : 1;
            if (steps >= MAX_STEPS) {
                // a client with tiny records, or new keys for each, must not hold up the others
                loop.execute(() -> turn(null));
                break;
            }
        }
        received = state == State.HANDSHAKE || state == State.OPEN ? Outlet.rest(in) : Outlet.NONE;
        checkTruncated(starved);
    }

    /** What was kept, and after it what comes of the client now. */
    private ByteBuffer read(boolean readable) throws IOException {
        ByteBuffer in = loop.buffers.received.clear().put(received);
        int before = in.position();
        if (readable) {
            clientGone = client.read(in) < 0;
        }
        if (readable && state == State.HANDSHAKE) {
            // it may have left already, after its last byte
            clientGone |= in.hasRemaining() && client.read(in) < 0;
            handshakeBytes += in.position() - before;
        }
        return in.flip();
    }

    /** Truncated (RFC 8446 §6.1): what has come may be a part of what was meant. */
    private void checkTruncated(boolean isAll) throws EOFException {
        if (clientGone && isAll && !clientEnded) {
            throw new EOFException("the client has ended the connection without close_notify");
        }
    }

    /** Takes a step; false if nothing more can be done now. */
    private boolean decrypt(ByteBuffer in) throws IOException {
        if (engine == null) {
            if (in.hasRemaining()) {
                work(() -> engine = loop.certificates.engine(address));
            } else {
                starved = true;
            }
            return false;
        }
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
            open();
        }
        if (state == State.OPEN && !toServer.offer(Outlet.NONE)) {
            return false;
        }
        return unwrap(in);
    }

    /** Takes a record to the server; false if nothing more can be done now. */
    private boolean unwrap(ByteBuffer in) throws IOException {
        ByteBuffer out = loop.buffers.decrypted.clear();
        SSLEngineResult result = engine.unwrap(in, out);
        return switch (result.getStatus()) {
            case OK -> state == State.HANDSHAKE || pass(out.flip());
            case BUFFER_UNDERFLOW -> {
                starved = true;
                yield false;
            }
            case CLOSED -> endInput();
            // the buffer takes the largest record that the engine takes
            case BUFFER_OVERFLOW -> throw new SSLException("a record is too large");
        };
    }

    private boolean pass(ByteBuffer plain) throws IOException {
        if (plain.hasRemaining()) {
            loop.silent.remove(this);
            withoutData = 0;
        } else {
            withoutData++;
            refuse(withoutData > MAX_WITHOUT_DATA, "too many records without data");
        }
        return toServer.offer(plain);
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

    /** What comes of the client is the server's from now on. */
    private void open() throws IOException {
        List<TlsConnection> same = loop.log.add(name, this);
        if (same.size() > 1) {
            same.forEach(connection -> connection.ambiguous = true);
        }
        state = State.OPEN;
        loop.timed.remove(this);
        if (server == null) {
            connect();
        }
    }

    /** Connects to the server, which learns who the client is before all else. */
    private void connect() throws IOException {
        server = loop.connect();
        serverKey = server.register(loop.selector, 0, this);
        var local = (InetSocketAddress) client.getLocalAddress();
        toServer = new Outlet(server, ProxyHeaders.of(address, local));
    }

    /** Encrypts what has come of the server, and sends it. */
    private void send(boolean readable) throws IOException {
        if (!toClient.flush() || state != State.OPEN || job != null || !readable) {
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
            end(complete && !ambiguous);
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
        answered |= out.position() > 0;
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
        job = loop.work(engine != null, task, failure -> {
            job = null;
            if (failure == null) {
                turn(null);
            } else {
                fail(failure);
            }
        });
    }

    /** Makes place for a newer client. */
    void drop(String why) {
        loop.log.report("tls_error", address, new IOException("dropped before its first request: " + why));
        close();
    }

    /** The server will accept no more: a handshake that goes on gets its connection now. */
    void connectEarly() {
        try {
            if (state == State.HANDSHAKE) {
                connect();
            }
        } catch (Throwable t) {
            fail(t);
        }
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
            if (passing && job == null && cause instanceof SSLException) {
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
        loop.log.remove(name, this);
        if (server != null) {
            FrontLoop.close(server);
        }
    }

    void close() {
        state = State.CLOSED;
        closeServer();
        FrontLoop.close(client);
        countIn(sum, 0);
        loop.closed(this, job);
    }
}
