package org.microhttp.simulation;

import java.util.HashSet;
import java.util.Set;
import org.microhttp.simulation.Deadlines.Mode;

/** The end of a connection by the server: whether there is a reason that the documents name. */
final class CloseReason {

    private final SimulatedConnection life;
    private final World world;
    private final Promises promises;
    private final boolean dropUnsent;

    CloseReason(SimulatedConnection life, Promises promises, boolean dropUnsent) {
        this.life = life;
        this.promises = promises;
        this.dropUnsent = dropUnsent;
        world = life.world;
    }

    /** Null if nothing is wrong. */
    String wrong() {
        promises.abrupt = true;
        if (life.stranger) return null;
        if (world.isEnding()) return wrongEnd();
        promises.deadlines.catchUp();
        boolean struck = promises.struck || world.faults.clockStruck;
        boolean loses = promises.failedBody.losesAnswers() && !struck;
        if (loses) return "loses an answer before a body that was cut";
        if (struck || promises.isVague() || promises.failed) return null;
        if (isUnseen() && dropUnsent) return null;
        if (!life.plan.isGreeted(life.read)) return wrongSilence();
        // where the socket does not take it, or the turn has had its writes
        boolean noBuffer = world.conditions.limitsBytes() && (promises.blocked || !promises.isAllSent());
        if (noBuffer && !dropUnsent) return null;
        if (promises.isStreaming() && !(dropUnsent && promises.blocked)) return wrongCut();
        if (dropUnsent != (promises.deadlines.mode() == Mode.BLOCKED && !hasReason())) {
            return "closes " + (dropUnsent ? "with" : "without") + " a reset; " + promises.deadlines;
        }
        boolean more = life.room() > 0 && !promises.gotNothing;
        if (dropUnsent && more) return "gives up, and the socket takes more";
        promises.abrupt = !isPeaceful();
        if (hasReason() || isTimeOver()) return null;
        return "closes without a reason; " + promises.deadlines;
    }

    /** A streamed answer is cut: only a reset shows that, if nothing says where it ends. */
    private String wrongCut() {
        boolean unframed = promises.stream().isUnframed();
        promises.cutStream();
        return dropUnsent == unframed ? null : "cuts an answer with" + (dropUnsent ? "" : "out") + " a reset";
    }

    /** Who has not told of its client gets no answer; what has begun is refused all the same. */
    private String wrongSilence() {
        if (dropUnsent) return "closes with a reset who has not told of its client";
        if (life.read == 0) return promises.endSeen || isTimeOver() ? null : "closes before a word";
        life.reasons = reasons();
        life.reasons.forEach(world.tally::unanswered);
        return life.reasons.isEmpty() ? "closes without a reason; " + promises.deadlines : null;
    }

    /** As what it may be refused before it is known for whom it comes. */
    private Set<String> reasons() {
        ProxyPreface preface = life.plan.preface();
        if (life.read >= preface.flawAt()) return Set.of(preface.code());
        if (promises.endSeen) return Set.of("truncated");
        var reasons = new HashSet<String>();
        boolean full = world.conditions.limitsBytes();
        if (full) reasons.add("out_of_buffers");
        Deadlines.Moment moment = promises.deadlines.moment();
        if (!moment.timely()) return reasons;
        if (moment.requestTime()) reasons.add("request_timeout");
        if (moment.socketTime()) reasons.add("socket_timeout");
        life.brokenIf(!full && !world.bound.hasReadOn(life), "gives up, and more is here");
        return reasons;
    }

    /** What is answered in this turn is blocked, and the client has read nothing for long enough before. */
    private boolean isUnseen() {
        boolean known = promises.deadlines.mode() == Mode.BLOCKED;
        return !known && promises.blocked && promises.deadlines.isWriteTime();
    }

    private boolean hasReason() {
        if (life.outputEnded) return promises.endSeen;
        if (!promises.isAllSent() || promises.isWaiting()) return false;
        // the part of a next request may have been dropped while the last answer was streamed
        boolean last = promises.last || promises.mayBeUnsaid();
        if (promises.endSeen) return promises.refused || !promises.isInside() || last;
        int asked = promises.finished - 1;
        // a whole request is refused if who receives its body is silent
        boolean refused = promises.refused && promises.aborted == null;
        if (!promises.last || refused || asked < 0 || !life.plan.asksToClose(asked)) return false;
        // what came while its last answer was streamed is dropped, and nobody knows of it
        return promises.isAfterStream() || wasToBeStreamed(asked) || life.read == life.plan.ends()[asked];
    }

    /** A publisher that fails at first gets its client a 500 instead. */
    private boolean wasToBeStreamed(int index) {
        HandledRequest one = promises.asked(index);
        return one != null && one.reply.content().form().isStreamed();
    }

    /** The client has ended its side, or has asked for the end and sent nothing more that was read. */
    private boolean isPeaceful() {
        boolean asked = promises.finished > 0 && life.plan.asksToClose(promises.finished - 1);
        return hasReason() && !asked;
    }

    private boolean isTimeOver() {
        Deadlines deadlines = promises.deadlines;
        boolean more = deadlines.isDue(Mode.IDLE) && !world.bound.hasReadOn(life);
        life.brokenIf(more && !world.leaving, "gives up, and more is here");
        return deadlines.isDue(Mode.IDLE) || deadlines.isDue(Mode.LINGERING) || deadlines.isLeftBehind()
                || deadlines.isDue(Mode.BLOCKED) && dropUnsent;
    }

    /** The loop ends: what was answered before has been sent, as far as the socket takes it. */
    private String wrongEnd() {
        boolean kept = !world.faults.clockStruck && !promises.isAllSent() && !promises.isOwed()
                && !promises.blocked && !promises.everStruck
                && !promises.isVague() && !promises.failed
                && life.room() > 0 && !world.bound.mayWait();
        return kept ? "an answer that was given is not sent at the end" : null;
    }
}
