package org.microhttp;

import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the parts of one loop have in common, and whether and how it is ending: stopped, so that no request is
 * taken any more; or leaving, so that what is here may finish until a time. While it leaves, a connection
 * that waits for a request, or for input to discard, is closed when for a second nothing was read or written
 * that counts.
 * <p>
 * All of it is for the loop's thread, except what others may use: {@code tasks}, {@code counters} and
 * {@code acceptor}, as far as these say so themselves; {@code log}; {@code connectionCount};
 * {@code stopped}, which they may set, and {@code leaving}, which they may ask.
 */
final class LoopContext {

    /** What is encoded in one go; larger responses leave piece by piece through it. */
    private static final int WRITE_BUFFER_SIZE = 64 * 1024;

    /** A full read buffer holds some 1,700 small requests; between batches of these others get their turn. */
    private static final int MAX_REQUESTS_PER_TURN = 128;

    /** A client that reads as fast as we write must not hold the loop: 1 MiB, or 4 MiB that is not copied. */
    private static final int MAX_WRITES_PER_TURN = 16;

    /** How long a loop that leaves waits for what a proxy may be sending, on what was used so recently. */
    private static final long STAY = 1_000_000_000L;

    final GroupContext group;
    final Handler handler;
    final EventLog log;
    final Counters counters = new Counters();
    final TurnClock clock;
    final TaskQueue tasks;
    final Scheduler scheduler;
    final ResponseTail tail;
    final Response overloaded;
    final RequestParser.Limits limits;
    final long socketTimeout, requestTimeout, handlerTimeout, maxRequests;

    /**
     * Where the loop receives, and where bytes are parsed from if nothing was left over from the turn before.
     */
    final ByteBuffer received;
    final byte[] scratch;

    /** Where responses are collected; empty between turns. */
    final ByteBuffer out = ByteBuffer.allocateDirect(WRITE_BUFFER_SIZE);

    /** For the response that is encoded just now; whoever cannot send it whole takes the encoder along. */
    ResponseEncoder encoder = new ResponseEncoder();

    /** How many connections are open, or on their way here from a loop that accepted them. */
    final AtomicInteger connectionCount = new AtomicInteger();

    /** What the present turn of a connection may still do. */
    int requestsLeft, writesLeft;

    /** Who accepts for this loop. */
    Acceptor acceptor;

    /** Whether no request is taken any more; whether no connection is wanted any more. */
    volatile boolean stopped, leaving;

    /** Whether an interrupt asked for the end. */
    boolean interrupted;

    /** Until when it may leave. */
    private long until;

    LoopContext(Selector selector, Options options, Logger logger, Handler handler, GroupContext group) {
        this.group = group;
        this.handler = Objects.requireNonNull(handler, "handler");
        log = new EventLog(Objects.requireNonNull(logger, "logger"));
        clock = new TurnClock(options.clock);
        tasks = new TaskQueue(selector, log);
        scheduler = new Scheduler(clock.read(), options.resolution.toNanos());
        tail = new ResponseTail(options.clock);
        overloaded = Refusal.OVERLOAD.response(options.maxPendingRequests, new Header("Retry-After", "1"));
        limits = new RequestParser.Limits(options.maxRequestSize, options.maxHeaderSize, options.maxHeaders,
                options.proxyProtocol, group.bytes);
        maxRequests = options.maxRequestsPerConnection;
        socketTimeout = options.socketTimeout.toNanos();
        requestTimeout = options.requestTimeout.toNanos();
        handlerTimeout = options.handlerTimeout.toNanos();
        received = ByteBuffer.allocateDirect(options.readBufferSize);
        scratch = new byte[options.readBufferSize];
    }

    /** The time of the turn. */
    long now() { return clock.now(); }

    /** Begins the turn of a connection. */
    void beginConnectionTurn() {
        requestsLeft = MAX_REQUESTS_PER_TURN;
        writesLeft = MAX_WRITES_PER_TURN;
    }

    /** A connection is closed that was counted here. */
    void connectionClosed() {
        connectionCount.decrementAndGet();
        group.giveBackPlace(true);
    }

    /** How long nothing is due: 0 or more nanoseconds. */
    long nanosToNext(long time) {
        return Math.min(Math.min(scheduler.nanosToNext(time), acceptor.nanosToRetry(time)),
                nanosLeft(time));
    }

    /** Whether no request is taken any more. Puts an interrupt flag aside, which would close files. */
    boolean checkStop() {
        if (Thread.interrupted()) {
            interrupted = true;
            stopped = true;
        }
        return stopped;
    }

    /** Begins to leave; the earlier end holds. True for the first time. */
    boolean leave(long end) {
        boolean first = !leaving;
        if (first || end - until < 0) until = end;
        leaving = true;
        return first;
    }

    /** How much time is left to a loop that leaves, and how long it may sleep: 0 or more nanoseconds. */
    long nanosLeft(long now) { return leaving ? Math.max(0, until - now) : Long.MAX_VALUE; }

    /** When a connection that is idle is closed: at a deadline of its own, or earlier if the loop leaves. */
    long idleDeadline(ClientSocket idle, long own) {
        return leaving ? Scheduler.earlier(idle.lastActive + STAY, own) : own;
    }
}
