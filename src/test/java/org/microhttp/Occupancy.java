package org.microhttp;

import java.util.*;

/** What loops count of all that clients can occupy, for tools that compare it with what they see. */
public final class Occupancy {

    private final List<LoopContext> loops;
    private final GroupContext group;

    /** Of one loop, or of those of one group. */
    public Occupancy(EventLoop... loops) throws ReflectiveOperationException {
        var contexts = new LoopContext[loops.length];
        for (int i = 0; i < loops.length; i++) {
            contexts[i] = Inside.of(loops[i], LoopContext.class);
        }
        this.loops = List.of(contexts);
        group = contexts[0].group;
    }

    /** Of all loops of a group. */
    public static Occupancy of(EventLoopGroup group) throws ReflectiveOperationException {
        List<?> loops = Inside.of(group, List.class);
        return new Occupancy(loops.toArray(EventLoop[]::new));
    }

    public long bytes() {
        return Inside.used(group.bytes);
    }

    public long connections() {
        return Inside.used(group.connections);
    }

    /** Those in the handler's hands. */
    public long requests() {
        return Inside.used(group.requests);
    }

    /** How many connections each loop counts. */
    public List<Long> open() {
        return loops.stream().map(loop -> (long) loop.connectionCount.get()).toList();
    }

    /** How many connections all count together. */
    public long openCount() {
        long count = 0;
        for (LoopContext loop : loops) {
            count += loop.connectionCount.get();
        }
        return count;
    }

    /** How many requests are not answered. */
    public int unanswered() {
        return loops.stream().mapToInt(loop -> (int) loop.counters.get(Counters.UNANSWERED)).sum();
    }

    public boolean hasTasks() {
        return loops.stream().anyMatch(loop -> !loop.tasks.isEmpty());
    }

    /** Whether one of the loops has any. */
    public boolean hasTasks(int loop) {
        return !loops.get(loop).tasks.isEmpty();
    }

    /** Slots of the timers that are not empty. */
    public long timers() {
        long timers = 0;
        for (LoopContext loop : loops) {
            timers += Arrays.stream(slots(loop)).filter(slot -> slot.next != slot).count();
        }
        return timers;
    }

    /** Deadlines that the timers have. Looks at every slot, so not for often. */
    public long deadlines() {
        long count = 0;
        for (LoopContext loop : loops) {
            for (Scheduler.Entry slot : slots(loop)) {
                for (Scheduler.Entry entry = slot.next; entry != slot; entry = entry.next) {
                    count++;
                }
            }
        }
        return count;
    }

    private static Scheduler.Entry[] slots(LoopContext loop) {
        try {
            return Inside.of(loop.scheduler, Scheduler.Entry[].class);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The time that the ticks of each loop's timers are counted from. */
    public long[] origins() {
        return loops.stream().mapToLong(loop -> loop.scheduler.origin).toArray();
    }

    /** False only when every loop has ended, or is about to. */
    public boolean isServing() {
        return loops.stream().anyMatch(loop -> !loop.tasks.ended);
    }

    /** The time of the present turn; on a thread of one of the loops. */
    public long now() {
        for (LoopContext loop : loops) {
            if (loop.tasks.isLoopThread()) {
                return loop.clock.now();
            }
        }
        throw new IllegalStateException("not a thread of the server");
    }
}
