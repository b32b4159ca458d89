package org.microhttp.simulation;

/**
 * That a loop turns because something has happened, or a time has come: not for nothing, again and again. For
 * each connection it may look a few times whether its deadline has moved, and once in each round of a wheel.
 */
final class SpinCheck {

    /** A round of the wheel has a few more ticks. */
    private static final int ROUND = 1000;
    private static final int FREE = 12;

    /** After an accept that failed. */
    private static final long RETRY = 100_000_000;

    private final World world;

    /** What has happened so far on connections; the same and what clients do, when a turn was over. */
    private long progress, last;
    private long idle, since;

    SpinCheck(World world) {
        this.world = world;
    }

    /** Something was done that cannot be done again and again. */
    void onProgress() {
        progress++;
    }

    /**
     * A turn is over.
     *
     * @param entries  how many deadlines there may be
     * @param failedAt when an accept failed for the last time, which is tried again and again
     */
    void onTurnEnd(int entries, long failedAt) {
        long all = progress + world.machine.happened();
        long now = world.machine.now();
        if (all != last) {
            last = all;
            idle = 0;
            since = now;
            return;
        }
        idle++;
        long rounds = 1 + (now - since) / (ROUND * world.resolution);
        long retries = failedAt < since ? 0 : 1 + (now - since) / RETRY;
        long most = FREE + 3 * entries + rounds * (entries + 2) + 3 * world.conditions.loops() * retries;
        if (idle > most) world.broken("turns " + idle + " times for nothing");
    }
}
