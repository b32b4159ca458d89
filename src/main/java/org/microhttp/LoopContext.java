package org.microhttp;

import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.microhttp.protocol.Refusal;

/**
 * What the parts of one loop share. Only the loop's thread uses it, with these exceptions. Other threads may
 * use {@code group}, {@code log}, {@code tasks}, {@code counters}, {@code clock}, {@code end} and
 * {@code door} as those classes allow, {@code connectionCount} and {@code connectionClosed}.
 */
final class LoopContext {

    /** Where connections come into a loop, as the other loops of its group see it. */
    interface Door {

        /** Says whether accepting has paused and can go on now. Any thread may call it. */
        boolean canGoOn();

        /**
         * Registers, on the loop's thread, a connection that the loop counts already; turns it away if the
         * loop has ended.
         */
        void admit(SocketChannel accepted);

        /** Closes a connection that the loop counts but cannot serve. Any thread may call it. */
        void turnAway(SocketChannel accepted, Event event, Object why);
    }

    final GroupContext group;
    final EventLog log;
    final Counters counters = new Counters();
    final LoopClock clock;
    final TaskQueue tasks;
    final Scheduler scheduler;
    final LoopEnd end = new LoopEnd();

    final Handler handler;
    final ErrorHandler errorHandler;
    final Consumer<ExchangeSummary> exchangeListener;

    final ConnectionLimits limits;
    final ConnectionTurn connectionTurn = new ConnectionTurn();
    final LoopBuffers buffers;
    final WriteShares shares = new WriteShares();
    final ResponseTail tail;
    final Response overloaded;

    /** How many connections are open, or on their way from a loop that accepted them. */
    final AtomicInteger connectionCount = new AtomicInteger();

    /** The acceptor of this loop. */
    Door door;

    LoopContext(Selector selector, Options options, Logger logger, Handler handler, GroupContext group) {
        this.group = group;
        this.handler = Objects.requireNonNull(handler, "handler");
        EventLog log = new EventLog(Objects.requireNonNull(logger, "logger"));
        this.log = log;
        clock = new LoopClock(options.clock());
        tasks = new TaskQueue(selector, failure -> log.report(Event.TURN_ERROR, failure));
        scheduler = new Scheduler(clock.nanoTime(), options.resolution().toNanos());
        errorHandler = options.errorHandler();
        exchangeListener = options.exchangeListener();
        limits = new ConnectionLimits(options, group.bytes);
        buffers = new LoopBuffers(options.readBufferSize());
        tail = new ResponseTail(options.clock()::currentTimeMillis);
        overloaded = Response.refusing(Refusal.OVERLOAD, options.maxPendingRequests());
    }

    void beginTurn() {
        shares.begin();
        clock.beginTurn();
    }

    /** Says whether more waits in the heap than the loop's part of the budget: then no request is read. */
    boolean isFull() {
        return shares.inLine > 0 && shares.inLine > group.bytes.limit / Math.max(1, group.loops.length);
    }

    /** Cancels what waits, because all connections are closed. */
    void clear() {
        scheduler.clear();
        shares.clear();
    }

    /** Releases the place of a closed connection that was counted here. */
    void connectionClosed() {
        connectionCount.decrementAndGet();
        group.closed.incrementAndGet();
        group.releaseConnection();
    }

    /** Says whether no more requests are taken. An interrupt acts as a stop. */
    boolean checkStop() {
        if (end.noticeInterrupt()) log.report(Event.LOOP_INTERRUPT, connectionCount.get());
        return end.stopped;
    }

    /** Begins a graceful stop, or moves its end earlier. Returns true the first time. */
    boolean leave(long until) {
        boolean first = !end.leaving;
        end.leaveUntil(until);
        group.exclude(this);
        return first;
    }
}
