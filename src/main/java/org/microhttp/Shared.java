package org.microhttp;

import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the connections of one loop have in common: buffers, limits, the time, and the tasks for the loop's
 * thread, by which a response that was made elsewhere comes back. Other threads call {@link #execute}, and
 * look at what is volatile or atomic; all else is for the loop's thread alone.
 */
final class Shared {

    /** What is encoded in one go; larger responses leave piece by piece through it. */
    private static final int WRITE_BUFFER_SIZE = 64 * 1024;

    /** A full read buffer holds some 1,700 small requests; between batches of these others get their turn. */
    private static final int MAX_REQUESTS_PER_TURN = 128;

    /** A client that reads as fast as we write must not hold the loop for the whole response: 1 MiB. */
    private static final int MAX_WRITES_PER_TURN = 16;

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

    /** What the present turn of a connection may still do. */
    int requestsLeft, writesLeft;

    /** How many places among the pending requests its connections hold; whether the group has them. */
    int places;
    boolean gone;

    /** Who accepts for this loop. */
    Listener listener;

    /** Whether no request is taken any more; whether an interrupt asked for it; whether no task is. */
    volatile boolean stopped;
    boolean interrupted;
    private volatile boolean ended;

    /** Whether no more connections are wanted, since when, and until when what is here may finish. */
    volatile boolean leaving;
    long leavingSince, leavingUntil;

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    /** The loop's thread; whether the loop sleeps, so that the next look at the time reads the clock. */
    volatile Thread thread;
    private boolean asleep = true;

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
        if (asleep) {
            now = System.nanoTime();
            log.counters.turnBegins(now);
            asleep = false;
        }
        return now;
    }

    /** The time that was the present in the last turn, or is in this. */
    long lastNow() { return now; }

    /** Ends a turn, before the loop waits for its sockets, and says what time it is by then. */
    long sleep() {
        long time = System.nanoTime();
        if (!asleep) log.counters.turnEnds(time);
        asleep = true;
        return time;
    }

    /** Begins the turn of a connection. */
    void beginTurn() {
        requestsLeft = MAX_REQUESTS_PER_TURN;
        writesLeft = MAX_WRITES_PER_TURN;
    }

    /** Whether no request is taken any more. An interrupt flag, which would close channels, is put aside. */
    boolean isStopped() {
        if (Thread.interrupted()) {
            interrupted = true;
            stopped = true;
        }
        return stopped;
    }

    /** Whether a loop that leaves has no more time. */
    boolean isTimeOver() { return leaving && now() - leavingUntil >= 0; }

    /** A connection is closed that was counted here. */
    void closed() {
        open.decrementAndGet();
        common.closed();
    }

    /** Takes a place for a request that goes to the handler; false if there is none. */
    boolean takePlace(Exchange exchange) {
        if (!common.requests.isLimited()) return true;
        if (!common.requests.tryTake(1)) return false;
        exchange.hasPlace = true;
        places++;
        return true;
    }

    /** The handler has the request no longer, or has had it for too long; harmless when done already. */
    void givePlaceBack(Exchange exchange) {
        if (!exchange.hasPlace) return;
        exchange.hasPlace = false;
        places--;
        common.requests.giveBack(1);
    }

    /** How long nothing is due: 0 or more nanoseconds. */
    long nanosToNext(long time) {
        long nanos = Math.min(scheduler.nanosToNext(time), listener.nanosToRetry(time));
        return leaving ? Math.max(0, Math.min(nanos, leavingUntil - time)) : nanos;
    }

    boolean isLoopThread() { return Thread.currentThread() == thread; }

    /**
     * Runs a task on the loop's thread, soon; false if it never will be, for the loop has ended. A selector
     * that is woken once stays so: again is cheap.
     */
    boolean execute(Runnable task) {
        tasks.add(task);
        // the loop looks at the queue before it sleeps, so on its own thread nothing is to be woken
        if (!isLoopThread()) selector.wakeup();
        // the end is told before the queue is emptied for the last time: a task is run, or taken back here
        return !ended || !tasks.remove(task);
    }

    boolean hasTasks() { return !tasks.isEmpty(); }

    /** Runs the tasks that are here now, at most so many: those that come of them wait for the next turn. */
    void runTasks(int most) {
        if (!marked && hasTasks()) marked = tasks.add(END);
        for (int i = 0; i < most; i++) {
            Runnable task = tasks.poll();
            if (task == END) marked = false;
            if (task == END || task == null) return;
            run(task);
        }
    }

    private void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable t) {
            log.turnFailed(t);
        }
    }

    /** Takes no task any more, and runs those that are here. */
    void end() {
        ended = true;
        while (hasTasks()) runTasks(Integer.MAX_VALUE);
        scheduler.clear();
    }
}
