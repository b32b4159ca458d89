package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** What is left of all that loops hold in common, to be compared when they have ended; and their tasks. */
final class Totals {

    private final List<LoopContext> loops;
    private final List<Long> before;

    /** Of loops of one group, while nothing is taken. */
    Totals(LoopContext... loops) throws ReflectiveOperationException {
        this.loops = List.of(loops);
        before = left();
    }

    static Totals of(EventLoop loop) throws ReflectiveOperationException {
        return new Totals(Inside.of(loop, LoopContext.class));
    }

    /** Bytes, connections, requests. */
    private List<Long> left() throws ReflectiveOperationException {
        GroupContext group = loops.get(0).group;
        return List.of(left(group.bytes), left(group.connections), left(group.requests));
    }

    private static long left(Budget budget) throws ReflectiveOperationException {
        return Inside.of(budget, AtomicLong.class).get();
    }

    /** Whether some of each is taken now. */
    boolean isAllHeld() throws ReflectiveOperationException {
        List<Long> now = left();
        for (int i = 0; i < now.size(); i++) {
            if (now.get(i) >= before.get(i)) {
                return false;
            }
        }
        return true;
    }

    void assertNothingIsHeld() throws ReflectiveOperationException {
        // a loop that has ended hears of no answer: the places of what handlers still have stay taken
        assertEquals(before.subList(0, 2), left().subList(0, 2), "what is left of bytes, connections");
        for (LoopContext loop : loops) {
            assertEquals(0, loop.connectionCount.get(), "connections that a loop counts");
            assertTrue(loop.tasks.isEmpty(), "a task waits");
        }
    }
}
