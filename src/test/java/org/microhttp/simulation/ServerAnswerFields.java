package org.microhttp.simulation;

import java.util.ArrayList;
import java.util.List;
import org.microhttp.simulation.ErrorFields.Call;

/** The fields of the responses that the server itself gives on one connection: once for each that is sent. */
final class ServerAnswerFields {

    private static final String TYPE = "Content-Type: text/plain; charset=utf-8";

    /** The longest target that is surely kept. */
    private static final int SHORT = 900;

    private final SimulatedConnection life;

    /** Those whose response was not seen. */
    private final List<Call> unseen = new ArrayList<>(2);

    ServerAnswerFields(SimulatedConnection life) {
        this.life = life;
    }

    void onCall(Call call) {
        unseen.add(call);
    }

    /** The call for an answer; null if there is no program that adds fields, or it was not asked. */
    Call take(AnswerHead answer, int index, String code) {
        if (life.world.conditions.additions().errors() == ErrorFields.Kind.NONE) return null;
        String value = answer.fields().get("x-error");
        for (Call call : unseen) {
            boolean same = call.status() == answer.status() && (code.isEmpty() || code.equals(call.code()))
                    && (value == null ? isWithout(call, index) : value.equals(call.value()));
            if (same) {
                unseen.remove(call);
                return call;
            }
        }
        life.broken("an own answer with fields that were not given: " + answer + " " + code);
        return null;
    }

    /** Whether what was returned is wrong, and for this request. */
    private boolean isWithout(Call call, int index) {
        boolean same = call.target().isEmpty() || life.plan.isTarget(index, call.target());
        return same && call.value() == null;
    }

    /** Holds the fields of an answer to what they must be, and the request to the one that is answered. */
    void check(AnswerHead answer, int index, String code, Call call) {
        HandledRequest one = life.promises.asked(index);
        var lines = new ArrayList<String>();
        boolean known = !code.isEmpty();
        boolean retry = known ? code.equals("overload") : answer.fields().containsKey("retry-after");
        if (retry) lines.add("Retry-After: 1");
        lines.add(TYPE);
        boolean failed = one != null && one.saysFailed && answer.status() == 500;
        if (failed && !life.promises.failedBody.isOf(index)) lines.addAll(one.reply.wrapping().added());
        if (call != null) lines.addAll(call.lines());
        // those that are the server's have no order
        boolean same = answer.lines().stream().sorted().toList().equals(lines.stream().sorted().toList());
        if (!same) life.broken("fields " + answer.lines() + ", not " + lines);
        if (call != null) checkRequest(one, index, call.target());
    }

    /** The program was told of the request that is answered, as far as that is known. */
    private void checkRequest(HandledRequest one, int index, String target) {
        boolean kept = one != null && one.request.target().length() < SHORT && life.world.isPlain();
        boolean right = target.isEmpty() ? !kept : life.plan.isTarget(index, target);
        if (!right) life.broken("fields are asked for another request than " + index + ": " + target);
    }

    /** All answers were sent. */
    void checkSent() {
        if (!unseen.isEmpty()) life.broken("fields are asked for what is not sent: " + unseen);
    }
}
