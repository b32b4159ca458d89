package org.microhttp;

import static org.microhttp.Event.*;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.microhttp.protocol.*;

/**
 * One request and its response; it is the callback that the handler gets. An interim response is an exchange
 * of its own. Each request has a new exchange, so a late response cannot answer a later request.
 * <p>
 * The first response wins. A response that the handler gives inline, on the loop's thread, is taken at once.
 * Any other response becomes a task of the loop; {@link #underWay} makes it win over one that is given inline
 * later, and over the server's own when the handler fails or takes too long.
 * <p>
 * A program may keep the callback for ever. An exchange that has ended keeps only what it needs to log a late
 * response: {@link #end} releases the connection, the response and the next exchange.
 */
final class Exchange extends PendingRequest implements WriteShare.Waiting {

    /** How many causes of a failure are searched for a cancellation. */
    private static final int MOST_CAUSES = 20;

    /** Roughly how many bytes an exchange and its request take, without their text. */
    private static final int OVERHEAD = 512;

    /** Its connection; null when it has ended. Only the loop's thread uses it. */
    private Connection connection;

    /** Kept after the end, because a late response is logged, too. */
    private final EventLog log;

    /** The number of its connection, and the client at the other end. */
    final long id;
    final SocketAddress client;

    /** The response, from when it is given until it is sent or dropped. */
    Response response;

    /** The next exchange of the connection; null if there is none. */
    Exchange next;

    /** Whether the method is HEAD, and whether the version is HTTP/1.0: the response depends on both. */
    final boolean toHead, http10;

    /** Whether no request is taken after this one. */
    boolean last;

    /** Whether it is counted as served: the handler has had it, or a subscriber of its body that failed. */
    boolean served;

    /** Whether it is counted as unanswered: the handler has it, and there is no response. */
    private boolean unanswered;

    /** Whether its end is reported, to a listener or the log; and when it began, if so. */
    final boolean reported;
    private final long began;

    /** Whether a task brings a response, and may not have run yet. The thread that responds sets it. */
    volatile boolean underWay;

    /** A response that was not given inline: a task of the loop, and then a turn of its connection. */
    private final class Late implements Runnable, Connection.Step {

        private final Response given;

        Late(Response given) { this.given = given; }

        Exchange exchange() { return Exchange.this; }

        @Override
        public void run() {
            if (connection == null) {
                take(given);
            } else {
                connection.turn(this);
            }
        }

        @Override
        public void run(Connection connection) throws IOException {
            if (take(given)) connection.respondLate(Exchange.this);
        }
    }

    /** Makes the exchange of the request that was parsed last, or that is refused. */
    Exchange(Connection connection, RequestParser parser, RequestHead head) {
        super(connection.context.tasks, head);
        this.connection = connection;
        log = connection.context.log;
        id = connection.socket.id;
        client = parser.client();
        toHead = parser.isToHead();
        http10 = parser.isHttp10();
        reported = connection.context.exchangeListener != null || log.wants(EXCHANGE);
        began = reported ? connection.requestBegan() : 0;
    }

    /** Returns the request with a body, or with the subscriber that has received it or null. */
    Request request(byte[] body, Flow.Subscriber<? super List<ByteBuffer>> receiver) {
        return new Request(head, body, client, abandonment, receiver);
    }

    /** Returns the request without a body, as far as its head is known. */
    Request asFarAsKnown() {
        RequestHead known = head.method == null ? new RequestHead("", "", "") : head;
        return new Request(known, ByteQueue.NONE, client, abandonment, null);
    }

    @Override
    Budget places() { return connection.context.group.requests; }

    /**
     * Takes a place, and counts a request for the handler. Returns false if the request has a response: no
     * place was left, or the subscriber of its body has failed.
     */
    boolean takePlace() {
        LoopContext context = connection.context;
        unanswered = response == null;
        if (unanswered) context.counters.add(Counters.UNANSWERED, 1);
        if (!reserve()) {
            context.counters.refused(Refusal.OVERLOAD, false);
            report(OVERLOAD, null);
            abandon();
            respond(context.overloaded);
            return false;
        }
        served = true;
        context.counters.add(Counters.SERVED, 1);
        return response == null;
    }

    private void respond(Response given) {
        assert given != null && connection != null;
        response = given;
        countAnswered();
    }

    private void countAnswered() {
        if (unanswered) connection.context.counters.add(Counters.UNANSWERED, -1);
        unanswered = false;
    }

    /** Returns how many requests have a response that is not taken yet, because the loop is blocked. */
    static int countUnderWay(Stream<Runnable> tasks) {
        return (int) tasks.filter(task -> task instanceof Late).map(task -> ((Late) task).exchange())
                .filter(exchange -> exchange.unanswered).distinct().count();
    }

    /** Has the connection, if it is open, take a turn that begins with a step. */
    void turn(Connection.Step step) {
        if (connection != null) connection.turn(step);
    }

    @Override
    public void write() { turn(Connection.WRITE); }

    /** Calls the handler, which may respond before this returns. */
    void call(Request request) {
        LoopContext context = connection.context;
        try {
            context.handler.handle(request, this);
        } catch (Throwable t) {
            // a response under way was given first
            if (response == null && !underWay) respond(Response.FAILED);
            logFailure(t);
        }
        clearInterrupt();
    }

    /** Clears an interrupt that the program has left: it would close files, or end the loop. */
    void clearInterrupt() {
        if (tasks.isLoopThread() && Thread.interrupted()) log.report(HANDLER_INTERRUPT, id, null);
    }

    /** Responds. Any thread may call it. */
    @Override
    public void accept(Response given) {
        boolean here = tasks.isLoopThread() && !underWay && connection != null;
        // while the handler is being called, a response that the loop's thread gives needs no task
        if (here && connection.state == ConnectionState.HANDLING) {
            take(given);
            return;
        }
        // take decides which response came first: tasks run in the order in which they were added
        if (!tasks.add(new Late(given))) {
            releasePlace();
            release(given);
        }
        // this comes after the task: if an error prevents the task, no response is under way
        underWay = true;
    }

    /** Takes a response, on the loop's thread; logs it and returns false if it is a second or late one. */
    boolean take(Response given) {
        assert tasks.isLoopThread() || tasks.ended;
        Throwable failure = given == null ? null : given.failure();
        // for a late response only its own failure is logged
        if (failure == null && response == null) failure = abandonment.failure();
        boolean abandoned = abandonment.isKnown();
        if (failure != null && !(abandoned && isCancelled(failure))) logFailure(failure);
        if (response != null || connection == null) {
            releasePlace();
            release(given);
            if (abandoned) {
                report(RESPONSE_LATE, null);
            } else {
                report(RESPONSE_IGNORED, null);
            }
            return false;
        }
        // everything is made before it is assigned, so no failure leaves a response that is not complete
        respond(prepare(given));
        if (given == null) {
            report(RESPONSE_READY_ERROR, null);
        } else if (given.failure() == null) {
            log.report(RESPONSE_READY, id, given.status());
        }
        return true;
    }

    /** Says whether work has ended because it was cancelled or interrupted, or so failed. */
    private static boolean isCancelled(Throwable failure) {
        Throwable cause = failure;
        // a program may make a cycle of causes
        for (int i = 0; cause != null && i < MOST_CAUSES; i++) {
            if (cause instanceof CancellationException || cause instanceof InterruptedException
                    || cause instanceof ClosedByInterruptException) return true;
            cause = cause.getCause();
        }
        return false;
    }

    /** Returns what is to be sent for the response that a handler gives: itself, a stream or a refusal. */
    private Response prepare(Response given) {
        if (given == null) return Response.FAILED;
        // a stream cannot be changed any more
        Response asked = given.body instanceof Body.Streamed && !toHead ? askErrorHandler(given) : given;
        try {
            return BodyStream.of(asked, this, tasks);
        } catch (RefusalException e) {
            release(asked);
            return refuse(e);
        } catch (Throwable t) {
            logFailure(t);
            release(asked);
            return Response.FAILED;
        }
    }

    /** Returns the refusal of a request that only the response shows to be wrong. */
    private Response refuse(RefusalException e) {
        connection.context.counters.refused(e.refusal, served);
        reportRefused(e);
        return Response.refusing(e.refusal, e.limit);
    }

    /** Logs that the request, or a part of it, is refused. */
    void reportRefused(RefusalException e) { log.refused(id, client, head, e); }

    /** Releases the body of a response, which is sent or never will be. */
    private void release(Response given) {
        if (given == null || !given.hasReleases()) return;
        try {
            given.release();
        } catch (Throwable t) {
            logFailure(t);
        }
        clearInterrupt();
    }

    private void logFailure(Throwable cause) { report(HANDLER_ERROR, cause); }

    /** Returns the status line and the fields that do not depend on the sending, unless they are sent. */
    byte[] responseHead() {
        byte[] whole = toHead ? response.headForHead : response.head;
        return hasBegun() ? ByteQueue.NONE : whole;
    }

    /** Returns how many bytes of body are to be sent; of a stream, those that are here. */
    long bodyLength() { return toHead ? 0 : response.bodyLength(); }

    /** Returns the response's body if it comes while it is sent; else null. */
    Outgoing stream() {
        return response != null && response.body instanceof Outgoing stream ? stream : null;
    }

    private boolean isStreamed() { return stream() != null; }

    /** Says whether the head of a streamed response is sent. */
    boolean hasBegun() { return isStreamed() && stream().hasBegun(); }

    /** Says whether there is something to send. */
    boolean isReady() { return response != null && (!isStreamed() || stream().isReady()); }

    /** Says whether the response is missing, or is not complete. */
    boolean isPending() { return response == null || isStreamed() && !stream().isComplete(); }

    /** Says whether only the end of the connection ends the response: in HTTP/1.0 or another protocol. */
    boolean isUnframed() {
        return isStreamed() && !stream().hasLength() && (http10 || response.isUpgrade());
    }

    /** Logs that the receiver of the client's input has failed, and fails a streamed response. */
    void failStream(Throwable cause) {
        logFailure(cause);
        if (isStreamed()) stream().fail();
    }

    /** Logs an event of the request; the cause may be null. */
    void report(Event event, Throwable cause) {
        log.report(event, id, client, head.method, head.target, cause);
    }

    /** Replaces a response of which nothing was sent. */
    void replace(Response by) {
        assert !hasBegun();
        Response failed = response;
        Outgoing stream = stream();
        respond(by);
        if (stream != null) stream.drop();
        release(failed);
    }

    /** Has the program replace a response that the server has made. */
    void askErrorHandler() { response = askErrorHandler(response); }

    private Response askErrorHandler(Response own) {
        ErrorHandler handler = connection.context.errorHandler;
        if (handler == null || own.rule == null) return own;
        last |= own.closing;
        Response given = null, chosen;
        try {
            given = handler.respond(new ServerError(own, asFarAsKnown()));
            chosen = own.replacedBy(given);
        } catch (Throwable t) {
            logFailure(t);
            chosen = given == null ? own : own.insteadOf(given);
        }
        clearInterrupt();
        return chosen;
    }

    /** Returns how many bytes it adds to a batch. A body that is not sent counts, because it is kept. */
    long weight() {
        long least = response.file ? ConnectionTurn.FILE : 0;
        return responseHead().length + Math.max(response.body.length, least);
    }

    /**
     * Returns roughly how many bytes to charge besides the body: all of an answered exchange that is not the
     * first of its connection; of any other, those of a large head.
     */
    long headKept(boolean first) {
        if (first || response == null) return head.size() > RequestHead.SMALL ? head.size() : 0;
        return OVERHEAD + head.size() + response.head.length;
    }

    /** Returns how many bytes of a body it keeps in memory. */
    long bodyKept() {
        return response == null || response.body.isFile() ? 0 : Math.max(0, response.body.length);
    }

    /** Returns how many bytes of a body it keeps in the heap. */
    long heapKept() { return response == null || response.body.writable(0) > 0 ? 0 : bodyKept(); }

    /**
     * Releases, if there is a response, what only a pending request needs: the notes about abandonment, and
     * the fields of a large head, which the log or an {@link ErrorHandler} then misses.
     */
    void releaseRequest() {
        if (response == null) return;
        abandonment.answer();
        head = head.shorten();
    }

    /** Marks the request as abandoned, and calls its listeners, which may take over its place. */
    void abandon() {
        keepPlace();
        tell(abandonment.abandon());
    }

    private void keepPlace() {
        LoopContext context = connection.context;
        if (unanswered) keepPlace(context.scheduler, context.limits.handlerTimeout, connection.since);
    }

    /** Calls the listeners among these notes, the last first. */
    private void tell(Abandonment.Note last) {
        for (Abandonment.Note note = last; note != null; note = note.earlier()) {
            try {
                Object what = note.what();
                // a listener may be a task, which is an action, too
                if (what instanceof Listener listener) {
                    listener.onAbandoned(this);
                } else if (what instanceof Runnable action) {
                    action.run();
                }
            } catch (Throwable t) {
                logFailure(t);
            }
            clearInterrupt();
        }
    }

    /**
     * Ends the exchange before all is sent. A handler that still works keeps the place until
     * {@code handlerTimeout}.
     */
    void drop() {
        keepPlace();
        outlast();
        end();
    }

    /** Logs the end and ends the exchange. Idempotent. */
    void end(long bodySent) {
        try {
            logEnd(bodySent);
        } finally {
            end();
        }
    }

    private void end() {
        if (connection == null) return;
        countAnswered();
        Abandonment.Note noted = null;
        if (response == null) {
            noted = abandonment.abandon();
        } else {
            releasePlace();
            abandonment.answer();
        }
        head = head.shorten();
        Response done = response;
        Outgoing stream = stream();
        connection = null;
        response = null;
        next = null;
        // last, because a program's code runs there
        if (stream != null) stream.drop();
        release(done);
        tell(noted);
    }

    /** Logs the end. {@code bodySent} is negative if the head was not sent completely. */
    void logEnd(long bodySent) {
        if (connection == null || response == Response.CONTINUE) return;
        LoopContext context = connection.context;
        boolean complete = !isPending() && bodySent == bodyLength();
        if (complete) {
            context.counters.add(Counters.ANSWERS + response.status() / 100, 1);
            log.report(WRITE_RESPONSE, id, response.status());
        }
        if (!reported) return;
        long bytes = isStreamed() ? stream().sent(bodySent) : bodySent;
        // the clock is read, because the body may have come from a slow disk
        reportEnd(bytes, complete, context.clock.nanoTime() - began);
    }

    /** Counts how long it took, and reports it to the listener and the log. */
    private void reportEnd(long sent, boolean complete, long nanos) {
        // how long a connection was in another protocol is no response time
        if (complete && response.status() != 101) connection.context.counters.took(nanos);
        var summary = new ExchangeSummary(id, client, head.method, head.target, head.version,
                HeaderList.of(head), sent < 0 ? 0 : response.status(), Math.max(0, sent),
                Duration.ofNanos(nanos), complete, response == null ? null : response.code);
        if (connection.context.exchangeListener != null) tell(connection.context.exchangeListener, summary);
        log.exchanged(summary);
    }

    private void tell(Consumer<ExchangeSummary> listener, ExchangeSummary summary) {
        try {
            listener.accept(summary);
        } catch (Throwable t) {
            logFailure(t);
        }
        clearInterrupt();
    }
}
