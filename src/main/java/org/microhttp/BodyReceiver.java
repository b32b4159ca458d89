package org.microhttp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Passes the body of one request on to the program's subscriber, as it comes and is requested. Its subscriber
 * may request and cancel from any thread, which becomes a task of the loop. The rest is for the loop's
 * thread.
 */
final class BodyReceiver implements Flow.Subscription, Runnable, Connection.Step {

    /** How much is read of a body of which nothing is requested, perhaps its end alone, and how often. */
    private static final int PROBE = 16;
    private static final long PROBE_NANOS = 1_000_000_000L;

    final Exchange exchange;

    /** What the handler gets after the body; null after the end. */
    private Request request;
    private final TaskQueue tasks;

    /** How many lists of buffers are requested and not passed on; negative after a cancel. */
    private final AtomicLong requested = new AtomicLong();

    /** Whether the subscriber has had its last signal. */
    private boolean ended;

    /** Whether something was requested at the end of the last turn, and how much might come then. */
    private boolean wanted;
    private long counted;

    BodyReceiver(Exchange exchange, TaskQueue tasks, Request request) {
        this.exchange = exchange;
        this.tasks = tasks;
        this.request = request;
    }

    /** Asks the handler who receives a body; returns how large the request may be then, 0 for in memory. */
    static long choose(Exchange exchange, Connection connection) {
        LoopContext loop = connection.loop;
        try {
            connection.receiver = ask(exchange, loop);
        } finally {
            if (connection.receiver == null) exchange.releasePlace();
        }
        loop.forgetTime();
        if (connection.receiver == null) return 0;
        connection.enter(ConnectionState.RECEIVING);
        connection.receiver.begin();
        loop.forgetTime();
        connection.began = loop.now();
        return loop.maxStreamedSize;
    }

    private static BodyReceiver ask(Exchange exchange, LoopContext loop) {
        Flow.Subscriber<? super List<ByteBuffer>> subscriber = null;
        try {
            subscriber = loop.handler.receiver(head(exchange, null));
        } catch (Throwable t) {
            exchange.take(Response.failed(t));
        }
        boolean none = subscriber == null && exchange.response == null;
        return none ? null : new BodyReceiver(exchange, loop.tasks, head(exchange, subscriber));
    }

    /** Signals the subscription, unless there is no subscriber because the handler failed. */
    private void begin() {
        exchange.takePlace();
        if (exchange.response == null) signal(() -> request.receiver().onSubscribe(this));
    }

    private static Request head(Exchange exchange, Flow.Subscriber<? super List<ByteBuffer>> subscriber) {
        return new Request(exchange.request, ByteQueue.NONE, exchange.client, subscriber);
    }

    /** Whether more is to be passed on. */
    boolean wants() { return requested.get() > 0; }

    /** Passes on what is requested, or ends and has the request handled; false if it waits for more. */
    boolean passOn(Connection connection) throws IOException {
        RequestParser parser = connection.parser;
        boolean over = requested.get() < 0 || exchange.response != null || parser.next() != null;
        boolean due = !over && wants() && parser.hasBody();
        if (due) {
            ByteBuffer piece = parser.takeBody();
            requested.updateAndGet(had -> had > 0 ? had - 1 : had);
            signal(() -> request.receiver().onNext(List.of(piece)));
            connection.loop.forgetTime();
        } else if (over) {
            connection.receiver = null;
            end();
            connection.handle(exchange, release());
        } else {
            await(connection);
        }
        return over || due;
    }

    /** Signals the end, unless it was cancelled or has failed: then the response is the last. */
    private void end() {
        boolean complete = !isOver() && exchange.response == null;
        ended = true;
        if (complete) signal(() -> request.receiver().onComplete());
        exchange.last |= !complete || exchange.response != null;
    }

    private void await(Connection connection) {
        Refusal.TRUNCATED.refuseIf(connection.socket.endOfStream);
        if (wants()) connection.sendContinue();
        if (wants() == wanted) return;
        wanted = wants();
        restart(connection);
        connection.socket.lastActive = connection.began;
    }

    /** Rule 3.13: a program that keeps its subscription keeps nothing else. */
    private Request release() {
        Request released = request;
        request = null;
        return released;
    }

    /** Signals a failure, unless it has ended. The handler does not get the request. */
    void fail(Throwable cause) {
        signalError(cause);
        // what the handler has failed with is logged
        exchange.response = null;
        release();
    }

    private void signalError(Throwable cause) {
        boolean due = !isOver() && exchange.response == null;
        ended = true;
        if (due) signal(() -> request.receiver().onError(cause));
    }

    /** What the subscriber throws is a failure of the handler. */
    private void signal(Runnable signal) {
        try {
            signal.run();
        } catch (Throwable t) {
            exchange.take(Response.failed(t));
        }
    }

    @Override
    public void request(long count) {
        // rule 3.17: so many are as good as without a limit
        long most = Long.MAX_VALUE - Math.max(count, 0);
        long had = requested.getAndUpdate(now -> now < 0 || count <= 0 ? now : Math.min(now, most) + count);
        if (count <= 0) tasks.add(() -> refuse(count));
        if (had == 0) tasks.add(this);
    }

    /** Whether it has ended or was cancelled. */
    private boolean isOver() { return ended || requested.get() < 0; }

    /** Rule 3.9; and 3.6, by which it may not matter any more. */
    private void refuse(long count) {
        if (isOver()) return;
        var cause = new IllegalArgumentException("requested " + count + " buffers; allowed: 1 or more");
        signalError(cause);
        exchange.take(Response.failed(cause));
        cancel();
    }

    @Override
    public void cancel() {
        if (requested.getAndSet(-1) >= 0) tasks.add(this);
    }

    @Override
    public void run() { exchange.turn(this); }

    @Override
    public void run(Connection connection) throws IOException { connection.serve(); }

    /** From now on the client is waited for, or the subscriber. */
    private void restart(Connection connection) {
        counted = connection.parser.left;
        connection.began = connection.loop.now();
    }

    /** Until when the connection waits. While nothing is requested it looks for a reset meanwhile. */
    long deadline(long silenceEnd, long began, LoopContext loop) {
        if (wanted) return Scheduler.earlier(silenceEnd, began + loop.requestTimeout);
        return Scheduler.earlier(loop.now() + PROBE_NANOS, began + loop.handlerTimeout);
    }

    /** Looks for a reset, and for the end of a body of which nothing is requested. */
    void look(Connection connection) throws IOException {
        if (connection.socket.hasFailed()) throw new IOException("the client has reset the connection");
        connection.receive(PROBE);
        connection.serve();
        LoopContext loop = connection.loop;
        boolean tooLong = loop.now() - connection.began >= loop.handlerTimeout;
        Refusal.HANDLER_TIMEOUT.refuseIf(tooLong && connection.receiver == this, loop.handlerTimeout);
    }

    /** Whether too little has come since the client was waited for; if not, begins to wait anew. */
    boolean isTooSlow(Connection connection) {
        boolean tooSlow = counted - connection.parser.left < connection.loop.minReceived;
        if (!tooSlow) restart(connection);
        return tooSlow;
    }
}
