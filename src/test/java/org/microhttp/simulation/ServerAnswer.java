package org.microhttp.simulation;

/** An answer that the server gave by itself: whether it was due. */
final class ServerAnswer {

    private final Promises promises;
    private final SimulatedConnection life;
    private final World world;
    private final int index;
    private final AnswerHead answer;

    /** What the first word of the text names, or the program was told; empty if there is neither. */
    private final String code;

    /** That of the program's hook for it; null if there was none. */
    private final ErrorFields.Call call;

    ServerAnswer(Promises promises, SimulatedConnection life, int index, AnswerHead answer, String text) {
        this.promises = promises;
        this.life = life;
        this.index = index;
        this.answer = answer;
        world = life.world;
        int colon = text.indexOf(": ");
        String named = colon < 0 ? "" : text.substring(0, colon);
        call = promises.ownFields.take(answer, index, named);
        code = named.isEmpty() && call != null ? call.code() : named;
        if (!text.isEmpty() && (colon < 0 || !text.endsWith("\n"))) life.broken("no reason: " + text);
    }

    private boolean is(int status, String name) {
        return answer.status() == status && (code.equals(name) || code.isEmpty());
    }

    /** Looks whether it was due, and says so if it was not. */
    void judge() {
        HandledRequest one = promises.asked(index);
        boolean due = one == null ? isRefusal() : isFor(one);
        String what = answer.status() + " " + code + " for " + index;
        if (!due) life.broken("not due: " + what + "; " + life.promises.deadlines);
        promises.ownFields.check(answer, index, code, call);
        world.tally.refused(code.isEmpty() ? "to HEAD" : code);
    }

    /** An answer to a request that the handler has. */
    private boolean isFor(HandledRequest one) {
        boolean unasked = one.given && one.reply.status() == 101 && life.plan.upgrade() == Upgrade.NOT_ASKED;
        if (unasked && is(400, "bad_upgrade")) return true;
        StreamedBody stream = one.stream();
        // known since the head came: the publisher may have given a subscription afterwards
        boolean unsent = stream != null && stream.isReplaced();
        if (is(500, "handler_error") && (promises.failedBody.isOf(index) || unsent)) {
            boolean mustClose = promises.isLast(index) || one.reply.closing()
                    || unsent && stream.isUnframed();
            boolean mayClose = world.leaving || world.conditions.limitsBytes();
            return answer.isClosing() ? mustClose || mayClose : !mustClose;
        }
        if (is(500, "handler_error") && one.given && one.failed) return isFailure(one);
        life.brokenIf(!one.request.isAbandoned(), "gives a request up that is not abandoned");
        one.notices.forEach(AbandonAction::check);
        boolean timeout = is(503, "handler_timeout") && (!one.given || one.maybe) && answer.isClosing();
        return timeout && promises.moment().now() >= one.dueLow()
                && (promises.wasBlocked || !world.ticks.isLate(life, one.dueHigh()));
    }

    /** The handler has failed, at once or later. */
    private boolean isFailure(HandledRequest one) {
        HandlerPlan reply = one.reply;
        boolean closes = one.saysFailed && reply.closing() && reply.wrapping() == WrapperBehaviour.ADDS;
        boolean mustClose = promises.isLast(index) || closes;
        boolean mayClose = world.leaving || reply.manner().isLate() && world.conditions.limitsBytes();
        return answer.isClosing() ? mustClose || mayClose : !mustClose;
    }

    /** An answer to what was not handed over. */
    private boolean isRefusal() {
        if (is(503, "overload") && isOverload()) return true;
        promises.refused = true;
        if (!answer.isClosing()) return false;
        if (promises.aborted != null) return is(promises.aborted.status, promises.aborted.code);
        boolean inside = promises.isInside();
        if (is(503, "out_of_buffers") && world.conditions.limitsBytes()) return true;
        if (is(408, "request_timeout") && inside && promises.moment().requestTime()) return isTimely();
        if (is(408, "socket_timeout") && inside && promises.moment().socketTime()) return isTimely();
        if (is(400, "truncated") && promises.endSeen && inside) return true;
        boolean behind = index == life.plan.requests().size();
        boolean full = world.conditions.limitsPending() && world.ledger.everFull();
        // its body might have been received as it came, but nobody could be asked
        if (behind && full && life.plan.statuses().contains(413) && is(503, "overload")) return true;
        return behind && life.plan.statuses().contains(answer.status());
    }

    private boolean isTimely() {
        if (promises.wasBlocked) return true;
        life.brokenIf(!world.isEnding() && !world.bound.hasReadOn(life), "gives up, and more is here");
        return promises.moment().timely();
    }

    /** As many were pending as may be. */
    private boolean isOverload() {
        boolean whole = index < life.plan.requests().size() && life.read >= life.plan.ends()[index];
        if (!whole || !world.conditions.limitsPending() || index != promises.handed) return false;
        // where turns of the loop write little, it may have waited in line since an earlier turn
        boolean full = world.conditions.share() > 0 ? world.ledger.everFull() : world.ledger.wasFull();
        boolean due = (promises.wasBlocked || full)
                && "1".equals(answer.fields().get("retry-after"))
                && (answer.isClosing() == life.plan.isLast(index) || world.leaving);
        if (due) promises.onOverload();
        return due;
    }
}
