package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.Stream;

/** What loops count of all that clients can occupy, for tools that compare it with what they see. */
public final class Occupancy {

    private final List<LoopContext> loops;
    private final GroupContext group;

    /** Of one loop, or of those of one group. */
    public Occupancy(EventLoop... loops) {
        this(Stream.of(loops).map(loop -> loop.context).toList());
    }

    Occupancy(List<LoopContext> loops) {
        this.loops = loops;
        group = loops.get(0).group;
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
        return loops.stream().mapToLong(loop -> loop.connectionCount.get()).sum();
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

    /** Fails if something is left. A loop that has ended hears of no answer: a request may keep its place. */
    public void assertNothingIsLeft() {
        assertEquals("bytes 0, connections 0, of loops 0, tasks false", "bytes " + bytes() + ", connections "
                + connections() + ", of loops " + openCount() + ", tasks " + hasTasks());
    }

    /** Slots of the timers that are not empty. */
    public long timers() {
        return loops.stream().flatMap(loop -> Stream.of(slots(loop)))
                .filter(slot -> slot.next != slot).count();
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
