package org.microhttp;

import static org.microhttp.Event.*;

import java.io.IOException;
import java.net.*;
import java.nio.channels.*;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * An HTTP/1.1 server: one thread, one selector, one port. The constructor binds; {@link #start} runs the loop
 * on the calling thread until {@link #stop()}. For example, a server that stops gracefully on SIGTERM:
 * <pre>{@code
 *   Server server = new EventLoop(new Options().withPort(8080), new SystemLogger(), handler);
 *   Runtime.getRuntime().addShutdownHook(new Thread(() -> server.stop(Duration.ofSeconds(20))));
 *   server.start();
 * }</pre>
 * The loop accepts connections, serves those that are ready, runs the tasks that other threads have added,
 * and checks deadlines. Of the program's code it calls the handler, the logger, {@link ErrorHandler}, the
 * exchange listener, publishers, subscribers, and the actions given to {@link #start(Runnable)}, {@link
 * Options#withOnStopping}, {@link Body#onReleased} and {@link Request#onAbandoned}.
 */
public final class EventLoop implements Server {

    /** How many tasks run before the loop looks at its sockets, and how many such batches run at the end. */
    private static final int MAX_TASKS_PER_TURN = 1024, MAX_LAST_BATCHES = 1 << 10;

    /** How many turns' shares are written at the end: 64 MiB of large responses. */
    private static final int MAX_LAST_WRITES = 64;

    /** The loop ends after so many turns in a row have failed by an unchecked error, which takes 10 s. */
    private static final int MAX_FAILED_TURNS = 1_000;

    /** How long the loop pauses after a failed turn. */
    private static final long PAUSE_NANOS = 10_000_000;

    /** How long {@link #stop(Duration)} waits after the grace period for a loop that does not end. */
    private static final long END_NANOS = 500_000_000L;

    /** Made once, because each turn gives it to the selector. */
    private final Consumer<SelectionKey> dispatch = this::dispatch;

    private final AtomicBoolean claimed = new AtomicBoolean();
    private final Selector selector;
    final LoopContext context;
    private final TaskQueue tasks;
    final Acceptor acceptor;
    private final Duration watchdog;

    /** The failure of the previous turn outside any connection; null if there was none. */
    private Throwable failure;
    private volatile int dropped;

    /** Whether a graceful stop was requested, which a task of the loop begins. */
    private volatile boolean leaves;

    /**
     * Binds with default options, and prints every event.
     *
     * @param handler answers the requests
     * @throws IOException          if the port cannot be bound; the message says which and why
     * @throws NullPointerException if the handler is null
     */
    public EventLoop(Handler handler) throws IOException { this(new Options(), handler); }

    /**
     * Binds, and prints every event.
     *
     * @param options the settings
     * @param handler answers the requests
     * @throws IOException              if the port cannot be bound; the message says which and why
     * @throws IllegalArgumentException if two options contradict each other
     * @throws NullPointerException     if an argument is null
     */
    public EventLoop(Options options, Handler handler) throws IOException {
        this(options, new DebugLogger(), handler);
    }

    /**
     * Binds.
     *
     * @param options the settings
     * @param logger  gets the events
     * @param handler answers the requests
     * @throws IOException              if the port cannot be bound; the message says which and why
     * @throws IllegalArgumentException if two options contradict each other
     * @throws NullPointerException     if an argument is null
     */
    public EventLoop(Options options, Logger logger, Handler handler) throws IOException {
        this(options, logger, handler, new GroupContext(options), Acceptor.resolve(options));
    }

    /** Makes a loop of a group. It listens on an address that the loops share, or with null not at all. */
    EventLoop(Options options, Logger logger, Handler handler, GroupContext group, SocketAddress address)
            throws IOException {
        // without a free descriptor the JDK cannot load what its first channel needs, and never could again
        SocketChannel.open().close();
        selector = Selector.open();
        try {
            context = new LoopContext(selector, options, logger, handler, group);
            tasks = context.tasks;
            acceptor = new Acceptor(context, selector, options, address);
            group.add(context);
        } catch (Throwable t) {
            closeChannels();
            selector.close();
            throw t;
        }
        watchdog = options.watchdog();
    }

    @Override
    public SocketAddress getAddress() { return acceptor.address; }

    /**
     * Runs the loop on the calling thread, and returns after {@link #stop()}. By then every connection, the
     * port and every descriptor are closed. A loop that was stopped before is closed at once; if another
     * thread is closing or still running it, this waits for the end, except on the loop's own thread.
     * <p>
     * An interrupt of the thread that is seen before a handler is called acts as {@code stop}, and {@code
     * loop_interrupt} is logged; the interrupt flag is set when this returns. An interrupt found after a
     * handler or another callback has returned may have been meant for that, so the flag is cleared, and
     * {@code handler_interrupt} is logged.
     *
     * @throws IllegalStateException if the loop was started before and not stopped since; or if it failed,
     *                               with the failure as the cause
     */
    @Override
    public void start(Runnable running) {
        Objects.requireNonNull(running, "running");
        if (claimed.getAndSet(true)) {
            if (!isStopping()) throw new IllegalStateException("a loop starts once");
            join(context.end.done);
            return;
        }
        try {
            serve(running);
            context.end.done.complete(null);
        } catch (Throwable t) {
            context.end.done.completeExceptionally(t);
            throw t;
        }
    }

    private void serve(Runnable running) {
        try {
            if (watchdog != null) new Watchdog(context, watchdog);
            run(running);
        } catch (Throwable t) {
            context.log.report(LOOP_ERROR, t);
            throw new IllegalStateException("the event loop failed", t);
        } finally {
            free();
            if (context.end.interrupted) Thread.currentThread().interrupt();
        }
    }

    @Override
    public CompletableFuture<Void> ended() { return context.end.done.copy(); }

    /** Says whether the loop is to end, so that {@link #start} waits for the end. */
    boolean isStopping() { return context.end.stopped || leaves; }

    /** Waits until another thread has closed everything. The loop's own thread cannot wait for itself. */
    void join(CompletableFuture<Void> end) {
        if (!context.group.isLoopThread()) end.exceptionally(failure -> null).join();
    }

    /** Runs until the loop is stopped. Then it takes no more requests, but sends responses given before. */
    private void run(Runnable running) throws IOException {
        tasks.thread = Thread.currentThread();
        if (!context.checkStop()) {
            acceptor.checkOpen();
            running.run();
        }
        // every turn is in the try block: if the program reads a mapped file that was cut, the
        // JVM may throw at any place, even between turns
        for (int failures = 0; !context.checkStop();) {
            try {
                while (!context.checkStop()) {
                    turn();
                    failures = 0;
                }
            } catch (Error | RuntimeException e) {
                failures++;
                if (!selector.isOpen() || failures == MAX_FAILED_TURNS) throw e;
                failure = e;
            }
        }
        for (int i = 0; i < MAX_LAST_BATCHES && !tasks.isEmpty(); i++) {
            tasks.runPresent(MAX_TASKS_PER_TURN);
        }
        for (int i = 0; i < MAX_LAST_WRITES && context.shares.isAwaited(); i++) {
            context.shares.begin();
            context.shares.serve();
        }
        forEachConnection(connection -> dropped += connection.countDropped());
    }

    private void turn() throws IOException {
        if (failure != null) recover();
        long time = context.clock.endTurn();
        // a task or a place added from now on wakes the loop; earlier ones are seen below
        tasks.asleep = true;
        long wait = Math.min(context.scheduler.nanosToNext(time), acceptor.nanosToNext(time));
        if (context.end.leaving) {
            wait = Math.min(wait, context.end.until - time);
            boolean empty = context.connectionCount.get() == 0 && !acceptor.mustDrain();
            // stop() wakes the selector, so the last turn does not wait; it sends what the sockets take at
            // once
            if (empty || context.end.until - time <= 0) stop();
        }
        // the wait is rounded up, so that the loop does not spin through the last millisecond
        if (wait <= 0 || !tasks.isEmpty() || context.shares.isAwaited()) {
            selector.selectNow(dispatch);
        } else {
            selector.select(dispatch, wait / 1_000_000 + 1);
        }
        awake();
        // the clock is read before the tasks: if it fails, no task is lost
        long now = context.clock.now();
        acceptor.onTurn(now);
        tasks.runPresent(MAX_TASKS_PER_TURN);
        context.scheduler.advance(now);
        context.shares.serve();
    }

    /** Pauses, so that repeated failures do not spin. A failed select may have lost what it watches. */
    private void recover() {
        LockSupport.parkNanos(PAUSE_NANOS);
        context.log.report(TURN_ERROR, failure);
        forEachConnection(Connection::watchAnew);
        acceptor.rearm();
        failure = null;
    }

    private void forEachConnection(Consumer<Connection> action) {
        for (SelectionKey key : selector.keys()) {
            if (key.attachment() instanceof Connection connection) action.accept(connection);
        }
    }

    /** Begins the loop's turn: when the selector reports its first key, or has returned without one. */
    private void awake() {
        // a volatile write costs far more than a read
        if (!tasks.asleep) return;
        tasks.asleep = false;
        // before any callback, after which an interrupt is taken for the program's
        context.checkStop();
        context.beginTurn();
    }

    private void dispatch(SelectionKey key) {
        awake();
        if (key.attachment() instanceof Connection connection) {
            connection.onReady();
        } else if (key.attachment() == acceptor) {
            acceptor.onReady();
        }
    }

    /**
     * Makes {@link #start} return soon, also if it is called later. No more requests are taken. Responses
     * given before are still written, as far as the sockets take them at once, of large responses at most 64
     * MiB in all; of a streamed body, what its publisher has signalled. Any thread may call this, also in a
     * handler. It only signals: to know that the port is free, wait for the thread that runs {@code start},
     * or call {@link #close}.
     */
    @Override
    public void stop() {
        context.end.stopped = true;
        selector.wakeup();
    }

    /**
     * Stops gracefully: drops no request if the grace period suffices. The server stops listening, but first
     * accepts connections already in the kernel's backlog, unless the socket was given to it. Requests that
     * have come are answered, and the last response on a connection says {@code Connection: close}. An idle
     * connection is closed after one more check for a request, and at the earliest a second after its last
     * use, because a proxy may be sending. Streams last until they end, for example by
     * {@link Options#withOnStopping}.
     * <p>
     * From another thread this returns when the loop has ended and the port is free. On the loop's own
     * thread, in a handler, it only begins the stop. A loop that was never started is closed. Of several
     * calls the earliest end holds. If the waiting thread is interrupted, this returns at once with the flag
     * set, and the stop goes on. If a handler blocks the loop, this returns within a second after the grace
     * period and logs {@code leave_timeout}; the port may still be bound then.
     *
     * @param grace how long requests may take, 0 to 365 days; then the rest is dropped
     * @return how many requests were dropped: received in part, not answered, or not sent completely.
     *         What one client has sent ahead counts as one, and so do its unread responses. If the loop does
     *         not end, how many the handler has not answered. On the loop's own thread 0
     * @throws IllegalArgumentException if the grace period is out of its range
     */
    @Override
    public int stop(Duration grace) {
        long until = until(grace);
        leave(until);
        return awaitEnd(until);
    }

    /** Returns the end of a grace period that begins now. */
    long until(Duration grace) {
        Check.within("grace", grace, Duration.ZERO, Duration.ofDays(365));
        return context.clock.nanoTime() + grace.toNanos();
    }

    /** Begins a graceful stop; closes a loop that was never started. */
    void leave(long until) {
        leaves = true;
        if (!claimed.get()) stop();
        if (!claimed.getAndSet(true)) {
            free();
            context.end.done.complete(null);
        }
        if (!context.end.stopped) tasks.add(() -> beginLeaving(until));
    }

    private void beginLeaving(long until) {
        if (!context.leave(until)) return;
        context.log.report(LEAVE, context.connectionCount.get());
        Runnable action = context.group.onStopping.getAndSet(null);
        if (action != null) tasks.add(() -> runOnStopping(action));
        try {
            acceptor.leave();
        } catch (Throwable t) {
            context.log.report(ACCEPT_ERROR, t);
        }
        // each connection reads once more, for a request may be here, and gets a new deadline
        forEachConnection(connection -> connection.turn(Connection.READ));
    }

    /** An interrupt flag that the program leaves would end the grace period. */
    private void runOnStopping(Runnable action) {
        try {
            action.run();
        } finally {
            // the event has no connection
            if (Thread.interrupted()) context.log.report(HANDLER_INTERRUPT, (Object) null);
        }
    }

    /** Waits for the end until a little after the grace period; returns how many requests were dropped. */
    int awaitEnd(long until) {
        if (context.group.isLoopThread()) return 0;
        if (await(context.end.done, until)) return dropped;
        long counted = context.counters.get(Counters.UNANSWERED);
        // a loop that is only slow may take and answer requests between the two counts
        int unanswered = (int) Math.max(0, counted - Exchange.countUnderWay(tasks.present()));
        context.log.report(LEAVE_TIMEOUT, unanswered);
        return unanswered;
    }

    /** Waits for an end as {@link #awaitEnd} does; returns false if that was too long. */
    boolean await(CompletableFuture<Void> end, long until) {
        try {
            return LoopEnd.await(end, until + END_NANOS - context.clock.nanoTime());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    @Override
    public Stats stats() { return GroupContext.sum(context.group.loops); }

    /** Closes everything, even if some of it fails, and last what other loops have accepted for this one. */
    private void free() {
        // a loop that never ran has no thread yet
        tasks.thread = Thread.currentThread();
        context.group.exclude(context);
        // these are closed from the last to the first; a registered channel keeps its descriptor until the
        // selector is closed
        try (
                tasks;
                selector;
                acceptor) {
            try {
                closeChannels();
            } finally {
                // before the tasks end, because other threads may release places then
                context.clear();
            }
            context.clock.endTurn();
        } catch (Throwable t) {
            context.log.report(LOOP_ERROR, t);
        } finally {
            // from now on a thread that calls stop(Duration) is not taken for the loop's
            tasks.thread = null;
        }
    }

    private void closeChannels() {
        for (SelectionKey key : selector.keys()) {
            if (key.attachment() instanceof Connection connection) connection.free();
            ClientSocket.close(key.channel(), key);
        }
    }
}
