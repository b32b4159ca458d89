package org.microhttp.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.microhttp.Request;
import org.microhttp.Response;

/** A request in the handler's hands, and what has come of it. */
final class HandledRequest {

    final SimulatedConnection life;
    final int index;
    final HandlerPlan reply;
    final Request request;
    final Consumer<Response> callback;

    /** Between which times it was handed over. */
    long low;
    long high;

    /** Whether the handler has answered or failed first, and with what. */
    boolean given, failed;

    /** Whether its body was not received to its end, so that its answer is the last. */
    boolean cut;

    /** Whether that is a response which says that it has failed. */
    boolean saysFailed;

    /** Whether it was given when nobody waited for it any more. */
    boolean inVain;

    /** What the handler wants to be done when nobody waits for its response any more. */
    final List<AbandonAction> notices = new ArrayList<>(0);

    /** Whether the answer came so near the end of its time that either may be sent. */
    boolean maybe;

    /** Whether its answer, or another for it, was seen. */
    boolean answered;

    /** The body that was made last for it; null for an array. */
    TrackedBody lent;

    /** The body of its answer if that is streamed; else null. */
    StreamedBody streamed;
    /** The body that the answer replaces, until that is given. */
    TrackedBody replaced;

    /** Whether the loop has had a turn since. */
    boolean released;

    HandledRequest(SimulatedConnection life, int index, HandlerPlan reply, Request request,
            Consumer<Response> callback, long low) {
        this.life = life;
        this.index = index;
        this.reply = reply;
        this.request = request;
        this.callback = callback;
        this.low = low;
        high = low;
    }

    /** Whether nobody may wait any more, and whether surely nobody does. */
    void checkAbandoned() {
        boolean told = request.isAbandoned();
        boolean over = life.closed || life.outputEnded || answered || life.promises.failedBody.isCut()
                || life.world.machine.now() >= dueLow();
        life.brokenIf(told && !over, "a request counts as abandoned, and is not");
        life.brokenIf(!told && life.closed && !life.world.isEnding(),
                "a request is abandoned, and not told so");
    }

    /** Whether the server surely has its response. */
    boolean isTaken() {
        return given && !inVain && !maybe && (released || !reply.manner().isElsewhere());
    }

    /** The loop sleeps, or has ended: the notices of an abandoned request have run, and only these. */
    void checkNotices() {
        notices.forEach(AbandonAction::check);
        boolean lost = life.closed && isOwed() && !request.isAbandoned();
        life.brokenIf(lost, "a request of a closed connection is not abandoned");
    }

    /** The body that comes while it is sent; null if it is another, or the answer has none. */
    StreamedBody stream() {
        boolean bare = reply.isBare() || request.method().equals("HEAD");
        boolean refused = reply.status() == 101 && life.plan.upgrade() != Upgrade.ASKED;
        return !given || failed || inVain || bare || refused ? null : streamed;
    }

    boolean isOwed() {
        return !given && !answered;
    }

    /** From when, and by when at the latest, the handler has had its time. */
    long dueLow() {
        return low + life.world.handlerTimeout;
    }

    long dueHigh() {
        return high + life.world.handlerTimeout;
    }
}
