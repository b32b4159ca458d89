package org.microhttp.simulation.network;

/**
 * A thread that is none of the server's, and blocks in a call of it: in {@code stop} until the server has
 * ended. It runs while all others stand still, from {@link #begin} until it blocks, and from when the server
 * has ended. The time that it sees after the first look is one at which no waiting is over yet, for it waits
 * by the real clock, which here tells nothing; or, for one that is patient no longer, one at which it is.
 */
public final class Outsider extends Thread {

    private static final long HOUR = 3_600_000_000_000L;

    /** How much later than the first look every other is. */
    private final long later;
    private boolean looked;

    public Outsider(Runnable action) {
        this(action, -HOUR);
    }

    /** One to whom so much time has passed when it looks again. */
    public Outsider(Runnable action, long later) {
        super(action, "outsider");
        this.later = later;
        setDaemon(true);
    }

    /** What it sees when it looks at the clock at this time. */
    long time(long now) {
        boolean first = !looked;
        looked = true;
        return first ? now : now + later;
    }

    /** Starts it, and returns when it blocks, or has ended. */
    public void begin() {
        start();
        while (getState() != State.TIMED_WAITING && getState() != State.TERMINATED) {
            Thread.yield();
        }
    }
}
