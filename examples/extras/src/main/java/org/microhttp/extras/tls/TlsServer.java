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
 * It is a server of the library, and before it a port for TLS, whose front decrypts what clients send and
 * passes it on with their addresses (PROXY protocol), and encrypts the answers. The front has two threads.
 * <p>
 * Each request has what was agreed with its client, such as the client's certificate, as an attribute. It
 * has none if the client is gone, or has another connection from the same port to another address of this
 * machine.
 * <pre>{@code
 *   SSLSession session = request.attribute(SSLSession.class);
 *   Certificate client = session.getPeerCertificates()[0];
 * }</pre>
 * <b>Limits</b>, besides the timeouts of {@code Options}:
 * <ul>
 * <li>Connections: {@link Options#withMaxConnections} counts them from the accept to the end, for all loops
 *     together. <b>Without that option at most 1,000 are open</b>, because each takes three descriptors and
 *     11 kB of heap. At the limit a new client replaces the oldest one that has not sent any of a request. If
 *     all have, new clients wait in the kernel's queue, and {@code accept_pause} is logged. If no descriptor
 *     is left, a quarter of the clients that have not sent any of a request are dropped, the oldest first.
 * <li>Handshakes: {@link TlsSettings#withHandshakeTimeout}. No work is done for clients that are gone. If
 *     there is too much work, the newest handshakes come first.
 * <li>Renegotiation ends the connection, as do more than 32 records in a row without data, such as key
 *     updates.
 * <li>After the server has closed, the client has {@code socketTimeout} to read the rest.
 * <li>Memory of a connection: the JDK's state, and up to 34 KiB of input and 40 KiB of output while a record
 *     is incomplete or a side does not read.
 * <li>Memory of all, in addition to {@code maxBufferedBytes}: half as much for handshakes, beyond which the
 *     oldest end, and half as much for other connections, beyond which one that needs more ends.
 * <li>Sessions of TLS 1.2 clients without tickets: 1,000.
 * </ul>
 * The inner server listens at a Unix domain socket in a folder that no other user may enter. The folder is
 * in {@code java.io.tmpdir}, or in {@code /tmp} if that path is too long. If it is removed, new clients get a
 * new server at a new socket, and connections stay: the limits of all connections then hold for each of these
 * servers. Where there are no such sockets, as in Windows before 2018, and with {@link
 * TlsSettings#withLoopback}, it listens at a port of 127.0.0.1, where any program of this machine could
 * connect and claim to come from any address.
 */
public final class TlsServer implements Server {

    /** How long after its grace a stop waits for clients to take the rest. */
    private static final long LAST_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final Duration LONGEST = Duration.ofDays(365);

    private final FrontLoop front;
    private final InetSocketAddress address;

    private final InnerServers inner;

    private final AtomicBoolean started = new AtomicBoolean();
    private final CompletableFuture<Void> end = new CompletableFuture<>();

    /** When the grace of a stop is over, the earliest of several; null if there was none. */
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
     * @param options as for any server; the port is that for TLS
     * @param handler called by the threads of the loops
     * @param tls     where the certificates are, and limits
     * @throws IOException              if the port cannot be bound, or a file cannot be read
     * @throws IllegalArgumentException if the options are those of another place than a port, or of a proxy
     * @throws NullPointerException     if an argument is null
     */
    public TlsServer(Options options, Handler handler, TlsSettings tls) throws IOException {
        this(options, new DebugLogger(), handler, tls);
    }

    /**
     * Binds with a loop for each processor, as {@link EventLoopGroup}.
     *
     * @param options as for any server; the port is that for TLS
     * @param logger  where events go, called by the threads of the loops and of the front
     * @param handler called by the threads of the loops
     * @param tls     where the certificates are, and limits
     * @throws IOException              if the port cannot be bound, or a file cannot be read
     * @throws IllegalArgumentException if the options are those of another place than a port, or of a proxy
     * @throws NullPointerException     if an argument is null
     */
    public TlsServer(Options options, Logger logger, Handler handler, TlsSettings tls) throws IOException {
        this(options, logger, handler, tls, Runtime.getRuntime().availableProcessors());
    }

    /**
     * Binds.
     *
     * @param options as for any server; the port is that for TLS
     * @param logger  where events go, called by the threads of the loops and of the front
     * @param handler called by the threads of the loops
     * @param tls     where the certificates are, and limits
     * @param loops   how many, 1 to 1024
     * @throws IOException              if the port cannot be bound, or a file cannot be read
     * @throws IllegalArgumentException if the options are those of another place than a port, or of a proxy,
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

    /** Says whether the calling thread is one of the server, which must not wait for its own end. */
    private boolean isOwnThread() {
        return front.isOwnThread() || inner.isLoopThread();
    }

    /**
     * Serves on the calling thread until it is stopped, as {@link EventLoopGroup#start} does. If the server
     * was started before, and a stop has begun, this waits for its end, except on a thread of the server.
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

    /** {@return what the inner server has counted, decrypted} */
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
     * Stops gracefully: no more clients are accepted, the server answers what has come, and clients get the
     * rest. A handshake that goes on has a second, in which it ends and the request comes.
     *
     * @param grace how long requests may take, 0 to 365 days; then the rest is dropped
     * @return how many requests were dropped; 0 on a thread of the loops or of the front, where the stop
     *         only begins
     * @throws IllegalArgumentException if the grace period is out of its range
     */
    @Override
    public int stop(Duration grace) {
        if (grace == null || grace.isNegative() || grace.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("grace is " + grace + "; allowed: PT0S to " + LONGEST);
        }
        long ownEnd = System.nanoTime() + grace.toNanos();
        endAt(ownEnd);
        // of its own, for it goes on if the caller is interrupted
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
            // nobody else will
            end.complete(null);
        }
        return dropped;
    }

    private void endAt(long time) {
        until.accumulateAndGet(time, (known, other) -> known == null || other - known < 0 ? other : known);
    }

    /** The inner server has ended, or does: clients get the rest of its answers. */
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

    /** Waits until the grace is over, and so much longer; returns at once if the thread is interrupted. */
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
