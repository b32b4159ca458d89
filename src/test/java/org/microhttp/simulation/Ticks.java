package org.microhttp.simulation;

/** The ticks of the loops' timers: when a deadline is seen at the latest. */
final class Ticks {

    private static final long MILLI = 1_000_000;

    private final World world;
    private final long[] origins;
    private final long slack;

    Ticks(World world) throws ReflectiveOperationException {
        this.world = world;
        origins = world.server.occupancy.origins();
        slack = MILLI / 10 + 2L * world.conditions.costs().select();
    }

    /** Whether a deadline should have been seen before this turn: a selector sleeps whole milliseconds. */
    boolean isLate(Life life, long due) {
        long next = Math.max(tick(life, due) + MILLI, world.turns.end());
        return world.turns.begin() > next + slack;
    }

    /** The first that is not before a time. */
    private long tick(Life life, long time) {
        long origin = world.machine.toElapsed(origins[life.selector.index]);
        return origin - Math.floorDiv(origin - time, world.resolution) * world.resolution;
    }
}
