package org.microhttp.simulation;

import java.util.List;
import org.microhttp.wire.model.Parsed;

/** The head of an answer that the handler gave: whether it is that of the request, and as it must be. */
final class PlannedAnswer {

    private final SimulatedConnection life;
    private final int index;
    private final AnswerHead answer;

    PlannedAnswer(SimulatedConnection life, int index, AnswerHead answer) {
        this.life = life;
        this.index = index;
        this.answer = answer;
    }

    /** What was planned; says so if something is wrong. */
    HandledRequest judge(String id) {
        HandledRequest one = life.promises.asked(index);
        if (one == null || !one.reply.id().equals(id)) {
            life.broken("answer " + index + " is another's: " + id);
            throw new Broken(id);
        }
        life.brokenIf(life.promises.failedBody.isOf(index), "begins an answer whose body cannot be read");
        HandlerPlan reply = one.reply;
        StreamedBody stream = one.stream();
        StreamedBody streamed = one.streamed;
        long length = streamed == null ? reply.content().length() : streamed.stated;
        boolean bare = reply.status() == 204 || reply.status() == 304 || length < 0 && reply.status() != 205;
        boolean upgrade = stream != null && stream.isUpgrade();
        String reason = upgrade ? "Switching Protocols" : "As Planned";
        boolean right = one.given && !one.failed && answer.status() == reply.status()
                && answer.reason().equals(reason) && answer.length() >= 0 != bare;
        if (!right) life.broken("not the answer that was given: " + answer);
        boolean exact = reply.status() == 205 || answer.length() == length;
        if (answer.length() >= 0 && !exact) life.broken("a wrong length: " + answer);
        List<String> lines = reply.wrapping().lines(reply);
        if (stream != null && stream.isChunked()) lines.add("Transfer-Encoding: chunked");
        if (upgrade) lines.add("Upgrade: echo");
        if (!answer.lines().equals(lines)) life.broken("fields " + answer.lines() + ", not " + lines);
        if (upgrade) {
            boolean right101 = "upgrade".equals(answer.fields().get("connection"));
            if (!right101) life.broken("a wrong Connection: " + answer);
            return one;
        }
        checkConnection(reply.closing() || stream != null && stream.isUnframed());
        return one;
    }

    private void checkConnection(boolean asksToClose) {
        World world = life.world;
        Parsed request = life.plan.requests().get(index);
        boolean mustClose = life.promises.isLast(index) || asksToClose;
        // what comes early, and finds no buffer, is refused, and the answer that is owed is then the last
        boolean mayClose = mustClose || world.leaving || world.conditions.limitsBytes();
        if (answer.isClosing() ? !mayClose : mustClose) life.broken("a wrong Connection: " + answer);
        boolean keeps = "keep-alive".equals(answer.fields().get("connection"));
        if (keeps != (request.version().equals("HTTP/1.0") && !answer.isClosing())) {
            life.broken("a wrong Connection: " + answer);
        }
    }
}
