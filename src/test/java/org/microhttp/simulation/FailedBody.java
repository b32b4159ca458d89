package org.microhttp.simulation;

/** The one answer of a connection whose body cannot be read, if there is one. Nothing follows that answer. */
final class FailedBody {

    private final Promises promises;
    private int index = -1;

    /** Whether some of the answer was written before; else a 500 may take its place. */
    private boolean begun;

    FailedBody(Promises promises) {
        this.promises = promises;
    }

    /** The body of an answer turns out to be shorter, or cannot be read. */
    void onFailure(int answer, World world) {
        promises.failed = true;
        if (isThere()) return;
        index = answer;
        begun = promises.started > answer || promises.started == answer && promises.isMidway();
        world.tally.count("body is cut");
    }

    boolean isThere() {
        return index >= 0;
    }

    boolean isThereAndBegun() {
        return isThere() && begun;
    }

    boolean isOf(int answer) {
        return index == answer;
    }

    /** Whether an answer before it is not sent, though the socket would take it. */
    boolean losesAnswers() {
        return promises.finished < index && !promises.blocked && !promises.last;
    }
}
