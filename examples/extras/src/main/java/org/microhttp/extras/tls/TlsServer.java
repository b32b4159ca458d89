package org.microhttp.extras.tls;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.microhttp.DebugLogger;
import org.microhttp.EventLoopGroup;
import org.microhttp.Handler;
import org.microhttp.Logger;
import org.microhttp.Options;
import org.microhttp.Server;
import org.microhttp.Stats;

/**
 * An HTTPS server in one call:
 * <pre>{@code
 *   TlsSettings tls = TlsSettings.ofPem(Path.of("certificate.pem"), Path.of("key.pem"));
 *   new TlsServer(new Options().withPort(8443), logger, handler, tls).start();
 * }</pre>
 * It consists of an inner server of the library, and a front with two threads. The front accepts clients at
 * the port, passes their decrypted bytes and their addresses to the inner server (PROXY protocol), and
 * encrypts the answers.
 * <p>
 * A request has the TLS session of its client, for example with the client's certificate, as an attribute.
 * The attribute is missing if the client is gone, or has a second connection from the same port to another
 * address of this machine.
 * <pre>{@code
 *   SSLSession session = request.attribute(SSLSession.class);
 *   Certificate client = session.getPeerCertificates()[0];
 * }</pre>
 * <b>Limits</b>, besides the timeouts of {@code Options}:
 * <ul>
 * <li>Connections: {@link Options#withMaxConnections} counts them from the accept to the end, for all loops
 *     together. <b>Without that option at most 1,000 are open</b>, because each takes three descriptors and
 *     11 kB of heap. At the limit a new client replaces the oldest one that has not begun a request. If all
 *     have, new clients wait in the kernel's queue, and {@code accept_pause} is logged. If no descriptor is
 *     left, a quarter of the clients that have not begun a request are dropped, the oldest first.
 * <li>Handshakes: {@link TlsSettings#withHandshakeTimeout}. No work is done for clients that are gone. Under
 *     overload, begun handshakes go first, then the newest.
 * <li>Renegotiation ends the connection, as do more than 32 records in a row without data, such as key
 *     updates.
 * <li>After the inner server has closed a connection, the client has {@code socketTimeout} to read the rest.
 * <li>Memory of a connection: the JDK's state, and up to 34 KiB of input and 40 KiB of output while a record
 *     is incomplete or a side does not read.
 * <li>Memory of all connections, in addition to {@code maxBufferedBytes}: half of that value for handshakes,
 *     and half for the others. At the first limit the oldest handshakes end, at the second the connection
 *     that needs more.
 * <li>Sessions kept for TLS 1.2 clients without tickets: 1,000.
 * </ul>
 * The inner server listens at a Unix domain socket in a folder that no other user may enter. The folder is
 * in {@code java.io.tmpdir}, or in {@code /tmp} if that is not possible. If the folder is removed, another
 * inner server, at a new socket, takes new clients, and connections stay: limits for all connections then
 * hold for each inner server. Where there are no Unix domain sockets (Windows before 2018), and with {@link
 * TlsSettings#withLoopback}, the inner server listens at a port of 127.0.0.1, where any program on this
 * machine can connect and claim any address.
 */
public final class TlsServer implements Server {

    /** How long a stop waits after its grace period until clients have read the rest. */
    private static final long LAST_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final Duration LONGEST = Duration.ofDays(365);

    private final FrontLoop front;
    private final InetSocketAddress address;

    private final InnerServers inner;

    private final AtomicBoolean started = new AtomicBoolean();
    private final CompletableFuture<Void> end = new CompletableFuture<>();

    /** The earliest end of a stop's grace period; null before a stop. */
    private final AtomicReference<Long> until = new AtomicReference<>();

    /**
     * Binds with default options and a loop for each processor, and prints every event.
     *
     * @param handler called by the threads of the loops
     * @param tls     where the certificates are, and limits
     * @throws IOException          if the port cannot be bound, or a file cannot be read
     * @throws NullPointerException if an argument is null
     */
    public TlsServer(Handler handler, TlsSettings tls) throws IOException {
        this(new Options(), handler, tls);
    }

    /**
     * Binds with a loop for each processor, and prints every event.
     *
     * @param options as for any server; the port is the one for TLS
     * @param handler called by the threads of the loops
     * @param tls     where the certificates are, and limits
     * @throws IOException              if the port cannot be bound, or a file cannot be read
     * @throws IllegalArgumentException if the options have a Unix domain socket, a listener or proxyProtocol
     * @throws NullPointerException     if an argument is null
     */
    public TlsServer(Options options, Handler handler, TlsSettings tls) throws IOException {
        this(options, new DebugLogger(), handler, tls);
    }

    /**
     * Binds with a loop for each processor, as {@link EventLoopGroup}.
     *
     * @param options as for any server; the port is the one for TLS
     * @param logger  where events go, called by the threads of the loops and of the front
     * @param handler called by the threads of the loops
     * @param tls     where the certificates are, and limits
     * @throws IOException              if the port cannot be bound, or a file cannot be read
     * @throws IllegalArgumentException if the options have a Unix domain socket, a listener or proxyProtocol
     * @throws NullPointerException     if an argument is null
     */
    public TlsServer(Options options, Logger logger, Handler handler, TlsSettings tls) throws IOException {
        this(options, logger, handler, tls, Runtime.getRuntime().availableProcessors());
    }

    /**
     * Binds with this number of loops.
     *
     * @param options as for any server; the port is the one for TLS
     * @param logger  where events go, called by the threads of the loops and of the front
     * @param handler called by the threads of the loops
     * @param tls     where the certificates are, and limits
     * @param loops   1 to 1024
     * @throws IOException              if the port cannot be bound, or a file cannot be read
     * @throws IllegalArgumentException if the options have a Unix domain socket, a listener or proxyProtocol,
     *                                  or the number of loops is out of its range
     * @throws NullPointerException     if an argument is null
     */
    public TlsServer(Options options, Logger logger, Handler handler, TlsSettings tls, int loops)
            throws IOException {
        Objects.requireNonNull(logger, "logger");
        Objects.requireNonNull(handler, "handler");
        if (options.unixSocket() != null || options.listener() != null || options.proxyProtocol()) {
            throw new IllegalArgumentException("TLS is for a port, without the PROXY protocol");
        }
        var log = new FrontLog(logger);
        front = new FrontLoop(tls, options, log);
        try {
            address = front.address();
            inner = new InnerServers(options, log, handler, loops, tls.loopback());
            front.start(inner);
        } catch (Throwable t) {
            front.end();
            throw t;
        }
    }

    /** Says whether the calling thread belongs to the server, so that it must not wait for the end. */
    private boolean isOwnThread() {
        return front.isOwnThread() || inner.isLoopThread();
    }

    /**
     * Serves on the calling thread until the server is stopped, as {@link EventLoopGroup#start} does. If the
     * server was started before, and a stop has begun, this waits for the end, except on a server thread.
     */
    @Override
    public void start(Runnable running) {
        Objects.requireNonNull(running, "running");
        if (started.getAndSet(true)) {
            if (until.get() == null) {
                throw new IllegalStateException("a server starts once");
            }
            join();
            return;
        }
        try {
            serve(running);
            end.complete(null);
        } catch (Throwable t) {
            end.completeExceptionally(t);
            throw t;
        }
    }

    /** Waits until another thread has ended the server. */
    private void join() {
        if (!isOwnThread()) {
            end.handle((nothing, failure) -> nothing).join();
        }
    }

    private void serve(Runnable running) {
        front.execute(front::accepts);
        try {
            inner.start(running);
        } finally {
            end();
        }
        Throwable failure = front.failure;
        if (failure != null) {
            throw new IllegalStateException("the front failed", failure);
        }
    }

    @Override
    public CompletableFuture<Void> ended() {
        return end.copy();
    }

    @Override
    public InetSocketAddress getAddress() {
        return address;
    }

    /** {@return what the inner servers have counted; bytes are the decrypted ones} */
    @Override
    public Stats stats() {
        return inner.stats();
    }

    @Override
    public void stop() {
        endAt(System.nanoTime());
        inner.stop();
    }

    /**
     * Stops gracefully: no more clients are accepted, received requests are answered, and clients get the
     * answers. A pending handshake has one second to end and to bring its request.
     *
     * @param grace how long requests may take, 0 to 365 days; then the rest is dropped
     * @return how many requests were dropped; 0 on a thread of the loops or of the front, where the stop
     *         only begins, and if the caller is interrupted
     * @throws IllegalArgumentException if the grace period is null or out of its range
     */
    @Override
    public int stop(Duration grace) {
        if (grace == null || grace.isNegative() || grace.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("grace is " + grace + "; allowed: PT0S to " + LONGEST);
        }
        long ownEnd = System.nanoTime() + grace.toNanos();
        endAt(ownEnd);
        // a separate thread, so that the stop goes on if the caller is interrupted
        var stopping = new FutureTask<>(() -> leave(ownEnd));
        new Thread(stopping, "tls-stop").start();
        try {
            return isOwnThread() ? 0 : stopping.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 0;
        } catch (ExecutionException e) {
            throw new IllegalStateException("the stop failed", e.getCause());
        }
    }

    /** @return how many requests were dropped */
    private int leave(long ownEnd) {
        front.execute(front::leave);
        await(front.left, 0);
        int dropped = inner.stop(Duration.ofNanos(Math.max(0, ownEnd - System.nanoTime())));
        end();
        if (!started.get()) {
            // start() will not
            end.complete(null);
        }
        return dropped;
    }

    private void endAt(long time) {
        until.accumulateAndGet(time, (known, other) -> known == null || other - known < 0 ? other : known);
    }

    /** Sends clients the rest of the answers of the inner server, which has ended or ends, then closes. */
    private void end() {
        until.compareAndSet(null, System.nanoTime());
        front.execute(front::finish);
        await(front.emptied, LAST_NANOS);
        front.end();
        try {
            inner.end();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until the grace period is over, and so many nanoseconds longer; an interrupt ends the wait. */
    private void await(CountDownLatch latch, long longer) {
        long nanos = Math.max(0, until.get() - System.nanoTime()) + longer;
        try {
            if (latch.await(nanos, TimeUnit.NANOSECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
