package org.microhttp.simulation;

import java.util.HashSet;
import java.util.Set;

/**
 * The answers of a connection whose bodies cannot be read. One of which nothing was written becomes a 500,
 * and others follow it; one of which some was is cut, and nothing follows.
 */
final class FailedBody {

    private final Promises promises;
    private final Set<Integer> answers = new HashSet<>();

    /** The answer that is cut; -1 for none. */
    private int cut = -1;

    FailedBody(Promises promises) {
        this.promises = promises;
    }

    /** The body of an answer turns out to be shorter, or cannot be read. */
    void onFailure(int answer, World world) {
        promises.failed = true;
        if (!answers.add(answer)) return;
        boolean begun = promises.finished > answer || promises.finished == answer && promises.isMidway();
        if (begun) cut = answer;
        world.tally.count(begun ? "body is cut" : "body is replaced");
    }

    /** An answer is cut before all of its body came. */
    void onCut(int answer, World world) {
        promises.failed = true;
        cut = answer;
        world.tally.count("stream is cut");
    }

    int count() {
        return answers.size();
    }

    boolean isOf(int answer) {
        return answers.contains(answer);
    }

    boolean isCut() {
        return cut >= 0;
    }

    /** Whether an answer before the one that is cut is not sent, though the socket would take it. */
    boolean losesAnswers() {
        return promises.finished < cut && !promises.blocked && !promises.last;
    }
}
