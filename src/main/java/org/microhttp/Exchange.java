package org.microhttp;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
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

    private static final AtomicIntegerFieldUpdater<Exchange> CLAIM =
            AtomicIntegerFieldUpdater.newUpdater(Exchange.class, "claimed");

    private final Connection connection;

    /** The answer, once there is one; of the loop's thread alone, as all but the claim. */
    Response response;

    /** What the answer depends on: whether the method is HEAD, the version 1.0, the connection persistent. */
    final boolean toHead, http10, persistent;

    /** Whether no request is taken after this one. */
    boolean last;

    /** Whether it holds a place among the pending requests; whether a request is counted as unanswered. */
    boolean hasPlace, unanswered;

    /** 1 as soon as somebody has claimed it. */
    private volatile int claimed;

    Exchange(Connection connection, boolean toHead, boolean http10, boolean persistent) {
        this.connection = connection;
        this.toHead = toHead;
        this.http10 = http10;
        this.persistent = persistent;
    }

    /** Whether it has a place that only its answer, or its time, gives back. */
    boolean keepsPlace() { return hasPlace && response == null; }

    /** Answers, from any thread. */
    @Override
    public void accept(Response answer) {
        boolean inline = connection.isHandling(this);
        if (inline && claimed == 0) {
            take(answer);
        } else if (!inline && claim()) {
            answerLater(answer);
        } else {
            connection.later(Connection.IGNORE);
        }
    }

    /** Takes an answer on the loop's thread, if it is the first; says whether it is. */
    boolean take(Response answer) {
        if (response != null) {
            connection.loop.log.responseIgnored(connection.socket.id);
            return false;
        }
        // before anything is said of it, for which memory may lack
        response = answer == null ? FAILED : answer;
        if (answer == null) {
            connection.loop.log.responseMissing(connection.socket.id);
        } else {
            connection.loop.log.responseReady(connection.socket.id, answer);
        }
        return true;
    }

    private void answerLater(Response answer) {
        try {
            connection.later(target -> target.takeLate(this, answer));
        } catch (Throwable t) {
            // there is no memory for the task, so it is no answer
            claimed = 0;
            throw t;
        }
    }

    /** Answers with 500 for what went wrong, from any thread. */
    void fail(Throwable cause) {
        connection.later(target -> logFailure(cause));
        accept(FAILED);
    }

    /** Answers with 500 for what the handler threw; unless an answer is on its way, which was the first. */
    void failInline(Throwable cause) {
        if (response == null && claim()) response = FAILED;
        logFailure(cause);
    }

    private void logFailure(Throwable cause) {
        connection.loop.log.handlerFailed(connection.socket.id, cause);
    }

    /** True for the first who asks, from any thread. */
    boolean claim() { return CLAIM.compareAndSet(this, 0, 1); }
}
