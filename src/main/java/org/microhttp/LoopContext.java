package org.microhttp;

import java.nio.ByteBuffer;
import java.nio.channels.*;
import java.util.Objects;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.microhttp.protocol.Refusal;
import org.microhttp.protocol.RequestParser;

/**
 * What the parts of one loop share, the time, and whether the loop ends. A stopped loop takes no more
 * requests. A leaving loop, in a graceful stop, finishes pending requests until a time; it closes a
 * connection that waits for a request, or lingers, a second after its last use.
 * <p>
 * Only the loop's thread uses it, with these exceptions. Other threads may use {@code tasks},
 * {@code counters} and {@code door} as those classes allow, {@code group}, {@code clock}, {@code log},
 * {@code connectionCount}, {@code connectionClosed} and {@code ended}; they may read and set {@code stopped},
 * and read {@code leaving}, {@code turnBegan} and {@code longestTurn}.
 */
final class LoopContext {

    /** Where connections come into a loop, as the other loops of its group see it. */
    interface Door {

        /** Says whether accepting has paused and can go on now. Any thread may call it. */
        boolean canGoOn();

        /** Registers a connection that the loop counts already, or turns it away, on the loop's thread. */
        void admit(SocketChannel accepted);

        /** Closes a connection that the loop counts but cannot serve. Any thread may call it. */
        void turnAway(SocketChannel accepted, Event event, Object why);
    }

    /** No time. */
    static final long NONE = Long.MIN_VALUE;

    /** How many bytes may be queued before a write. */
    static final int BATCH = 64 * 1024;

    /** How many bytes one write sends; larger responses are sent in pieces. */
    static final int PIECE = 4 * BATCH;

    /** A queued file counts as this many bytes at least, so that at most eight are queued. */
    static final int FILE = BATCH / 8;

    /** A full read buffer holds some 1,700 small requests; after a batch of these, others get their turn. */
    private static final int MAX_REQUESTS_PER_TURN = 128;

    /** In a graceful stop a connection used so recently stays open, for a proxy may be sending on it. */
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
    final ErrorHandler errorHandler;
    final Consumer<ExchangeSummary> exchangeListener;
    final RequestParser.Limits limits;
    final long socketTimeout, requestTimeout, handlerTimeout, streamTimeout, maxRequests;

    /** How many bytes a client must take in each {@code socketTimeout} in which it is sent something. */
    final long minTaken;

    /** How large a request with a streamed body may be; how many bytes must come in a requestTimeout. */
    final long maxStreamedSize, minReceived;

    /** The read buffer, and the array in which bytes are parsed unless some are left from an earlier turn. */
    final ByteBuffer received;
    final byte[] scratch;

    /** Collects responses for one write; it is empty between writes. */
    final ByteBuffer out = ByteBuffer.allocateDirect(PIECE);

    /**
     * What a turn of the loop may write: 4 MiB of small responses, which have at most 16 KiB, so that 1,024
     * sockets, as many as a selector reports at once, get 4 KiB each; and 1 MiB of large ones.
     */
    final WriteShare small = new WriteShare(BATCH / 4, 16 * PIECE), large = new WriteShare(PIECE, 4 * PIECE);

    /** How many bytes of bodies wait in line in the heap. */
    long inLine;

    /** How many connections are open, or on their way from a loop that accepted them. */
    final AtomicInteger connectionCount = new AtomicInteger();

    /** Completes when the loop has ended and everything is closed; fails with what the start throws. */
    final CompletableFuture<Void> ended = new CompletableFuture<>();

    /** How many requests a connection's present turn may still take. */
    int requestsLeft;

    /** Whether the present flush has sent a part of a body that may be on a disk. */
    boolean slow;

    /** When this is 0 or less, no request is taken until all is sent; the last response may exceed it. */
    long bytesLeft;

    /** The acceptor of this loop. */
    Door door;

    /** Whether no more requests are taken; whether the loop leaves or ends, so others hand nothing over. */
    volatile boolean stopped, leaving;

    /** Whether an interrupt asked for the end. */
    boolean interrupted;

    /** When the present turn of the loop began, {@link #NONE} between turns; how long the longest took. */
    volatile long turnBegan = NONE, longestTurn;

    /** What {@link #now} returns; {@link #NONE} if the clock must be read first. */
    private long now = NONE;

    /** The latest end of a leaving loop. */
    long until;

    LoopContext(Selector selector, Options options, Logger logger, Handler handler, GroupContext group) {
        this.group = group;
        this.handler = Objects.requireNonNull(handler, "handler");
        EventLog log = new EventLog(Objects.requireNonNull(logger, "logger"));
        this.log = log;
        clock = options.clock();
        tasks = new TaskQueue(selector, failure -> log.report(Event.TURN_ERROR, failure));
        scheduler = new Scheduler(clock.nanoTime(), options.resolution().toNanos());
        tail = new ResponseTail(clock::currentTimeMillis);
        overloaded = Response.refusing(Refusal.OVERLOAD, options.maxPendingRequests());
        errorHandler = options.errorHandler();
        exchangeListener = options.exchangeListener();
        limits = new RequestParser.Limits(options.maxRequestSize(), options.maxHeaderSize(),
                options.maxHeaders(), options.proxyProtocol(), group.bytes);
        maxRequests = options.maxRequestsPerConnection();
        socketTimeout = options.socketTimeout().toNanos();
        requestTimeout = options.requestTimeout().toNanos();
        handlerTimeout = options.handlerTimeout().toNanos();
        streamTimeout = options.streamTimeout().toNanos();
        minTaken = (long) (options.socketTimeout().toMillis() / 1e3 * options.minSendRate());
        maxStreamedSize = options.maxStreamedSize();
        minReceived = (long) Math.ceil(options.requestTimeout().toMillis() / 1e3 * options.minReceiveRate());
        received = ByteBuffer.allocateDirect(options.readBufferSize());
        scratch = new byte[options.readBufferSize()];
    }

    /** Returns the time at the beginning of the turn, or after the last step that may have taken long. */
    long now() {
        if (now == NONE) now = clock.nanoTime();
        return now;
    }

    /** Has the next call of {@link #now} read the clock, because a handler or a disk may have taken long. */
    void forgetTime() {
        now = NONE;
        slow = false;
    }

    /** Begins a turn of the loop, which is awake now. */
    void beginTurn() {
        renewShares();
        forgetTime();
        turnBegan = now();
    }

    void beginConnectionTurn() {
        requestsLeft = MAX_REQUESTS_PER_TURN;
        bytesLeft = BATCH;
    }

    void renewShares() {
        small.begin();
        large.begin();
    }

    /** Says whether responses wait for a turn of the loop, though their sockets may take more. */
    boolean hasMoreToWrite() { return small.isAwaited() || large.isAwaited(); }

    /** Says whether more waits in the heap than the loop's part of the budget: then sockets are not read. */
    boolean isFull() {
        return inLine > 0 && inLine > group.bytes.limit / Math.max(1, group.loops.length);
    }

    /** Writes what waits, as much as the turn of the loop may. */
    void writeMore() {
        small.serve();
        large.serve();
    }

    /** Ends a turn of the loop, and returns the time. */
    long endTurn() {
        long end = clock.nanoTime();
        if (turnBegan != NONE) longestTurn = Math.max(longestTurn, end - turnBegan);
        turnBegan = NONE;
        forgetTime();
        return end;
    }

    /** Has nobody wait any more, because all connections are closed. */
    void clear() {
        scheduler.clear();
        small.clear();
        large.clear();
    }

    /** Releases the place of a closed connection that was counted here. */
    void connectionClosed() {
        connectionCount.decrementAndGet();
        group.closed.incrementAndGet();
        group.releaseConnection();
    }

    /** Waits for an end, at most so long; returns whether it has come. */
    static boolean await(CompletableFuture<Void> end, long nanos) throws InterruptedException {
        try {
            end.get(nanos, TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            // start() throws what has failed
        } catch (TimeoutException e) {
            return false;
        }
        return true;
    }

    /** Says whether no more requests are taken. Takes an interrupt for a stop; its flag would close files. */
    boolean checkStop() {
        if (Thread.interrupted()) {
            boolean first = !stopped;
            interrupted = true;
            stopped = true;
            if (first) log.report(Event.LOOP_INTERRUPT, connectionCount.get());
        }
        return stopped;
    }

    /** Begins a graceful stop, or moves its end earlier. Returns true the first time. */
    boolean leave(long end) {
        boolean first = !leaving;
        if (first || end - until < 0) until = end;
        group.exclude(this);
        return first;
    }

    /**
     * Returns when an idle connection is closed: at its own deadline, or in a graceful stop a second after
     * its last use, if that is earlier. A connection is idle in the states IDLE and LINGERING.
     * {@code EventLoop.beginLeaving} has each connection take a turn, at whose end {@code Connection.settle}
     * sets this deadline; when it has passed, {@code Timeouts.giveUp} reads once more, and closes the
     * connection if nothing has come.
     */
    long idleDeadline(long lastActive, long own) {
        return leaving ? Scheduler.earlier(lastActive + STAY, own) : own;
    }
}
