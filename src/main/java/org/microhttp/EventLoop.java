package org.microhttp;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.*;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An HTTP/1.1 server: one thread, one selector, one port. The constructor binds, {@link #start} runs the loop
 * on the calling thread until {@link #stop}. The loop accepts, dispatches what is ready, runs the tasks that
 * other threads left, and looks at deadlines; it calls no code of the user but the handler and the logger.
 */
public final class EventLoop implements AutoCloseable {

    /** Tasks of one turn; those that come of them wait for the next. */
    private static final int MAX_TASKS_PER_TURN = 1024;

    private final AtomicBoolean claimed = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Selector selector;
    private final Shared shared;
    private final Listener listener;
    private final int port;
    private final Duration watchdog;
    private volatile boolean stopping;
    private volatile int dropped;

    /**
     * Binds with default options, and prints every event.
     *
     * @param handler the user's code
     * @throws IOException          if the port cannot be bound; the message says which and why
     * @throws NullPointerException if the handler is null
     */
    public EventLoop(Handler handler) throws IOException { this(new Options(), handler); }

    /**
     * Binds, and prints every event.
     *
     * @param options read once, here
     * @param handler the user's code
     * @throws IOException              if the port cannot be bound; the message says which and why
     * @throws IllegalArgumentException if two options do not go together
     * @throws NullPointerException     if an argument is null
     */
    public EventLoop(Options options, Handler handler) throws IOException {
        this(options, new DebugLogger(), handler);
    }

    /**
     * Binds.
     *
     * @param options read once, here
     * @param logger  where events go
     * @param handler the user's code
     * @throws IOException              if the port cannot be bound; the message says which and why
     * @throws IllegalArgumentException if two options do not go together
     * @throws NullPointerException     if an argument is null
     */
    public EventLoop(Options options, Logger logger, Handler handler) throws IOException {
        this(options, logger, handler, new Common(options), options.port, options.reusePort);
    }

    /** One of a group; it listens on a port that it shares, or, with {@link Listener#NONE}, not at all. */
    EventLoop(Options options, Logger logger, Handler handler, Common common, int port, boolean sharing)
            throws IOException {
        load();
        selector = Selector.open();
        try {
            shared = new Shared(selector, options, logger, handler, common);
            listener = new Listener(shared, options, port, sharing);
        } catch (Throwable t) { free(selector); throw t; }
        this.port = listener.channel.socket().getLocalPort();
        watchdog = options.watchdog;
        common.add(shared);
    }

    /** Lets others listen on the port from now on. */
    void sharePort() throws IOException {
        listener.channel.setOption(StandardSocketOptions.SO_REUSEPORT, true);
    }

    /** {@return the port listened on, also after the loop has ended} */
    public int getPort() { return port; }

    /**
     * Runs the loop on the calling thread, and returns after {@link #stop}, or when the thread was
     * interrupted, with the interrupt flag still set then. Every connection, the port and every descriptor
     * are free when it returns. A loop that was stopped before is freed at once.
     *
     * @throws IllegalStateException if it was started before, or if the loop failed: then the cause says why
     */
    public void start() {
        boolean again = claimed.getAndSet(true);
        if (again && stopping) return;
        if (again) throw new IllegalStateException("a loop starts once");
        Watchdog dog = watchdog == null ? null : new Watchdog(shared, watchdog);
        try {
            if (dog != null) dog.start();
            run();
        } catch (Throwable t) {
            shared.log.loopFailed(t);
            throw new IllegalStateException("the event loop failed", t);
        } finally {
            if (dog != null) dog.interrupt();
            free();
        }
    }

    private void run() throws IOException {
        shared.thread = Thread.currentThread();
        while (!stopping && !hasLeft()) {
            long nanos = shared.hasTasks() ? 0 : shared.nanosToNext();
            shared.sleep();
            // rounded up, so that the loop does not turn idly through the last millisecond
            if (nanos == 0) selector.selectNow(this::onReady);
            else selector.select(this::onReady, Math.min(nanos / 1_000_000 + 1, Integer.MAX_VALUE));
            shared.runTasks(MAX_TASKS_PER_TURN);
            shared.scheduler.advance(shared.now());
            if (Thread.currentThread().isInterrupted()) stopping = true;
        }
        // an interrupt flag would close the channels that the last answers go to
        boolean interrupted = Thread.interrupted();
        while (shared.hasTasks()) shared.runTasks(MAX_TASKS_PER_TURN);
        for (SelectionKey key : selector.keys()) {
            if (key.attachment() instanceof Connection connection && connection.isBusy()) dropped++;
        }
        if (interrupted) Thread.currentThread().interrupt();
        shared.sleep();
    }

    private boolean hasLeft() {
        boolean empty = shared.open.get() == 0 && !shared.hasTasks();
        return shared.leaving && (empty || shared.now() - shared.leavingUntil >= 0);
    }

    private void onReady(SelectionKey key) {
        if (key.attachment() instanceof Connection connection) connection.onReady();
        else listener.onReady();
    }

    /**
     * Makes {@link #start} return soon, from any thread, the handler's too, and before {@code start} as well.
     * Answers given before are still written, as far as the sockets take them at once. Only signals: wait for
     * the thread that runs {@code start} to know that the port is free.
     */
    public void stop() { stopping = true; selector.wakeup(); }

    /**
     * Leaves without dropping a request, if the time suffices. No more connections are accepted, but those
     * that wait already are let in. Requests that are here are answered, and the last answer of a connection
     * says {@code Connection: close}. What is idle is closed, after one more look whether it has sent a
     * request; a connection that was used within the last second gets another second to send one, for a proxy
     * may be doing so.
     * <p>
     * From another thread this returns when the loop has ended, and the port is free; on the loop's own
     * thread, in a handler, it only begins. A loop that was never started is freed. Called again, the earlier
     * end holds. If the waiting thread is interrupted it returns at once with its flag set, and the loop goes
     * on leaving.
     *
     * @param grace how long requests may take: 0 to 365 days; then what is left is dropped
     * @return how many requests were dropped: begun, or handed over and not answered, or not sent whole; 0 on
     *         the loop's own thread
     * @throws IllegalArgumentException if the time is out of its range
     */
    public int stop(Duration grace) { leave(grace); return awaitEnd(); }

    void leave(Duration grace) {
        long nanos = Options.in("grace", grace, Duration.ZERO, Duration.ofDays(365)).toNanos();
        if (claimed.get()) shared.execute(() -> leave(nanos));
        else close();
    }

    private void leave(long nanos) {
        long until = shared.now() + nanos;
        if (!shared.leaving || until - shared.leavingUntil < 0) shared.leavingUntil = until;
        if (shared.leaving) return;
        shared.leaving = true;
        shared.leavingSince = shared.now();
        shared.log.leaving(shared.open.get());
        try { listener.leave(); } catch (IOException e) { shared.log.acceptFailed(e); }
        for (SelectionKey key : selector.keys()) {
            if (key.attachment() instanceof Connection connection) connection.leave();
        }
    }

    boolean isOwnThread() { return shared.isLoopThread() && ended.getCount() > 0; }

    int awaitEnd() {
        if (isOwnThread()) return 0;
        try { ended.await(); } catch (InterruptedException e) { Thread.currentThread().interrupt(); }
        return dropped;
    }

    /** {@return what the loop has done so far; from any thread, also after it has ended} */
    public Stats stats() { return shared.log.counters.snapshot(shared.open.get()); }

    /** Does what {@link #stop} does; a loop that was never started is freed at once. */
    @Override
    public void close() { stop(); if (!claimed.getAndSet(true)) free(); }

    private void free() {
        shared.leaving = true;
        try {
            listener.channel.close();
            free(selector);
            // a connection that another loop handed over meanwhile is closed by this
            shared.runTasks(Integer.MAX_VALUE);
        } catch (Throwable t) { shared.log.loopFailed(t); }
        ended.countDown();
    }

    /** Only the selector's close frees the descriptors: a registered channel keeps its own until then. */
    private static void free(Selector selector) throws IOException {
        for (SelectionKey key : selector.keys()) {
            if (key.attachment() instanceof Connection connection) connection.close();
            else key.channel().close();
        }
        selector.close();
    }

    /**
     * Out of descriptors no class can be loaded, of ours or of the JDK's: what a connection needs is loaded
     * before.
     */
    private static void load() throws IOException {
        SocketChannel.open().close();
        Object[] loaded = {Connection.State.class, Connection.Step.class, Outlet.class, Exchange.class};
        var queue = new ByteQueue(new Budget(0));
        try {
            queue.add(ByteBuffer.wrap(ResponseEncoder.ascii("GET / HTTP/1.0\r\n\r\n")), new byte[64]);
            new RequestParser(queue, new Limits(64, 64, 1), new Budget(0), null).next();
            Class.forName(Connection.class.getName());
        } catch (ReflectiveOperationException | HttpError e) { throw new LinkageError(e.getMessage(), e); }
    }
}
