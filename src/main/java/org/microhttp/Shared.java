package org.microhttp;

import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the connections of one loop have in common: buffers, limits, the time, and the tasks for the loop's
 * thread, by which a response that was made elsewhere comes back. All but {@link #execute} is for the loop's
 * thread alone.
 */
final class Shared implements Executor {

    /** What is encoded in one go; larger responses leave piece by piece through it. */
    private static final int WRITE_BUFFER_SIZE = 64 * 1024;

    /** Stands in the queue behind the tasks of a turn. */
    private static final Runnable END = () -> { };

    final Selector selector;
    final Handler handler;
    final EventLog log;
    final Scheduler scheduler;
    final ResponseEncoder encoder = new ResponseEncoder();
    final Limits limits;
    final Common common;
    final long socketTimeout, requestTimeout, handlerTimeout;

    /**
     * Where the loop receives, and where bytes are parsed from if nothing was left over from the turn before.
     */
    final ByteBuffer received;
    final byte[] scratch;

    /** Where answers are collected; empty between turns. */
    final ByteBuffer out = ByteBuffer.allocateDirect(WRITE_BUFFER_SIZE);

    /** How many connections are open, or on their way here from a loop that accepted them. */
    final AtomicInteger open = new AtomicInteger();

    /** Who accepts for this loop; whether it waits for a place or a descriptor. */
    Listener listener;
    volatile boolean paused;

    /** Whether no more connections are wanted, since when, and until when what is here may finish. */
    volatile boolean leaving;
    long leavingSince, leavingUntil;

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    /** The loop's thread; whether the loop sleeps, so that the next look at the time reads the clock. */
    volatile Thread thread;
    boolean asleep = true;

    private boolean marked;
    private long now = System.nanoTime();

    Shared(Selector selector, Options options, Logger logger, Handler handler, Common common) {
        this.selector = selector;
        this.handler = Objects.requireNonNull(handler, "handler");
        log = new EventLog(Objects.requireNonNull(logger, "logger"));
        scheduler = new Scheduler(now, options.resolution.toNanos());
        limits = new Limits(options.maxRequestSize, options.maxHeaderSize, options.maxHeaders);
        this.common = common;
        socketTimeout = options.socketTimeout.toNanos();
        requestTimeout = options.requestTimeout.toNanos();
        handlerTimeout = options.handlerTimeout.toNanos();
        received = ByteBuffer.allocateDirect(options.readBufferSize);
        scratch = new byte[options.readBufferSize];
    }

    /** The time of this turn: the clock is read once a turn, when it is first asked for. */
    long now() {
        if (asleep) log.counters.turnBegins(now = System.nanoTime());
        asleep = false;
        return now;
    }

    /** Ends a turn, before the loop waits for its sockets. */
    void sleep() {
        if (!asleep) log.counters.turnEnds(System.nanoTime());
        asleep = true;
    }

    /** A connection is closed that was counted here. */
    void closed() { open.decrementAndGet(); common.closed(); }

    /** How long nothing is due: 0 or more nanoseconds. */
    long nanosToNext() {
        long nanos = scheduler.nanosToNext(now());
        return leaving ? Math.max(0, Math.min(nanos, leavingUntil - now)) : nanos;
    }

    boolean isLoopThread() { return Thread.currentThread() == thread; }

    /** Runs a task on the loop's thread, soon. A selector that is woken once stays so: again is cheap. */
    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        // the loop looks at the queue before it sleeps, so on its own thread nothing is to be woken
        if (!isLoopThread()) selector.wakeup();
    }

    boolean hasTasks() { return !tasks.isEmpty(); }

    /** Runs the tasks that are here now, at most so many: those that come of them wait for the next turn. */
    void runTasks(int most) {
        if (!marked && hasTasks()) marked = tasks.add(END);
        Runnable task = null;
        for (int i = 0; i < most && task != END && (task = tasks.poll()) != null; i++) task.run();
        marked &= task != END;
    }
}
