package org.microhttp.extras.tls;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.microhttp.Options;

/**
 * The thread that accepts clients and passes bytes on, and its worker, which computes handshakes, so that
 * they delay no other connection. Both are daemon threads.
 * <p>
 * <b>Overload</b>: a client that has not begun a request yet is {@link #silent}. At the limit a new client
 * replaces the oldest silent one. The worker does the newest work first: the oldest clients have waited
 * longest, and give up first.
 */
final class FrontLoop implements Runnable {

    private static final int MAX_ACCEPTS_PER_TURN = 64;

    /** If the options set no limit. Needs fewer descriptors than the 4,096 that many systems allow. */
    private static final int MAX_CONNECTIONS = 1_000;

    /** As in the server. */
    private static final int BACKLOG = 1024;
    private static final long MAX_END_MILLIS = 10_000;

    /** How often deadlines are checked, and how long after a failed accept the next one is tried. */
    private static final long TICK_MILLIS = 100;

    /** How long a client may take to end its side once the front stops. */
    private static final long LAST_LINGER = TimeUnit.MILLISECONDS.toNanos(500);

    final Buffers buffers = new Buffers();
    final Selector selector;
    final FrontLog log;
    final Certificates certificates;
    final long handshakeNanos;

    /** How long a client may take to read the rest after the server has ended the connection. */
    final long flushNanos;

    /** Connections with a deadline. */
    final Set<TlsConnection> timed = new LinkedHashSet<>();

    /** Bytes kept during handshakes, and after them: two limits, so that each has its space. */
    final Sum handshakes, others;

    /** Connections whose client has not begun a request yet, the oldest first. */
    final Set<TlsConnection> silent = new LinkedHashSet<>();

    private final Set<TlsConnection> all = new HashSet<>();
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    /** The front's thread, and the worker's. */
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final Thread thread = daemon(this, "tls");
    private final ThreadPoolExecutor worker = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS,
            new PriorityBlockingQueue<>(), task -> daemon(task, "tls-worker"));
    private long jobs;
    private final ServerSocketChannel listener;
    private final SelectionKey listening;
    private final int sendBufferSize;
    private final long most;
    private InnerServers servers;

    /** When deadlines are checked next; whether, after a failed accept, no client is accepted until then. */
    private long nextTick = System.nanoTime();
    private boolean failing;

    /** Whether clients are accepted: after the start, and before the end. */
    private boolean accepting;

    /** Whether new clients wait, because the limit is reached and every client has begun a request. */
    private boolean full;
    private boolean leaving;
    private volatile boolean ended;

    /** The error that has ended this thread; null for none. */
    volatile Throwable failure;

    /** Counted down when the port is closed and the server has all connections; when then none is left. */
    final CountDownLatch left = new CountDownLatch(1), emptied = new CountDownLatch(1);

    /** A task of the worker. */
    interface Work {
        void run() throws IOException;
    }

    /** Waits for the worker. Jobs of begun handshakes go first, then the newest. */
    private record Job(boolean begun, long number, Runnable task) implements Runnable, Comparable<Job> {

        @Override
        public int compareTo(Job other) {
            return begun == other.begun ? Long.compare(other.number, number) : begun ? -1 : 1;
        }

        @Override
        public void run() {
            task.run();
        }
    }

    /** Binds; serves from {@link #start} on. */
    FrontLoop(TlsSettings settings, Options options, FrontLog log) throws IOException {
        this.log = log;
        certificates = new Certificates(settings, log);
        handshakeNanos = settings.handshakeTimeout().toNanos();
        flushNanos = options.socketTimeout().toNanos();
        most = options.maxConnections() == Options.NO_LIMIT ? MAX_CONNECTIONS : options.maxConnections();
        handshakes = new Sum(maxKept(options) / 2);
        others = new Sum(maxKept(options) / 2);
        sendBufferSize = options.sendBufferSize();
        selector = Selector.open();
        listener = ServerSocketChannel.open();
        try {
            bind(options);
            listening = listener.register(selector, 0);
        } catch (Throwable t) {
            close(listener);
            selector.close();
            throw t;
        }
    }

    /** As many bytes as the inner server may keep, which counts separately. */
    private static long maxKept(Options options) {
        long given = options.maxBufferedBytes();
        return given > 0 ? given : Math.max(Runtime.getRuntime().maxMemory() / 4, 1 << 20);
    }

    private Thread daemon(Runnable task, String name) {
        var daemon = new Thread(task, name);
        daemon.setDaemon(true);
        threads.add(daemon);
        return daemon;
    }

    private void bind(Options options) throws IOException {
        InetSocketAddress address = options.host() == null ? new InetSocketAddress(options.port())
                : new InetSocketAddress(options.host(), options.port());
        listener.configureBlocking(false);
        listener.setOption(StandardSocketOptions.SO_REUSEADDR, options.reuseAddr());
        if (options.reusePort() && listener.supportedOptions().contains(StandardSocketOptions.SO_REUSEPORT)) {
            listener.setOption(StandardSocketOptions.SO_REUSEPORT, true);
        }
        if (options.receiveBufferSize() > 0) {
            listener.setOption(StandardSocketOptions.SO_RCVBUF, options.receiveBufferSize());
        }
        try {
            listener.bind(address, options.acceptLength() == 0 ? BACKLOG : options.acceptLength());
        } catch (IOException | RuntimeException e) {
            throw new IOException("cannot listen on " + address + ": " + e.getMessage(), e);
        }
    }

    InetSocketAddress address() throws IOException {
        return (InetSocketAddress) listener.getLocalAddress();
    }

    void start(InnerServers behind) {
        servers = behind;
        thread.start();
    }

    /** Says whether the calling thread is the front's or the worker's, which must not wait for their end. */
    boolean isOwnThread() {
        return threads.contains(Thread.currentThread());
    }

    /** Accepts clients from now on. */
    void accepts() {
        accepting = true;
    }

    boolean isUnix() {
        return servers.isUnix();
    }

    /** Opens a connection to the server; at a port the connect may still be in progress. */
    SocketChannel connect() throws IOException {
        SocketAddress server = servers.address();
        SocketChannel channel =
                isUnix() ? SocketChannel.open(StandardProtocolFamily.UNIX) : SocketChannel.open();
        try {
            channel.configureBlocking(false);
            if (!isUnix()) {
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            }
            if (!channel.connect(server) && isUnix()) {
                throw new IOException("the server accepts no connection");
            }
            return channel;
        } catch (Throwable t) {
            close(channel);
            throw t;
        }
    }

    @Override
    public void run() {
        try {
            while (!ended) {
                tryTurn();
            }
        } catch (Throwable t) {
            failure = t;
            log.report("tls_error", null, t);
            servers.stop();
        } finally {
            closeAll();
        }
    }

    private void tryTurn() throws IOException {
        try {
            turn();
        } catch (OutOfMemoryError e) {
            log.report("tls_error", null, e);
            // others may release memory
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS));
        }
    }

    private void turn() throws IOException {
        selector.select(this::dispatch, failing || !timed.isEmpty() ? TICK_MILLIS : 0);
        // tasks that these add wait for the next turn
        for (int left = tasks.size(); left > 0; left--) {
            tasks.remove().run();
        }
        long now = System.nanoTime();
        if (now - nextTick >= 0) {
            nextTick = now + TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS);
            failing = false;
            List.copyOf(timed).forEach(connection -> connection.checkDeadline(now));
        }
        if (leaving && all.isEmpty()) {
            emptied.countDown();
        }
        watchPort();
    }

    private void watchPort() {
        int wanted = mayAccept() ? SelectionKey.OP_ACCEPT : 0;
        if (listening.isValid() && listening.interestOps() != wanted) {
            listening.interestOps(wanted);
        }
        boolean isFull = accepting && all.size() >= most && silent.isEmpty();
        if (isFull != full) {
            full = isFull;
            log.reportCount(full ? "accept_pause" : "accept_resume", all.size());
        }
    }

    private void dispatch(SelectionKey key) {
        if (key == listening) {
            accept();
        } else {
            ((TlsConnection) key.attachment()).turn(key);
        }
    }

    private boolean mayAccept() {
        return accepting && !failing && (all.size() < most || !silent.isEmpty());
    }

    private void accept() {
        for (int i = 0; i < MAX_ACCEPTS_PER_TURN && mayAccept(); i++) {
            SocketChannel client = null;
            try {
                client = listener.accept();
                if (client == null) {
                    return;
                }
                if (all.size() >= most) {
                    dropOldest(1, most + " connections are open");
                }
                admit(client);
            } catch (Throwable t) {
                // out of descriptors, or the client is gone already
                log.report("tls_error", null, t);
                if (client == null) {
                    failing = silent.isEmpty();
                    // several, because serving one client needs two more; the next select closes them
                    dropOldest(silent.size() / 4 + 1, "no client can be accepted");
                    return;
                }
                close(client);
            }
        }
    }

    /** Drops the oldest of the silent clients. */
    private void dropOldest(int count, String why) {
        silent.stream().limit(count).toList().forEach(oldest -> oldest.drop(why));
    }

    /** Drops the oldest handshakes until their sum is within its limit. */
    void dropHandshakes() {
        for (TlsConnection oldest : List.copyOf(silent)) {
            if (handshakes.isExceeded() && oldest.isInHandshake()) {
                oldest.drop(Sum.FULL);
            }
        }
    }

    private void admit(SocketChannel client) throws IOException {
        client.configureBlocking(false);
        client.setOption(StandardSocketOptions.TCP_NODELAY, true);
        if (sendBufferSize > 0) {
            client.setOption(StandardSocketOptions.SO_SNDBUF, sendBufferSize);
        }
        SelectionKey key = client.register(selector, 0);
        var connection = new TlsConnection(this, client, key);
        key.attach(connection);
        all.add(connection);
        silent.add(connection);
        connection.turn(null);
    }

    /** Has the worker do a task; then the front's thread calls {@code then} with its failure, or null. */
    Runnable work(boolean begun, Work task, Consumer<Throwable> then) {
        var job = new Job(begun, jobs++, () -> {
            Throwable failure = null;
            try {
                task.run();
            } catch (Throwable t) {
                failure = t;
            }
            Throwable thrown = failure;
            execute(() -> then.accept(thrown));
        });
        worker.execute(job);
        return job;
    }

    /** Has the front's thread do something. From any thread. */
    void execute(Runnable task) {
        tasks.add(task);
        selector.wakeup();
    }

    /**
     * Closes the port, after accepting the clients in the kernel's queue, which closing would reset. Pending
     * handshakes get their connection to the server, so that it may stop, too.
     */
    void leave() {
        if (leaving) {
            return;
        }
        for (int i = 0; i < BACKLOG / MAX_ACCEPTS_PER_TURN; i++) {
            accept();
        }
        List.copyOf(silent).forEach(TlsConnection::connectEarly);
        endPort();
    }

    /** The server has ended: clients get the rest of its answers, and handshakes are closed. */
    void finish() {
        endPort();
        List.copyOf(silent).stream().filter(TlsConnection::isInHandshake).forEach(TlsConnection::close);
    }

    private void endPort() {
        leaving = true;
        accepting = false;
        listening.cancel();
        close(listener);
        left.countDown();
    }

    /** Ends the thread, and closes what is open; also if it was never started. */
    void end() {
        ended = true;
        selector.wakeup();
        if (thread.getState() == Thread.State.NEW) {
            closeAll();
        }
        try {
            thread.join(MAX_END_MILLIS);
            // a job may still run
            worker.awaitTermination(MAX_END_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void closeAll() {
        close(listener);
        List.copyOf(all).forEach(TlsConnection::close);
        worker.shutdownNow();
        try {
            selector.close();
        } catch (IOException e) {
            log.report("tls_error", null, e);
        }
        left.countDown();
        emptied.countDown();
    }

    static void close(SelectableChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // as closed as it can be
        }
    }

    /** @param job is cancelled, unless it runs already; null for none */
    void closed(TlsConnection connection, Runnable job) {
        timed.remove(connection);
        silent.remove(connection);
        all.remove(connection);
        if (job != null) {
            worker.remove(job);
        }
    }

    long lingers(long nanos) {
        return leaving ? Math.min(nanos, LAST_LINGER) : nanos;
    }
}
