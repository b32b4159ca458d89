package org.microhttp;

import static org.microhttp.Event.*;

import java.io.IOException;
import java.net.*;
import java.nio.channels.*;
import java.time.Duration;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * An HTTP/1.1 server: one thread, one selector, one port. The constructor binds, {@link #start} runs the loop
 * on the calling thread until {@link #stop}. The loop accepts, dispatches what is ready, runs the tasks that
 * other threads left, and looks at deadlines; it calls no code of the user but handler, logger and
 * {@link Body#onReleased}.
 */
public final class EventLoop implements AutoCloseable {

    /** Tasks of one turn; those that come of them wait for the next. */
    private static final int MAX_TASKS_PER_TURN = 1024;

    /** Errors that strike outside of any connection, turn after turn, until it is of no use: 10 s. */
    private static final int MAX_FAILED_TURNS = 1_000;

    /** After such a turn. */
    private static final long PAUSE_NANOS = 10_000_000;

    /** How long after its grace {@link #stop(Duration)} waits for a loop that does not end. */
    private static final long END_NANOS = 500_000_000L;

    /** How long {@link #close} waits before that. */
    static final Duration CLOSE = Duration.ofSeconds(10);

    /** What a loop is made of when it is constructed is loaded by that; these are not. */
    private static final String LATER = "ByteQueue ClientSocket Connection ConnectionState Exchange "
            + "FieldList Header HeaderSection Lingering LogEntry ProxyHeader Request RequestHead "
            + "RequestParser RequestTarget ResponseEncoder ResponseWriter SocketFile Stats Watchdog";

    // made beforehand, for when there is no memory
    private static final Consumer<Connection> REARM = connection -> connection.socket.rearm();
    private final Consumer<SelectionKey> dispatch = this::dispatch;

    private final AtomicBoolean claimed = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Selector selector;
    private final LoopContext loop;
    private final TaskQueue tasks;
    final Acceptor acceptor;
    private final Duration watchdog;

    /** What struck outside of any connection, in the turn before. */
    private Throwable failure;
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
        this(options, logger, handler, new GroupContext(options), Acceptor.resolve(options));
    }

    /** One of a group; it listens on an address that it shares, or, with null, not at all. */
    EventLoop(Options options, Logger logger, Handler handler, GroupContext group, SocketAddress address)
            throws IOException {
        loadAll();
        selector = Selector.open();
        try {
            loop = new LoopContext(selector, options, logger, handler, group);
            tasks = loop.tasks;
            acceptor = new Acceptor(loop, selector, options, address);
        } catch (Throwable t) {
            closeSelector();
            throw t;
        }
        watchdog = options.watchdog;
        group.add(loop);
    }

    /**
     * Loads every class that a loop may come to need, before it starts: out of descriptors no class can be
     * loaded from a folder, of ours or of the JDK's, and a class whose loading has failed once fails for
     * ever. A switch makes a class in the same nest.
     */
    private static void loadAll() throws IOException {
        SocketChannel.open().close();
        try {
            for (String name : LATER.split(" ")) {
                for (Class<?> member : Class.forName("org.microhttp." + name).getNestMembers()) {
                    Class.forName(member.getName());
                }
            }
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** {@return the port listened on, also after the loop has ended; -1 for a Unix domain socket} */
    public int getPort() { return getAddress() instanceof InetSocketAddress inet ? inet.getPort() : -1; }

    /** {@return the address and port listened on, or the path, also after the loop has ended} */
    public SocketAddress getAddress() { return acceptor.address; }

    /**
     * Runs the loop on the calling thread, and returns after {@link #stop}. An interrupt of the thread that
     * is seen before a handler is called acts as {@code stop}, and the interrupt flag is set when this
     * returns; one that is found after a handler has returned may have been meant for the handler, so it is
     * cleared, and logged as {@code handler_interrupt}. Every connection, the port and every descriptor are
     * free when it returns. A loop that was stopped before is freed at once.
     *
     * @throws IllegalStateException if it was started before, and not stopped since; or if the loop failed:
     *                               then the cause says why
     */
    public void start() {
        if (claimed.getAndSet(true)) {
            if (loop.stopped) return;
            throw new IllegalStateException("a loop starts once");
        }
        Watchdog dog = null;
        try {
            if (watchdog != null) {
                dog = new Watchdog(loop, watchdog);
                dog.start();
            }
            run();
        } catch (Throwable t) {
            loop.log.report(LOOP_ERROR, t);
            throw new IllegalStateException("the event loop failed", t);
        } finally {
            if (dog != null) dog.interrupt();
            free();
            if (loop.interrupted) Thread.currentThread().interrupt();
        }
    }

    private void run() throws IOException {
        tasks.begin();
        int failures = 0;
        while (true) {
            try {
                if (loop.checkStop() || hasLeft()) break;
                turn();
                failures = 0;
            } catch (Error | RuntimeException e) {
                failures++;
                if (e instanceof ClosedSelectorException || failures == MAX_FAILED_TURNS) throw e;
                failure = e;
            }
        }
        finish();
    }

    private void turn() throws IOException {
        if (failure != null) recover();
        long began = loop.now();
        long time = loop.clock.endTurn();
        // what was noted in a turn has the time of its beginning, which a long turn makes wrong
        if (time - began > loop.scheduler.resolution) {
            forEachConnection(connection -> connection.postpone(began, time));
        }
        // whoever leaves something from now on wakes the loop, and what was left before is seen here
        tasks.asleep = true;
        long nanos = tasks.isEmpty() ? loop.nanosToNext(time) : 0;
        // rounded up, so that the loop does not turn idly through the last millisecond
        if (nanos == 0) {
            selector.selectNow(dispatch);
        } else {
            selector.select(dispatch, nanos / 1_000_000 + 1);
        }
        tasks.asleep = false;
        // asked for before the tasks, so that none of them fails by asking, and is lost
        long now = loop.now();
        acceptor.onTurn(now);
        tasks.run(MAX_TASKS_PER_TURN);
        loop.scheduler.advance(now);
    }

    /** Lets others let memory go for a moment. A select that failed may have forgotten whom to watch. */
    private void recover() {
        LockSupport.parkNanos(PAUSE_NANOS);
        loop.log.report(TURN_ERROR, failure);
        forEachConnection(REARM);
        acceptor.rearm();
        failure = null;
    }

    /** Ends service: nothing more is taken, but what has been answered is sent as far as it goes at once. */
    private void finish() {
        loop.checkStop();
        loop.stopped = true;
        // those that were here when the last turn began, and those that came since
        tasks.run(Integer.MAX_VALUE);
        tasks.run(Integer.MAX_VALUE);
        forEachConnection(connection -> dropped += connection.countDropped());
    }

    private void forEachConnection(Consumer<Connection> action) {
        for (SelectionKey key : selector.keys()) {
            if (key.attachment() instanceof Connection connection) action.accept(connection);
        }
    }

    private boolean hasLeft() {
        boolean idle = loop.connectionCount.get() == 0 && tasks.isEmpty() && !acceptor.isOpen();
        return loop.leaving && (idle || loop.nanosLeft(loop.now()) == 0);
    }

    private void dispatch(SelectionKey key) {
        tasks.asleep = false;
        if (key.attachment() instanceof Connection connection) {
            connection.onReady();
        } else if (key.attachment() == acceptor) {
            acceptor.onReady();
        }
    }

    /**
     * Makes {@link #start} return soon, from any thread, the handler's too, and before {@code start} as well.
     * No request is taken any more. Answers given before are still written, as far as the sockets take them
     * at once, and a turn may write, some MiB for each. Only signals: wait for the thread that runs
     * {@code start} to know that the port is free.
     */
    public void stop() {
        loop.stopped = true;
        selector.wakeup();
    }

    /**
     * Leaves without dropping a request, if the time suffices. No more connections are accepted, but those
     * that wait already are let in. Requests that are here are answered, and the last answer of a connection
     * says {@code Connection: close}. What is idle is closed, after one more look whether it has sent a
     * request, and not before a second has passed since its last use, for a proxy may be sending another.
     * <p>
     * From another thread this returns when the loop has ended, and the port is free; on the loop's own
     * thread, in a handler, it only begins. A loop that was never started is freed. Called again, the earlier
     * end holds. If the waiting thread is interrupted it returns at once with its flag set, and the loop goes
     * on leaving. A handler that blocks the loop keeps it from ending: then this returns within a second
     * after the grace all the same, logs {@code leave_timeout}, and the port may still be bound.
     *
     * @param grace how long requests may take: 0 to 365 days; then what is left is dropped
     * @return how many requests were dropped: begun, or handed over and not answered, or not sent whole,
     *         those that a client has sent ahead included (several small answers that one client has not read
     *         count as one); of a loop that does not end, how many are handed over and not answered; 0 on the
     *         loop's own thread
     * @throws IllegalArgumentException if the time is out of its range
     */
    public int stop(Duration grace) {
        long until = until(grace);
        leave(until);
        return awaitEnd(until);
    }

    /** When a grace that begins now is over. */
    long until(Duration grace) {
        Options.within("grace", grace, Duration.ZERO, Duration.ofDays(365));
        return loop.clock.read() + grace.toNanos();
    }

    /** Has a loop that was started leave, unless it was stopped; frees one that was not. */
    void leave(long until) {
        if (!claimed.get()) stop();
        if (!claimed.getAndSet(true)) free();
        if (!loop.stopped) tasks.add(() -> beginLeaving(until));
    }

    private void beginLeaving(long until) {
        if (!loop.leave(until)) return;
        loop.log.report(LEAVE, loop.connectionCount.get());
        try {
            acceptor.leave();
        } catch (Throwable t) {
            loop.log.report(ACCEPT_ERROR, t);
            acceptor.close();
        }
        // each reads once more, for a request may be here, and sees its deadline anew
        forEachConnection(Connection::onReady);
    }

    /** Waits for the end until a grace is over, and a little longer; says how many requests were dropped. */
    int awaitEnd(long until) {
        if (loop.group.isLoopThread()) return 0;
        try {
            if (ended.await(until + END_NANOS - loop.clock.read(), TimeUnit.NANOSECONDS)) return dropped;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return dropped;
        }
        int unanswered = (int) loop.counters.get(Counters.UNANSWERED);
        loop.log.report(LEAVE_TIMEOUT, unanswered);
        return unanswered;
    }

    /** {@return what the loop has done so far; from any thread, also after it has ended} */
    public Stats stats() { return Counters.sum(loop); }

    /**
     * Does what {@link #stop} does, and returns when the loop has ended and the port is free; at once on the
     * loop's own thread, and where the waiting thread is interrupted; and after ten seconds if a handler
     * keeps the loop from ending, which is logged as {@code leave_timeout}. A loop that was never started is
     * freed.
     */
    @Override
    public void close() {
        stop();
        stop(CLOSE);
    }

    /** From now on other loops hand nobody over, as to one that leaves. */
    private void free() {
        // whoever frees a loop that never ran is its thread while it does so
        tasks.begin();
        loop.leaving = true;
        try {
            try {
                acceptor.close();
            } finally {
                closeSelector();
            }
            loop.clock.endTurn();
        } catch (Throwable t) {
            loop.log.report(LOOP_ERROR, t);
        } finally {
            endTasks();
        }
    }

    private void endTasks() {
        try {
            // a connection that another loop handed over meanwhile is closed by this
            tasks.end();
        } finally {
            loop.scheduler.clear();
            // what was called so far must not wait for the loop
            tasks.thread = null;
            ended.countDown();
        }
    }

    /** Only the selector's close frees the descriptors: a registered channel keeps its own until then. */
    private void closeSelector() throws IOException {
        try (selector) {
            for (SelectionKey key : selector.keys()) {
                if (key.attachment() instanceof Connection connection) connection.free();
                ClientSocket.close(key.channel(), key);
            }
        }
    }
}
