package org.microhttp;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** What loops count of all that clients can occupy, for tools that compare it with what they see. */
public final class Occupancy {

    private final List<Shared> loops;
    private final Common common;

    /** Of one loop, or of those of one group. */
    public Occupancy(EventLoop... loops) throws ReflectiveOperationException {
        var shared = new Shared[loops.length];
        for (int i = 0; i < loops.length; i++) {
            shared[i] = Inside.of(loops[i], Shared.class);
        }
        this.loops = List.of(shared);
        common = shared[0].common;
    }

    /** Of all loops of a group. */
    public static Occupancy of(EventLoopGroup group) throws ReflectiveOperationException {
        List<?> loops = Inside.of(group, List.class);
        return new Occupancy(loops.toArray(EventLoop[]::new));
    }

    public long bytes() {
        return common.bytes.used();
    }

    public long connections() {
        return common.connections.used();
    }

    /** Those in the handler's hands. */
    public long requests() {
        return common.requests.used();
    }

    /** How many connections each loop counts. */
    public List<Long> open() {
        return loops.stream().map(loop -> (long) loop.open.get()).toList();
    }

    public boolean hasTasks() {
        return loops.stream().anyMatch(Shared::hasTasks);
    }

    /** Slots of the timers that are not empty. */
    public long timers() throws ReflectiveOperationException {
        long timers = 0;
        for (Shared loop : loops) {
            var slots = Inside.of(loop.scheduler, Scheduler.Entry[].class);
            timers += Arrays.stream(slots).filter(Objects::nonNull).count();
        }
        return timers;
    }

    /** False only when every loop has ended, or is about to. */
    public boolean isServing() {
        return loops.stream().anyMatch(loop -> loop.selector.isOpen());
    }

    /** The time of the present turn; on a thread of one of the loops. */
    public long now() {
        for (Shared loop : loops) {
            if (loop.isLoopThread()) {
                return loop.now();
            }
        }
        throw new IllegalStateException("not a thread of the server");
    }
}
