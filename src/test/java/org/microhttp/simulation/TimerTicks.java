package org.microhttp.simulation;

/** The ticks of the loops' timers: when a deadline is seen at the latest. */
final class TimerTicks {

    private static final long MILLI = 1_000_000;

    /** What a connection writes after its handler has returned, at most, before the loop sleeps. */
    private static final int WRITES = 16;

    private final World world;
    private final long[] origins;
    private final long slack;

    TimerTicks(World world) throws ReflectiveOperationException {
        this.world = world;
        origins = world.server.occupancy.origins();
        var costs = world.conditions.costs();
        // the loop need not look at the clock again after that, and so sleeps a little too long
        slack = MILLI / 10 + 2L * costs.select() + WRITES * (long) (costs.write() + costs.read());
    }

    /** Whether a deadline should have been seen before this turn: a selector sleeps whole milliseconds. */
    boolean isLate(SimulatedConnection life, long due) {
        long next = Math.max(tick(life, due) + MILLI, world.turns.end());
        return world.turns.begin() > next + slack;
    }

    /** The first that is not before a time. */
    private long tick(SimulatedConnection life, long time) {
        long origin = world.machine.toElapsed(origins[life.selector.index]);
        return origin - Math.floorDiv(origin - time, world.resolution) * world.resolution;
    }
}
