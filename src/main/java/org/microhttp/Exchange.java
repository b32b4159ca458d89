package org.microhttp;

import java.util.function.Consumer;

/**
 * One request and its answer, as the callback that the handler is given. Its identity tells an answer to this
 * request from a late one to an earlier request.
 * <p>
 * The first answer wins. One given inline, by the loop's thread in the handler, is just kept. One from
 * elsewhere must claim the exchange first, as must whoever answers because the handler failed or took too
 * long; so that an answer which is still on its way to the loop is known there, and counts.
 */
final class Exchange implements Consumer<Response> {

    /** The answer when the handler failed. */
    static final Response FAILED = Refusal.HANDLER_ERROR.response(0);

    /** What a head may measure that is kept without being counted. */
    private static final int SMALL = 1024;

    final Connection connection;
    private final LoopContext loop;

    /** What was asked, as far as it is known. */
    RequestHead head;

    /** The answer, once there is one; of the loop's thread alone, as all but the claim. */
    Response response;

    /** What the answer depends on: whether the method is HEAD, and the version 1.0. */
    final boolean toHead, http10;

    /** Whether no request is taken after this one. */
    boolean last;

    /** Whether it holds a place among the pending requests; whether it is counted as unanswered. */
    boolean hasPlace, unanswered;

    /** Whether somebody wants to be told of its end. */
    private final boolean told;

    /** Whether its head is counted; whether it has ended. */
    private boolean charged, over;

    /** When the request began. */
    private final long began;

    /** Whether somebody has claimed it. */
    private volatile boolean claimed;

    /** For the request that was parsed last, or is refused, and began then. */
    Exchange(Connection connection, RequestParser parser, RequestHead head, long began) {
        this.connection = connection;
        loop = connection.loop;
        this.head = head;
        this.began = began;
        toHead = parser.toHead;
        http10 = parser.http10;
        told = loop.log.wants("exchange");
    }

    /** Takes a place for a request that goes to the handler; false if there is none. */
    boolean takePlace() {
        unanswered = true;
        loop.counters.add(Counters.REQUESTS, 1);
        loop.counters.add(Counters.UNANSWERED, 1);
        Budget places = loop.group.requests;
        if (!places.tryTake(1)) return false;
        hasPlace = places.isLimited();
        return true;
    }

    /** The handler has the request no longer, or has had it for too long; harmless when done already. */
    void giveBackPlace() {
        if (hasPlace) loop.group.requests.giveBack(1);
        hasPlace = false;
    }

    /** Answers, from any thread. */
    @Override
    public void accept(Response answer) {
        if (connection.isHandling(this) && !claimed) {
            take(answer);
            return;
        }
        boolean first = claim();
        // a later one is told from the first when it is taken, which is in their order
        try {
            if (!connection.later(target -> target.takeLate(this, answer))) letGo(answer);
        } catch (Throwable t) {
            // there is no memory for the task, so it is no answer
            if (first) claimed = false;
            throw t;
        }
    }

    /** Takes an answer on the loop's thread, unless it is a second, or too late; says whether it does. */
    boolean take(Response answer) {
        if (response != null || over) {
            loop.log.report(Event.RESPONSE_IGNORED, this, null);
            letGo(answer);
            return false;
        }
        // before anything is said of it, for which memory may lack
        response = answer == null ? FAILED : answer;
        if (answer == null) {
            loop.log.report(Event.RESPONSE_READY_ERROR, this, null);
        } else {
            loop.log.report(Event.RESPONSE_READY, connection.socket.id, answer);
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

    /** Says what went wrong, from any thread. */
    void report(Throwable cause) { connection.later(target -> logFailure(cause)); }

    /** Answers with 500 for what the handler threw; unless an answer is on its way, which was the first. */
    void failInline(Throwable cause) {
        if (response == null && claim()) response = FAILED;
        logFailure(cause);
    }

    private void logFailure(Throwable cause) {
        loop.log.report(Event.HANDLER_ERROR, this, cause);
    }

    /** True for the first who asks, from any thread. */
    synchronized boolean claim() {
        boolean first = !claimed;
        claimed = true;
        return first;
    }

    /**
     * Counts a large head, which is kept while it waits for its answer, or for its answer to be sent, if that
     * is to be told of; then it is forgotten where it is not, or where there is no room.
     */
    void charge() {
        release();
        if (head.size <= SMALL) return;
        charged = (told || response == null) && loop.group.bytes.tryTake(head.size);
        if (charged || response == null) return;
        head.exchange = null;
        head = RequestHead.NONE;
    }

    private void release() {
        if (charged) loop.group.bytes.giveBack(head.size);
        charged = false;
    }

    /** It is over, and so much of the body was sent, below 0 if not all before it was; harmless when done. */
    void end(long sent) {
        if (over) return;
        over = true;
        release();
        if (unanswered) loop.counters.add(Counters.UNANSWERED, -1);
        if (response == null) head.abandoned = true;
        letGo(response);
        head.exchange = null;
        if (told) tell(sent);
        // whoever keeps the callback keeps no more of it than that
        if (head.size > SMALL) head = RequestHead.NONE;
    }

    private void tell(long sent) {
        try {
            loop.log.exchanged(this, sent, loop.now() - began);
        } catch (Throwable t) {
            // nothing keeps a connection from its end
        }
    }
}
