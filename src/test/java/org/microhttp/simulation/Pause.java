package org.microhttp.simulation;

/**
 * The time between an answer's head and its body, if that is to leave later: nothing is written meanwhile,
 * and the next request waits.
 */
final class Pause {

    private final Life life;

    /** How long it is; 0 while there is none. */
    private long nanos;

    /** Whether the head of this write is the last that was seen. */
    private boolean fresh;

    /** When the turn has begun in which the last was over. */
    private long over = -1;

    Pause(Life life) {
        this.life = life;
    }

    /** Whether a head was written, and nothing that could be of its body. */
    boolean isWaiting() {
        return nanos > 0;
    }

    long nanos() {
        return nanos;
    }

    /** Whether one was over in the present turn, or the last. */
    boolean hasEndedNow() {
        return over == life.world.turns.begin();
    }

    /** The end of a head was written, and its body is to follow so much later. */
    void begin(long length) {
        nanos = length;
        fresh = length > 0;
        if (!fresh) return;
        life.world.tally.count("body waits");
        // so that there are some whose body is not taken when it may leave
        life.full = life.random.nextInt(4) == 0;
    }

    /** A body begins. */
    void onBody() {
        life.brokenIf(fresh, "a body leaves with its head, and is to leave later");
    }

    /** Something is to be written. */
    void onAttempt() {
        if (nanos == 0) return;
        Deadlines deadlines = life.promises.deadlines;
        if (!deadlines.isPauseOver()) life.broken("a body leaves too early; " + deadlines);
        if (deadlines.isPauseLate()) life.broken("a body leaves too late; " + deadlines);
        nanos = 0;
        over = life.world.turns.begin();
        // from now on it is the client who is waited for
        deadlines.onActive();
    }

    /** The write is over in which the head was. */
    void onWritten() {
        fresh = false;
    }
}
