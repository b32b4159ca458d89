package org.microhttp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Passes a client's input on to a subscriber of the program, as it comes and is requested. The program may
 * call {@link #request} and {@link #cancel} from any thread: each adds a task to the loop. Only the loop's
 * thread uses the rest.
 */
abstract class Receiver implements Incoming, Flow.Subscription, Runnable, Connection.Step {

    /** Where the subscriber is. */
    private enum State {

        /** It gets what it requests. */
        OPEN,

        /** It has cancelled. */
        CANCELLED,

        /** It has had its last signal or has failed, or there is no subscriber. */
        ENDED;

        boolean allows(State next) {
            return switch (this) {
                case OPEN -> next != OPEN;
                case CANCELLED -> next == ENDED;
                case ENDED -> false;
            };
        }
    }

    final Exchange exchange;
    private final TaskQueue tasks;
    private State state = State.OPEN;

    /**
     * The subscriber; null once it has ended, so that a program that keeps its subscription does not keep the
     * subscriber.
     */
    private Flow.Subscriber<? super List<ByteBuffer>> subscriber;

    /** How many lists of buffers are requested and not passed on; negative after a cancel. */
    private final AtomicLong requested = new AtomicLong();

    /** Whether a task of the loop is due, which acts on all that the program has done by then. */
    private final AtomicBoolean due = new AtomicBoolean();

    /** The mistake of a program that has requested less than one list (rule 3.9 of Reactive Streams). */
    private volatile Throwable mistake;

    /** Makes a receiver, which has ended already if there is no subscriber. */
    Receiver(Exchange exchange, TaskQueue tasks, Flow.Subscriber<? super List<ByteBuffer>> subscriber) {
        this.exchange = exchange;
        this.tasks = tasks;
        this.subscriber = subscriber;
        if (subscriber == null) enter(State.ENDED);
    }

    /** Says whether the input is complete, or not wanted any more. */
    abstract boolean isOver(Connection connection) throws IOException;

    /** Ends the input, which is over; returns true if the connection can go on. */
    abstract boolean end(Connection connection) throws IOException;

    /** Notes that the subscriber has requested something, before it is passed on. */
    abstract void noteRequest(Connection connection);

    /** Begins to wait for the client, or for the subscriber to request more. */
    abstract void await(Connection connection) throws IOException;

    /** Handles a subscriber that has failed, or has broken a rule. */
    abstract void fail(Throwable cause);

    private void enter(State next) {
        assert state.allows(next) : state + " to " + next;
        state = next;
    }

    /** Enters a state of the connection, and gives the subscriber its subscription, if there is one. */
    final void begin(ConnectionState waiting, Connection connection) {
        assert connection.incoming == null;
        connection.incoming = this;
        connection.enter(waiting);
        if (isOpen()) signal(subscriber, one -> one.onSubscribe(this));
        connection.context.clock.forget();
    }

    /** Returns the subscriber; null once it has ended, or if there was none. */
    final Flow.Subscriber<? super List<ByteBuffer>> subscriber() { return subscriber; }

    final boolean isOpen() { return state == State.OPEN; }

    @Override
    public boolean wants() { return requested.get() > 0; }

    @Override
    public boolean passOn(Connection connection) throws IOException {
        noticeCancel();
        if (isOpen() && mistake != null) {
            Throwable wrong = mistake;
            abort(wrong);
            fail(wrong);
        }
        if (isOver(connection)) return end(connection);
        if (!wants() || !connection.parser.hasBody()) {
            await(connection);
            return false;
        }
        noteRequest(connection);
        ByteBuffer piece = connection.parser.takePart();
        requested.updateAndGet(had -> had > 0 ? had - 1 : had);
        signal(subscriber, one -> one.onNext(List.of(piece)));
        connection.context.clock.forget();
        return true;
    }

    private void noticeCancel() {
        if (isOpen() && requested.get() < 0) enter(State.CANCELLED);
    }

    /** Signals; what the subscriber throws is a failure of the handler. */
    private void signal(Flow.Subscriber<? super List<ByteBuffer>> one,
            Consumer<Flow.Subscriber<? super List<ByteBuffer>>> signal) {
        Throwable failure = null;
        try {
            signal.accept(one);
        } catch (Throwable t) {
            failure = t;
        }
        exchange.clearInterrupt();
        if (failure == null) return;
        release();
        fail(failure);
    }

    /** Signals that the input is complete, unless the subscriber has ended. */
    final void complete() { signalLast(Flow.Subscriber::onComplete); }

    @Override
    public void abort(Throwable cause) { signalLast(one -> one.onError(cause)); }

    private void signalLast(Consumer<Flow.Subscriber<? super List<ByteBuffer>>> signal) {
        noticeCancel();
        Flow.Subscriber<? super List<ByteBuffer>> last = isOpen() ? subscriber : null;
        // the state changes before the last signal, because the subscriber may cancel in it
        release();
        if (last != null) signal(last, signal);
    }

    private void release() {
        subscriber = null;
        if (state != State.ENDED) enter(State.ENDED);
    }

    @Override
    public void request(long count) {
        if (count <= 0) {
            if (mistake != null) return;
            mistake = new IllegalArgumentException("requested " + count + " lists; allowed: 1 or more");
            goOn();
            return;
        }
        // a sum above the largest number means no limit (rule 3.17)
        long most = Long.MAX_VALUE - count;
        long had = requested.getAndUpdate(now -> now < 0 ? now : Math.min(now, most) + count);
        if (had == 0) goOn();
    }

    @Override
    public void cancel() {
        if (requested.getAndSet(-1) >= 0) goOn();
    }

    /**
     * Adds a task, unless one is due. If each request in a signal were a task, a client that sends fast would
     * be read more often in every turn of the loop.
     */
    private void goOn() {
        if (!due.getAndSet(true)) tasks.add(this);
    }

    @Override
    public void run() {
        due.set(false);
        exchange.turn(this);
    }

    /** Passes on what is requested, with what the socket has. */
    @Override
    public void run(Connection connection) throws IOException {
        if (connection.room() > 0) connection.read(connection.room());
        connection.serve();
    }
}
