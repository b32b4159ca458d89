package org.microhttp;

import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the parts of one loop share, the time, and whether the loop ends. A loop that is stopped takes no more
 * requests. A loop that leaves, in a graceful stop, finishes what is here until a time; meanwhile it closes a
 * connection that waits for a request, or that lingers, a second after its last request or write.
 * <p>
 * Everything is for the loop's thread, except for what others may use: {@code tasks}, {@code counters} and
 * {@code acceptor}, as far as these classes say so; {@code group}, {@code clock}, {@code log},
 * {@code connectionCount}, {@code connectionClosed} and {@code ended}; {@code stopped}, which they may read
 * and set; {@code leaving}, {@code turnBegan} and {@code longestTurn}, which they may read.
 */
final class LoopContext {

    /** No time. */
    static final long NONE = Long.MIN_VALUE;

    /** What is sent in one write, and queued before that. A large body in memory is sent in larger pieces. */
    static final int BATCH = 64 * 1024;

    /** What a file counts as at least, so that at most eight are queued. */
    static final int FILE = BATCH / 8;

    /** A full read buffer holds some 1,700 small requests; after a batch of these, others get their turn. */
    private static final int MAX_REQUESTS_PER_TURN = 128;

    /** A client that reads as fast as we write must not hold the loop: 1 MiB, or 4 MiB that is not copied. */
    private static final int MAX_WRITES_PER_TURN = 16;

    /** While the loop leaves, a connection used so recently stays open, for a proxy may be sending on it. */
    private static final long STAY = 1_000_000_000L;

    final GroupContext group;
    final Handler handler;
    final EventLog log;
    final Counters counters = new Counters();
    final Options.Clock clock;
    final TaskQueue tasks;
    final Scheduler scheduler;
    final ResponseTail tail;
    final Response overloaded;
    final ErrorHeaders errorHeaders;
    final RequestParser.Limits limits;
    final long socketTimeout, requestTimeout, handlerTimeout, streamTimeout, maxRequests;

    /** How many bytes a client must take in each {@code socketTimeout} in which it is sent something. */
    final long minTaken;

    /** How large a request with a streamed body may be; how much of it must come in a requestTimeout. */
    final long maxStreamedSize, minReceived;

    /** Where the loop receives, and where bytes are parsed unless some are left from the turn before. */
    final ByteBuffer received;
    final byte[] scratch;

    /** Where responses are collected for one write; it holds nothing between writes. */
    final ByteBuffer out = ByteBuffer.allocateDirect(4 * BATCH);

    /** How many connections are open, or on their way here from a loop that accepted them. */
    final AtomicInteger connectionCount = new AtomicInteger();

    /** Opened when the loop has ended and everything is closed. */
    final CountDownLatch ended = new CountDownLatch(1);

    /** How many requests a connection's present turn may still take, and how many writes it may still do. */
    int requestsLeft, writesLeft;

    /** When this is 0 or less, no request is taken until all is sent; the last response may go below it. */
    long bytesLeft;

    /** Accepts for this loop. */
    Acceptor acceptor;

    /** Whether no more requests are taken; whether it leaves or ends, and gets no connection of others. */
    volatile boolean stopped, leaving;

    /** Whether an interrupt asked for the end. */
    boolean interrupted;

    /** When the present turn of the loop began, {@link #NONE} between turns; how long the longest took. */
    volatile long turnBegan = NONE, longestTurn;

    /** What {@link #now} returns; {@link #NONE} if the clock must be read first. */
    private long now = NONE;

    /** When a loop that leaves ends at the latest. */
    long until;

    LoopContext(Selector selector, Options options, Logger logger, Handler handler, GroupContext group) {
        this.group = group;
        this.handler = Objects.requireNonNull(handler, "handler");
        log = new EventLog(Objects.requireNonNull(logger, "logger"));
        clock = options.clock;
        tasks = new TaskQueue(selector, log);
        scheduler = new Scheduler(clock.nanoTime(), options.resolution.toNanos());
        tail = new ResponseTail(clock);
        overloaded = Refusal.OVERLOAD.response(options.maxPendingRequests);
        errorHeaders = options.errorHeaders;
        limits = new RequestParser.Limits(options.maxRequestSize, options.maxHeaderSize, options.maxHeaders,
                options.proxyProtocol, group.bytes);
        maxRequests = options.maxRequestsPerConnection;
        socketTimeout = options.socketTimeout.toNanos();
        requestTimeout = options.requestTimeout.toNanos();
        handlerTimeout = options.handlerTimeout.toNanos();
        streamTimeout = options.streamTimeout == null ? handlerTimeout : options.streamTimeout.toNanos();
        minTaken = (long) (options.socketTimeout.toMillis() / 1e3 * options.minSendRate);
        maxStreamedSize = options.maxStreamedSize;
        minReceived = options.minReceiveRate == 0 ? options.maxRequestSize
                : (long) Math.ceil(options.requestTimeout.toMillis() / 1e3 * options.minReceiveRate);
        received = ByteBuffer.allocateDirect(options.readBufferSize);
        scratch = new byte[options.readBufferSize];
    }

    /** The time, as it was when the loop's turn began, or after what last may have taken long. */
    long now() {
        if (now == NONE) now = clock.nanoTime();
        return now;
    }

    /** A handler, writes or a disk may have taken long: the next call of {@link #now} reads the clock. */
    void forgetTime() { now = NONE; }

    /** Begins a turn of the loop: it is awake. */
    void beginTurn() {
        forgetTime();
        turnBegan = now();
    }

    void beginConnectionTurn() {
        requestsLeft = MAX_REQUESTS_PER_TURN;
        writesLeft = MAX_WRITES_PER_TURN;
        bytesLeft = BATCH;
    }

    /** Ends a turn of the loop, and returns the time. */
    long endTurn() {
        long end = clock.nanoTime();
        if (turnBegan != NONE) longestTurn = Math.max(longestTurn, end - turnBegan);
        turnBegan = NONE;
        forgetTime();
        return end;
    }

    /** A connection is closed that was counted here. */
    void connectionClosed() {
        connectionCount.decrementAndGet();
        group.closed.incrementAndGet();
        group.releaseConnection();
    }

    /** Whether no more requests are taken. Clears and notes an interrupt flag, which would close files. */
    boolean checkStop() {
        if (Thread.interrupted()) {
            interrupted = true;
            stopped = true;
        }
        return stopped;
    }

    /** Begins a graceful stop; the earlier end holds. True the first time. */
    boolean leave(long end) {
        boolean first = !leaving;
        if (first || end - until < 0) until = end;
        group.exclude(this);
        return first;
    }

    /**
     * When an idle connection is closed: at a deadline of its own, or earlier if the loop leaves. Idle is one
     * in state IDLE, of whose next request no byte has come, or in LINGERING. In a graceful stop its deadline
     * is a second after its last use. {@code EventLoop.beginLeaving} has each connection take a turn, at
     * whose end {@code Connection.settle} sets this; when it has passed, {@code Connection.giveUp} reads
     * once more, and closes if nothing is there.
     */
    long idleDeadline(ClientSocket idle, long own) {
        return leaving ? Scheduler.earlier(idle.lastActive + STAY, own) : own;
    }
}
