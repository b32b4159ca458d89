package org.microhttp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.*;
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
    private final Selector selector;
    private final Shared shared;
    private final Listener listener;
    private final int port;
    private volatile boolean stopping;

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
        load();
        selector = Selector.open();
        try {
            shared = new Shared(selector, options, logger, handler);
            listener = new Listener(shared, options);
        } catch (Throwable t) { free(selector); throw t; }
        port = listener.channel.socket().getLocalPort();
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
        try { run(); } catch (Throwable t) {
            shared.log.loopFailed(t);
            throw new IllegalStateException("the event loop failed", t);
        } finally { free(); }
    }

    private void run() throws IOException {
        shared.thread = Thread.currentThread();
        while (!stopping) {
            long nanos = shared.hasTasks() ? 0 : shared.scheduler.nanosToNext(shared.now());
            shared.asleep = true;
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
        if (interrupted) Thread.currentThread().interrupt();
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

    /** Does what {@link #stop} does; a loop that was never started is freed at once. */
    @Override
    public void close() { stop(); if (!claimed.getAndSet(true)) free(); }

    private void free() {
        try { listener.channel.close(); free(selector); } catch (Throwable t) { shared.log.loopFailed(t); }
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
            new RequestParser(queue, new Limits(64, 64, 1), new Budget(0)).next();
            Class.forName(Connection.class.getName());
        } catch (ReflectiveOperationException | HttpError e) { throw new LinkageError(e.getMessage(), e); }
    }
}
