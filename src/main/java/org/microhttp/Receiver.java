package org.microhttp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Passes a client's input on to a subscriber of the program, as it comes and is requested. The program may
 * request and cancel from any thread, which becomes a task of the loop. Only the loop's thread uses the rest.
 */
abstract class Receiver implements Flow.Subscription, Runnable, Connection.Step {

    /** How many bytes are read at once while nothing is requested: the end may be there. */
    private static final int PROBE = 16;

    final Exchange exchange;
    private final TaskQueue tasks;

    /**
     * The subscriber; null after the end, so that a program that keeps its subscription keeps nothing else.
     */
    Flow.Subscriber<? super List<ByteBuffer>> subscriber;

    /** How many lists of buffers are requested and not passed on; negative after a cancel. */
    private final AtomicLong requested = new AtomicLong();

    /** The mistake of a program that has requested less than one list (rule 3.9 of Reactive Streams). */
    private volatile Throwable mistake;

    /** Whether the subscriber has had its last signal, or has failed. */
    private boolean ended;

    /** Makes a receiver, which has ended already if there is no subscriber. */
    Receiver(Exchange exchange, TaskQueue tasks, Flow.Subscriber<? super List<ByteBuffer>> subscriber) {
        this.exchange = exchange;
        this.tasks = tasks;
        this.subscriber = subscriber;
        ended = subscriber == null;
    }

    /** Says whether the input is complete, or not wanted any more. */
    abstract boolean isOver(Connection connection) throws IOException;

    /** Ends the input; returns true if the connection can go on. */
    abstract boolean end(Connection connection) throws IOException;

    /** Begins to wait for the client, or for the subscriber to request more. */
    abstract void await(Connection connection) throws IOException;

    /** Handles a subscriber that has failed, or has broken a rule. */
    abstract void fail(Throwable cause);

    /** Enters a state of the connection, and gives the subscriber its subscription, unless it has ended. */
    final void begin(ConnectionState state, Connection connection) {
        assert connection.receiver == null;
        connection.receiver = this;
        connection.enter(state);
        if (!ended) signal(one -> one.onSubscribe(this));
        connection.loop.forgetTime();
    }

    /** Says whether more is requested. */
    boolean wants() { return requested.get() > 0; }

    /** Says whether nothing more is signalled. */
    boolean hasEnded() { return ended || requested.get() < 0; }

    /** Passes on what is requested, or ends; returns false if it waits. */
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
        ByteBuffer piece = connection.parser.takePart();
        requested.updateAndGet(had -> had > 0 ? had - 1 : had);
        signal(one -> one.onNext(List.of(piece)));
        connection.loop.forgetTime();
        return true;
    }

    /** Checks whether the client has sent something, ended its side, or reset the connection. */
    void look(Connection connection) throws IOException {
        ClientSocket socket = connection.socket;
        if (socket.hasFailed()) throw socket.failure(Event.READ_ERROR, "the client has reset the connection");
        if (!socket.endOfStream) connection.receive(Math.max(PROBE, connection.room()));
        connection.serve();
    }

    /** Signals; what the subscriber throws is a failure of the handler. */
    private void signal(Consumer<Flow.Subscriber<? super List<ByteBuffer>>> signal) {
        assert subscriber != null;
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

    /** Signals the end, unless the subscriber has ended. */
    void complete() { last(Flow.Subscriber::onComplete); }

    /** Signals that nothing more comes, unless the subscriber has ended. */
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
        // a sum above the largest number means no limit (rule 3.17)
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
