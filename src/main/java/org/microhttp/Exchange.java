package org.microhttp;

import static org.microhttp.Event.*;

import java.io.IOException;
import java.net.SocketAddress;
import java.util.function.Consumer;

/**
 * One request and its response; the handler gets it as its callback. An interim response is an exchange of
 * its own. Each request has a new exchange, so a late response to an earlier request cannot answer this one.
 * <p>
 * The first response wins. If the handler gives it inline, on the loop's thread, it is kept at once. Given
 * elsewhere it becomes a task for the loop; {@link #underWay} makes it win over one that is given inline
 * later, and over the server's own when the handler fails or takes too long.
 * <p>
 * A program may keep the callback for ever. An exchange that has ended keeps only what it takes to log a late
 * response: {@link #end} forgets the connection, the response and the next exchange.
 */
final class Exchange implements Consumer<Response> {

    /** The response when the handler failed. */
    static final Response FAILED = Refusal.HANDLER_ERROR.response(0);

    /** Roughly what an exchange and its request take, apart from their bytes. */
    private static final int OVERHEAD = 512;

    /** Its connection; null when it has ended. For the loop's thread alone. */
    private Connection connection;
    private final TaskQueue tasks;

    /** The number of its connection, and the client at the other end. */
    final long id;
    final SocketAddress client;

    /** What was requested, as far as it is known. */
    RequestHead request;

    /** The response, from when it is given until it is sent or dropped. */
    Response response;

    /** The next exchange of the connection; null if there is none. */
    Exchange next;

    /** Whether the method is HEAD, and whether the version is HTTP/1.0: the response depends on both. */
    private final boolean toHead;
    final boolean http10;

    /** Whether no request is taken after this one. */
    boolean last;

    /** Whether a publisher signals the response's body. */
    boolean streamed;

    /** Its place among the pending requests; null if it holds none, or if their number has no limit. */
    Place place;

    /** Whether it is counted as unanswered. */
    private boolean unanswered;

    /** Whether its end is logged, as the event {@code exchange}; and when it began, if so. */
    final boolean logged;
    private final long began;

    /** Whether a response was given elsewhere, whose task may not have run yet. The giving thread sets it. */
    volatile boolean underWay;

    /** A response that was given elsewhere: a task of the loop, and then a turn of its connection. */
    private final class Late implements Runnable, Connection.Step {

        private final Response given;

        Late(Response given) { this.given = given; }

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

    /** Made for the request that was parsed last, or that is refused. */
    Exchange(Connection connection, RequestParser parser, RequestHead request) {
        this.connection = connection;
        tasks = connection.loop.tasks;
        id = connection.socket.id;
        client = parser.client;
        this.request = request;
        toHead = parser.toHead;
        http10 = parser.http10;
        logged = tasks.log.wants(EXCHANGE);
        began = logged ? connection.requestBegan() : 0;
    }

    /** Takes a place, if their number is limited; false if there is none. */
    boolean reserve() {
        Budget places = connection.loop.group.requests;
        // made first: without memory for it or the time, no place is taken
        Place wanted = places.isLimited() ? new Place(this, connection.loop) : null;
        boolean taken = places.tryTake(1);
        if (taken) place = wanted;
        return taken;
    }

    /** Counts a request that is to go to the handler, and takes a place; without one responds; then false. */
    boolean takePlace() {
        LoopContext loop = connection.loop;
        if (unanswered) {
            // it was received as it came, and may have failed; the handler's time begins now
            if (place != null) place.restart(loop);
            return response == null;
        }
        unanswered = true;
        loop.counters.add(Counters.REQUESTS, 1);
        loop.counters.add(Counters.UNANSWERED, 1);
        boolean taken = place != null || reserve();
        if (!taken) {
            loop.counters.refused(Refusal.OVERLOAD);
            report(OVERLOAD, null);
            response = loop.overloaded;
        }
        return taken;
    }

    /** Releases its place, if it holds one. */
    void releasePlace() {
        if (place == null) return;
        place.release();
        place = null;
    }

    /** Releases its place soon. From any thread. */
    void releasePlaceLater() { tasks.add(this::releasePlace); }

    /** Has the connection, if it is open, take a turn that begins with a step. */
    void turn(Connection.Step step) {
        if (connection != null) connection.turn(step);
    }

    /** Calls the handler, which may respond before this returns. */
    void call(Request request) {
        try {
            connection.loop.handler.handle(request, this);
        } catch (Throwable t) {
            // a response that is under way came first
            if (response == null && !underWay) response = FAILED;
            logFailure(t);
        }
        clearInterrupt();
    }

    /** Clears an interrupt of unknown purpose that the program has left, and that would close files. */
    void clearInterrupt() {
        if (Thread.interrupted()) tasks.log.report(HANDLER_INTERRUPT, id, null);
    }

    /** Responds, from any thread. */
    @Override
    public void accept(Response given) {
        boolean here = tasks.isLoopThread() && !underWay && connection != null;
        // while the handler is being called, a response that the loop's thread gives needs no task
        if (here && connection.state == ConnectionState.HANDLING) {
            take(given);
            return;
        }
        // take decides which response came first: tasks run in the order in which they were added
        if (!tasks.add(new Late(given))) release(given);
        // not before: if there was no memory for the task, no response is under way
        underWay = true;
    }

    /** Takes a response, on the loop's thread; false if it is a second one or too late, which is logged. */
    boolean take(Response given) {
        Throwable failure = given == null ? null : given.failure();
        // of one that comes too late, what it says itself
        if (failure == null && response == null) failure = request.failure();
        if (failure != null) logFailure(failure);
        if (response != null || connection == null) {
            releasePlace();
            release(given);
            report(RESPONSE_IGNORED, null);
            return false;
        }
        // before the event, for which there may be no memory
        response = given == null ? FAILED : given;
        try {
            makeStream();
        } catch (OutOfMemoryError | IllegalStateException e) {
            logFailure(e);
            replace(FAILED);
        }
        if (given == null) {
            report(RESPONSE_READY_ERROR, null);
        } else if (given.failure() == null) {
            tasks.log.report(RESPONSE_READY, id, given.status());
        }
        return true;
    }

    /** Makes the stream, if the response has a body that is to be streamed. */
    private void makeStream() {
        boolean upgrade = response.isUpgrade();
        if (upgrade && !UpgradeReceiver.isAllowed(new Request(request, client), response)) {
            throw new IllegalStateException("the client has not asked for " + response.header("Upgrade"));
        }
        if (toHead || !response.hasBody() || !(response.content instanceof Body.Streamed body)) return;
        var stream = new BodyStream(this, tasks, body);
        String head = Syntax.text(response.head);
        if (stream.isChunked()) head += "Transfer-Encoding: chunked\r\n";
        response = response.streaming(Syntax.octets(head), stream);
        // not before: without memory there is no stream
        streamed = true;
    }

    /** Reports to the program that a response it gave is sent, or never will be. */
    private void release(Response given) {
        try {
            if (given != null) given.release();
        } catch (Throwable t) {
            logFailure(t);
        }
    }

    private void logFailure(Throwable cause) { report(HANDLER_ERROR, cause); }

    /** The beginning of the response: the status line and all fields that do not depend on the sending. */
    byte[] responseHead() {
        byte[] whole = toHead ? response.headForHead : response.head;
        return hasBegun() ? ByteQueue.NONE : whole;
    }

    /** How many bytes of the response's body are to be sent, of a stream those that are here. */
    long bodyLength() { return toHead ? 0 : response.bodyLength(); }

    /** The body of a response that is streamed; else null. */
    BodyStream stream() { return streamed ? (BodyStream) response.content : null; }

    /** Whether its head is sent, and what follows is a piece of it. */
    boolean hasBegun() { return streamed && stream().begun; }

    /** Whether there is something to send. */
    boolean isReady() { return response != null && (!streamed || stream().isReady()); }

    /** Whether there is no response, or not all of it. */
    boolean isPending() { return response == null || streamed && !stream().complete; }

    /** Whether only the end of the connection ends the response: in HTTP/1.0, and in another protocol. */
    boolean isUnframed() {
        return streamed && !stream().counted && (http10 || response.isUpgrade());
    }

    /** Fails the response, because the receiver of what the client sends has failed. */
    void failStream(Throwable cause) {
        if (streamed) {
            stream().fail(HANDLER_ERROR, cause);
        } else {
            logFailure(cause);
        }
    }

    /** Logs an event of the request, with its cause or null. */
    void report(Event event, Throwable cause) {
        try {
            tasks.log.report(event, id, client, request.method, request.target, cause);
        } catch (Throwable t) {
            // there may be no memory for an event
        }
    }

    /** Replaces a response, of which nothing was sent. */
    void replace(Response by) {
        Response failed = response;
        if (streamed) stream().end();
        streamed = false;
        response = by;
        release(failed);
    }

    /** Adds the fields that the program wants in a response that the server has made. */
    void addErrorHeaders() {
        ErrorHeaders hook = connection.loop.errorHeaders;
        if (hook == null || response.code == null) return;
        try {
            response = response.withMissing(hook.of(response.status(), response.code,
                    new Request(request, client)));
        } catch (Throwable t) {
            logFailure(t);
        }
    }

    /** How many bytes it adds to a batch. The body counts even if it is not sent, because it is kept. */
    long weight() {
        Body body = response.content;
        long least = body.isFile() ? LoopContext.FILE : 0;
        return responseHead().length + Math.max(body.length, least);
    }

    /**
     * Roughly how many bytes it keeps that are to be charged, apart from a body: all, if it is answered and
     * not the first of its connection; else those of a large head.
     */
    long headKept(boolean first) {
        if (first || response == null) return request.size() > RequestHead.SMALL ? request.size() : 0;
        return OVERHEAD + request.size() + response.head.length;
    }

    /** How many bytes of a body it keeps in memory. What a publisher would signal is not there. */
    long bodyKept() {
        return response == null || response.content.isFile() ? 0 : Math.max(0, response.content.length);
    }

    /** Forgets the fields of a large head if there is a response: the log misses them, or the hook later. */
    void forgetFields() {
        if (response == null) return;
        request.answer();
        request = request.shorten();
    }

    /** The time of the handler is over. True if the request is to be refused. */
    boolean giveUp() {
        boolean refused = !underWay;
        if (refused) abandon();
        return refused;
    }

    /** Marks the request as abandoned, and tells who listens. */
    void abandon() { tell(request.abandon()); }

    /** Does all that was noted; null for nothing. */
    private void tell(RequestHead.Note last) {
        for (RequestHead.Note note = last; note != null; note = note.earlier()) {
            try {
                if (note.what() instanceof RequestHead.Listener listener) listener.onAbandoned(this);
            } catch (Throwable t) {
                logFailure(t);
            }
        }
    }

    /** Ends the exchange before all is sent. A handler that has the request keeps the place for its time. */
    void drop() {
        if (place != null) place.outlast();
        end();
    }

    /** Logs the end and ends the exchange. Idempotent. */
    void end(long bodySent) {
        logEnd(bodySent);
        end();
    }

    private void end() {
        if (connection == null) return;
        if (unanswered) connection.loop.counters.add(Counters.UNANSWERED, -1);
        RequestHead.Note noted = null;
        if (response == null) {
            noted = request.abandon();
        } else {
            releasePlace();
            request.answer();
        }
        request = request.shorten();
        Response done = response;
        BodyStream stream = stream();
        connection = null;
        response = null;
        streamed = false;
        next = null;
        // last, because a program's code runs there
        if (stream != null) stream.drop();
        release(done);
        tell(noted);
    }

    /** Logs the end: how many bytes of the body are sent, negative if the head was not sent completely. */
    void logEnd(long bodySent) {
        if (connection == null || response == Response.CONTINUE) return;
        LoopContext loop = connection.loop;
        try {
            boolean complete = !isPending() && bodySent == bodyLength();
            if (complete) {
                loop.counters.add(Counters.ANSWERS + response.status() / 100, 1);
                tasks.log.report(WRITE_RESPONSE, id, response.status());
            }
            // not the time of the turn, for what is sent may have come from a slow disk
            long octets = streamed ? stream().sent(bodySent) : bodySent;
            if (logged) tasks.log.exchanged(this, octets, complete, loop.clock.nanoTime() - began);
        } catch (Throwable t) {
            // there may be no memory for an event
        }
    }
}
