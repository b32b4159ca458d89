package org.microhttp;

import static org.microhttp.Event.*;

import java.net.SocketAddress;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * One request and its answer, as the callback that the handler is given. Its identity tells an answer to this
 * request from a late one to an earlier request.
 * <p>
 * The first answer wins. One given inline, by the loop's thread in the handler, is just kept. One from
 * elsewhere is a task for the loop; and it is known there while it is on its way, so that it counts before a
 * later one given inline, and before the loop's own when the handler failed or took too long.
 * <p>
 * A program may keep the callback for ever. When the exchange is over it keeps nothing but what it takes to
 * log a late answer, so {@link #end} lets go of connection and response.
 */
final class Exchange implements Consumer<Response> {

    /** The answer when the handler failed. */
    static final Response FAILED = Refusal.HANDLER_ERROR.response(0);

    /** What a head may measure that is kept without being counted. */
    private static final int SMALL = 1024;

    /** Between two tries to answer without memory. */
    private static final long RETRY_NANOS = 10_000_000;

    /** Where it takes place; null when it is over. For the loop's thread alone. */
    private Connection connection;
    private final TaskQueue tasks;

    /** The number of its connection, and the client at the other end. */
    final long id;
    private final SocketAddress client;

    /** What was asked, as far as it is known. */
    RequestHead head;

    /** The answer, once there is one, and until it is over. */
    Response response;

    /** What the answer depends on: whether the method is HEAD, and the version 1.0. */
    final boolean toHead, http10;

    /** Whether no request is taken after this one. */
    boolean last;

    /** Its place among the pending requests; null if it holds none. */
    Place place;

    /** The request, while it waits for a thread of an executor; null if it never did. */
    AtomicReference<Request> waiting;

    /** Whether it is counted as unanswered. */
    private boolean unanswered;

    /** Whether somebody wants to be told of its end. */
    private final boolean told;

    /** Whether its head is counted. */
    private boolean charged;

    /** When the request began. */
    private final long began;

    /** Whether the loop is in the handler with it, so that an answer of its thread needs no task. */
    private boolean inline;

    /** Whether an answer from elsewhere is on its way, or was: set by the thread that gives it. */
    volatile boolean underWay;

    /** A place outlasts its connection: until the handler has answered, or its time is over. */
    final class Place extends Scheduler.Entry {

        private final Scheduler scheduler = connection.loop.scheduler;
        private final Budget places = connection.loop.group.requests;

        @Override
        void onDeadline() { giveBackPlace(); }
    }

    /** For the request that was parsed last, or is refused, and began then. */
    Exchange(Connection connection, RequestParser parser, RequestHead head, long began) {
        this.connection = connection;
        tasks = connection.loop.tasks;
        id = connection.socket.id;
        client = parser.client;
        this.head = head;
        this.began = began;
        toHead = parser.toHead;
        http10 = parser.http10;
        told = tasks.log.wants("exchange");
    }

    /** The client's address as text. */
    String peer() { return connection == null ? client.toString() : connection.socket.peer(client); }

    /** Takes a place for a request that goes to the handler; false, and it is answered, if there is none. */
    boolean takePlace() {
        LoopContext loop = connection.loop;
        unanswered = true;
        loop.counters.add(Counters.REQUESTS, 1);
        loop.counters.add(Counters.UNANSWERED, 1);
        Budget places = loop.group.requests;
        Place wanted = places.isLimited() ? new Place() : null;
        boolean taken = places.tryTake(1);
        if (taken) {
            place = wanted;
        } else {
            loop.counters.refused(Refusal.OVERLOAD);
            tasks.log.report(OVERLOAD, this, null);
            response = loop.overloaded;
        }
        return taken;
    }

    /** The handler has the request no longer, or has had it for too long; harmless when done already. */
    void giveBackPlace() {
        if (place == null) return;
        place.scheduler.cancel(place);
        place.places.giveBack(1);
        place = null;
    }

    /** Calls the handler. What it answers inline is the response when this returns. */
    void call(Request request) {
        inline = true;
        try {
            connection.loop.handler.handle(request, this);
        } catch (Throwable t) {
            // unless an answer is on its way, which was the first
            if (response == null && !underWay) response = FAILED;
            logFailure(t);
        }
        inline = false;
        // of one that is found here nobody knows whom it was for; it would close the file of a body
        if (Thread.interrupted()) tasks.log.report(HANDLER_INTERRUPT, id, null);
    }

    /** Answers, from any thread. */
    @Override
    public void accept(Response answer) {
        if (tasks.isLoopThread() && inline && !underWay) {
            take(answer);
            return;
        }
        Connection.Step step = target -> target.takeLate(this, answer);
        // which answer came first is decided in take: tasks run in the order in which they were added
        if (!tasks.add(() -> resume(step, answer))) letGo(answer);
        // last, for without memory for the task it is no answer
        underWay = true;
    }

    /** Has the connection take an answer, if there still is one. */
    private void resume(Connection.Step step, Response answer) {
        if (connection == null) {
            take(answer);
        } else {
            connection.turn(step);
        }
    }

    /** Takes an answer on the loop's thread, unless it is a second, or too late; says whether it does. */
    boolean take(Response answer) {
        if (response != null || connection == null) {
            giveBackPlace();
            tasks.log.report(RESPONSE_IGNORED, this, null);
            letGo(answer);
            return false;
        }
        // before anything is said of it, for which memory may lack
        response = answer == null ? FAILED : answer;
        if (answer == null) {
            tasks.log.report(RESPONSE_READY_ERROR, this, null);
        } else {
            tasks.log.report(RESPONSE_READY, id, answer.status());
        }
        return true;
    }

    /** An answer that was given is done with. */
    private void letGo(Response answer) {
        Runnable release = answer == null ? null : answer.content.release;
        try {
            if (release != null) release.run();
        } catch (Throwable t) {
            logFailure(t);
        }
    }

    /**
     * Answers with 500, from a thread of an executor, by this callback or one around it; where there is no
     * memory for that, again and again, as long as the client waits; but the loop's thread never waits.
     */
    void fail(Consumer<Response> callback, Throwable cause) {
        boolean logged = false;
        while (true) {
            try {
                logged = logged || tasks.add(() -> logFailure(cause));
                callback.accept(FAILED);
                return;
            } catch (OutOfMemoryError e) {
                if (head.abandoned || tasks.isLoopThread()) throw e;
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }

    private void logFailure(Throwable cause) { tasks.log.report(HANDLER_ERROR, this, cause); }

    void logBodyFailure(Throwable cause) { tasks.log.report(BODY_ERROR, this, cause); }

    /** Answers with 500 in place of a response of which nothing was sent. */
    void replace() {
        letGo(response);
        response = FAILED;
        last = true;
    }

    /**
     * Counts a large head, which is kept while it waits for its answer, or for its answer to be sent, if that
     * is to be told of; then it is forgotten where it is not, or where there is no room.
     */
    void charge() {
        release();
        if (head.size <= SMALL) return;
        charged = (told || response == null) && connection.loop.group.bytes.tryTake(head.size);
        if (charged || response == null) return;
        head.exchange = null;
        head = RequestHead.NONE;
    }

    private void release() {
        if (charged) connection.loop.group.bytes.giveBack(head.size);
        charged = false;
    }

    /** Nobody waits for the answer any more. A function that has not been called never is. */
    void abandon() {
        head.abandoned = true;
        if (waiting != null && waiting.getAndSet(null) != null) giveBackPlace();
    }

    /** Its answer will not be sent. Where the handler still has the request, its place is held until then. */
    void drop(long until) {
        if (place != null) place.scheduler.schedule(place, until);
        end(-1);
    }

    /** It is over, and so much of the body was sent, below 0 if not all before it was; harmless when done. */
    void end(long sent) {
        if (connection == null) return;
        release();
        if (unanswered) connection.loop.counters.add(Counters.UNANSWERED, -1);
        if (response == null) {
            abandon();
        } else {
            giveBackPlace();
        }
        letGo(response);
        head.exchange = null;
        if (told) tell(sent);
        if (head.size > SMALL) head = RequestHead.NONE;
        connection = null;
        response = null;
        waiting = null;
    }

    private void tell(long sent) {
        try {
            tasks.log.exchanged(this, sent, connection.loop.now() - began);
        } catch (Throwable t) {
            // nothing keeps a connection from its end
        }
    }
}
