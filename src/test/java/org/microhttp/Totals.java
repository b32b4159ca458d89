package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;

/** What is left of all that loops hold in common, to be compared when they have ended; and their tasks. */
final class Totals {

    private final List<LoopContext> loops;
    private final List<Long> before;

    /** Of loops of one group, while nothing is taken. */
    Totals(LoopContext... loops) {
        this.loops = List.of(loops);
        before = left();
    }

    static Totals of(EventLoop loop) throws ReflectiveOperationException {
        return new Totals(Inside.of(loop, LoopContext.class));
    }

    /** Bytes, connections, requests. */
    private List<Long> left() {
        GroupContext group = loops.get(0).group;
        return List.of(group.bytes.left(), group.connections.left(), group.requests.left());
    }

    /** Whether some of each is taken now. */
    boolean isAllHeld() {
        List<Long> now = left();
        return IntStream.range(0, now.size()).allMatch(i -> now.get(i) < before.get(i));
    }

    void assertNothingIsHeld() {
        // a loop that has ended hears of no answer: the places of what handlers still have stay taken
        assertEquals(before.subList(0, 2), left().subList(0, 2), "what is left of bytes, connections");
        for (LoopContext loop : loops) {
            assertEquals(0, loop.connectionCount.get(), "connections that a loop counts");
            assertTrue(loop.tasks.isEmpty(), "a task waits");
        }
    }
}
