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
 * A client and its connection to the server; bytes are passed between them in both directions. Only the
 * front's thread uses it, except {@link #complete}, {@link #session}, and the engine while the worker has it.
 * <pre>
 *   HANDSHAKE -> OPEN    the handshake is complete: the front connects to the server, unless it did so when
 *                        its stop began, and sends the PROXY header
 *   HANDSHAKE -> ENDING  the handshake has failed: the client gets an alert
 *   OPEN      -> ENDING  the server has ended, or a client of TLS 1.2, or the client breaks a rule
 *   ENDING    -> CLOSED  the client has read everything and has ended, too; or its time is over
 *   any       -> CLOSED  a side is reset, the client ends without close_notify, a deadline, the front ends
 * </pre>
 * Bytes that one side does not accept are kept, and meanwhile nothing more is read from the other side. So
 * each direction keeps at most what {@link Buffers} hold, less than 64 KiB, and an idle connection nothing. A
 * {@link Sum} limits what all connections keep; a handshake counts with the memory of its engine.
 */
final class TlsConnection {

    private enum State { HANDSHAKE, OPEN, ENDING, CLOSED }

    /** How long, after we have ended our side, a client may be silent, and may go on; as in the server. */
    private static final long MAX_SILENCE = TimeUnit.SECONDS.toNanos(5);
    private static final long MAX_LINGER = TimeUnit.SECONDS.toNanos(30);

    /** Most steps in one turn; a record without data, as with new keys, is costly and counts as several. */
    private static final int MAX_STEPS = 16, WITHOUT_DATA = 4;

    /** How many records in a row may have no data. BoringSSL allows as many; a client needs one or two. */
    private static final int MAX_WITHOUT_DATA = 32;

    /** Measured memory of a client that has sent nothing, and of its engine. */
    private static final int SOCKET_BYTES = 2 * 1024, ENGINE_BYTES = 8 * 1024;

    /** How many times the engine keeps the bytes of a handshake, with the parsed certificates. */
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

    /** Bytes of the client to be decrypted: a part of a record, or more while they have to wait. */
    private ByteBuffer received = Outlet.NONE;

    private final Outlet toClient;
    private Outlet toServer;

    /** The job that makes or uses the engine, in the worker or queued for it; null for none. */
    private Runnable job;

    /** How many records without data have come since the handshake, or since the last record with data. */
    private int withoutData;

    /** Bytes received in the handshake; bytes kept for this connection, and the sum that counts them. */
    private long handshakeBytes, counted;
    private Sum sum;

    /** Whether nothing can be done before the client sends more; whether the client was sent anything. */
    private boolean starved = true, answered;

    /** Whether the client has sent close_notify; whether it, and whether we, have ended the TCP output. */
    private boolean clientEnded, clientGone, outputEnded;

    /** Whether close_notify, or an alert, is still to be sent. */
    private boolean notifies;

    /** Whether the last answer that the server reported was complete. Set by the server's threads. */
    volatile boolean complete = true;

    /** Whether another connection has or had the same name, so that events may belong to that one. */
    private volatile boolean ambiguous;

    /** When this connection is closed if nothing else happens; the latest time to which that may move. */
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

    /** The client's TLS session; null if it may be another client's. For any thread after the handshake. */
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

    /** Does what is possible now, then sets what the keys wait for. A failure ends only this connection. */
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

    /** Says whether to read while the worker is busy: a client that is gone must cause no more work. */
    private boolean mayReadAhead() {
        return state == State.HANDSHAKE && received.remaining() < loop.buffers.received.capacity();
    }

    /** Counts what is kept now. If a sum is exceeded, the oldest handshakes end, or this connection. */
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

    /** Decrypts what the client has sent, and passes it to the server. */
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

    /** Returns the kept bytes, followed by those that the client sends now. */
    private ByteBuffer read(boolean readable) throws IOException {
        ByteBuffer in = loop.buffers.received.clear().put(received);
        int before = in.position();
        if (readable) {
            clientGone = client.read(in) < 0;
        }
        if (readable && state == State.HANDSHAKE) {
            // notices a client that has ended after its last byte
            clientGone |= in.hasRemaining() && client.read(in) < 0;
            handshakeBytes += in.position() - before;
        }
        return in.flip();
    }

    /** RFC 8446 §6.1: an end without close_notify may have cut off data. */
    private void checkTruncated(boolean isAll) throws EOFException {
        if (clientGone && isAll && !clientEnded) {
            throw new EOFException("the client has ended the connection without close_notify");
        }
    }

    /** Does one step; false if nothing more can be done now. */
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
            // TLS 1.3 has no renegotiation (RFC 8446 §4.1.2); in 1.2 a server may refuse it (RFC 5746 §4.4)
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

    /** Decrypts a record and passes it to the server; false if nothing more can be done now. */
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
            // the buffer has space for the largest record that the engine accepts
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
     * The client has sent close_notify. In TLS 1.3 that ends only the client's side (RFC 8446 §6.1); in 1.2
     * both sides end at once (RFC 5246 §7.2.1), and the engine has ended ours.
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

    /** From now on the client's data goes to the server. */
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

    /** Connects to the server, which first gets the client's address. */
    private void connect() throws IOException {
        server = loop.connect();
        serverKey = server.register(loop.selector, 0, this);
        var local = (InetSocketAddress) client.getLocalAddress();
        toServer = new Outlet(server, ProxyHeaders.of(address, local));
    }

    /** Encrypts the server's data and sends it to the client. */
    private void send(boolean readable) throws IOException {
        if (!toClient.flush() || state != State.OPEN || job != null || !readable) {
            return;
        }
        ByteBuffer in = loop.buffers.sent.clear();
        int count;
        try {
            count = server.read(in);
        } catch (IOException e) {
            // if the server closes a Unix domain socket with unread input, its output has been read before
            complete &= loop.isUnix();
            count = -1;
        }
        if (count < 0) {
            end(complete && !ambiguous);
        } else {
            encrypt(in.flip());
        }
    }

    /** Encrypts and sends this, or what the engine itself has to send; false if the socket is full. */
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
     * Closes the connection to the server and begins the end of the client's. What is encrypted is still
     * sent. If no close_notify follows, the client knows that the answer is incomplete (RFC 9112 §9.8).
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
     * Sends the rest, ends our side, and drops further input: closing a socket with unread input resets the
     * connection, and the end of the answer may be lost (RFC 9112 §9.6).
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

    /** Has the worker do a slow task. */
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

    /** Closes this connection in favour of a newer one. */
    void drop(String why) {
        loop.log.report("tls_error", address, new IOException("dropped before its first request: " + why));
        close();
    }

    /** Connects a pending handshake now, because the server will accept no more connections. */
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

    /** Ends this connection; after a TLS error with the alert that the engine has ready (RFC 8446 §6.2). */
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
