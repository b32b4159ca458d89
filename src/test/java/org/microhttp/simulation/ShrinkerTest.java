package org.microhttp.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What is left of a world that breaks is what breaks it. */
final class ShrinkerTest {

    private static final int CLIENTS = 50;
    private static final long LONG_ENOUGH = TimeUnit.MINUTES.toNanos(1);

    private static Scenario shrink(Function<Scenario, String> run) {
        Scenario whole = Scenario.of(1);
        return Shrinker.shrink(whole, run.apply(whole), CLIENTS, run, LONG_ENOUGH);
    }

    @Test
    void leavesTheClientsAndRequestsWithoutWhichNothingBreaks() {
        Scenario small = shrink(world ->
                world.has(7) && world.has(12) && world.most() >= 2 ? "broken" : null);
        assertEquals(CLIENTS - 2, small.without().size());
        assertEquals(2, small.most());
        assertEquals(Set.of(Simplification.values()), small.omitted());
    }

    @Test
    void keepsMachineFaultsThatCauseTheFailure() {
        Scenario small = shrink(world -> world.omitted().contains(Simplification.FAULTS) ? null : "broken");
        assertEquals(CLIENTS, small.without().size());
        assertEquals(0, small.most());
        assertEquals(Simplification.values().length - 1, small.omitted().size());
    }

    @Test
    void differentFailuresAreNotTheSame() {
        Scenario small = shrink(world -> world.has(3) ? "c3: late, at 5 ms" : "c4: early, at 5 ms");
        assertEquals(CLIENTS - 1, small.without().size());
        assertFalse(small.without().contains(3));
    }

    @Test
    void stopsWhenItsTimeIsOver() {
        Scenario whole = Scenario.of(1);
        assertEquals(whole, Shrinker.shrink(whole, "broken", CLIENTS, world -> "broken", 0));
    }
}
