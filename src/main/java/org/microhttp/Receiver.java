package org.microhttp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Passes on to a subscriber of the program what a client sends, as it comes and is requested. The program may
 * request and cancel from any thread, which becomes a task of the loop. The rest is for the loop's thread.
 */
abstract class Receiver implements Flow.Subscription, Runnable, Connection.Step {

    final Exchange exchange;
    private final TaskQueue tasks;

    /** Who is signalled; null after the end: a program that keeps its subscription keeps nothing else. */
    Flow.Subscriber<? super List<ByteBuffer>> subscriber;

    /** How many lists of buffers are requested and not passed on; negative after a cancel. */
    private final AtomicLong requested = new AtomicLong();

    /** Rule 3.9: the program has requested less than one list; null if it has not. */
    private volatile Throwable mistake;

    /** Whether the subscriber has had its last signal, or has failed. */
    private boolean ended;

    /** Without a subscriber it has ended. */
    Receiver(Exchange exchange, TaskQueue tasks, Flow.Subscriber<? super List<ByteBuffer>> subscriber) {
        this.exchange = exchange;
        this.tasks = tasks;
        this.subscriber = subscriber;
        ended = subscriber == null;
    }

    /** Whether what comes is over: it is complete, or not wanted any more. */
    abstract boolean isOver(Connection connection) throws IOException;

    /** Ends what is over; true if the connection can go on. */
    abstract boolean end(Connection connection) throws IOException;

    /** Called whenever it waits for the client, or for the subscriber to request more. */
    abstract void await(Connection connection) throws IOException;

    /** The subscriber has failed, or broken a rule. */
    abstract void fail(Throwable cause);

    /** Begins in a state of the connection, by the subscription if that is due. */
    final void begin(ConnectionState state, Connection connection) {
        connection.receiver = this;
        connection.enter(state);
        if (!ended) signal(one -> one.onSubscribe(this));
        connection.loop.forgetTime();
    }

    /** Whether more is to be passed on. */
    boolean wants() { return requested.get() > 0; }

    /** Whether nothing more is signalled. */
    boolean hasEnded() { return ended || requested.get() < 0; }

    /** Passes on what is requested, or ends; false if it waits. */
    boolean passOn(Connection connection) throws IOException {
        Throwable wrong = mistake;
        if (wrong != null && !hasEnded()) {
            last(one -> one.onError(wrong));
            fail(wrong);
        }
        if (isOver(connection)) return end(connection);
        if (!wants() || !connection.parser.hasBody()) {
            await(connection);
            return false;
        }
        ByteBuffer piece = connection.parser.takeBody();
        requested.updateAndGet(had -> had > 0 ? had - 1 : had);
        signal(one -> one.onNext(List.of(piece)));
        connection.loop.forgetTime();
        return true;
    }

    /** What the subscriber throws is a failure of the handler. */
    private void signal(Consumer<Flow.Subscriber<? super List<ByteBuffer>>> signal) {
        Throwable failure = null;
        try {
            signal.accept(subscriber);
        } catch (Throwable t) {
            failure = t;
            ended = true;
        }
        exchange.clearInterrupt();
        if (ended) subscriber = null;
        if (failure != null) fail(failure);
    }

    /** Signals the end, if it is due. */
    void complete() { last(Flow.Subscriber::onComplete); }

    /** Signals an error, if it is due: nothing more comes. */
    void abort(Throwable cause) { last(one -> one.onError(cause)); }

    private void last(Consumer<Flow.Subscriber<? super List<ByteBuffer>>> signal) {
        boolean due = !hasEnded();
        ended = true;
        if (due) signal(signal);
        subscriber = null;
    }

    @Override
    public void request(long count) {
        if (count <= 0) {
            if (mistake != null) return;
            mistake = new IllegalArgumentException("requested " + count + " lists; allowed: 1 or more");
            tasks.add(this);
            return;
        }
        // rule 3.17: so many are as good as without a limit
        long most = Long.MAX_VALUE - count;
        long had = requested.getAndUpdate(now -> now < 0 ? now : Math.min(now, most) + count);
        if (had == 0) tasks.add(this);
    }

    @Override
    public void cancel() {
        if (requested.getAndSet(-1) >= 0) tasks.add(this);
    }

    @Override
    public void run() { exchange.turn(this); }

    @Override
    public void run(Connection connection) throws IOException { connection.serve(); }
}
