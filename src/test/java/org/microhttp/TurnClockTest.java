package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** One time for all of a turn, which begins when somebody asks and ends with the sleep. */
class TurnClockTest {

    private final Counters counters = new Counters();
    private final TurnClock clock = new TurnClock(new Clock(), counters);

    /** Until the machine's clock shows another time. */
    private static long tick() {
        long before = System.nanoTime();
        while (System.nanoTime() == before) {
            Thread.onSpinWait();
        }
        return System.nanoTime();
    }

    private Duration longestTurn() {
        return counters.snapshot(0).longestTurn();
    }

    @Test
    void showsTheSameTimeForAWholeTurn() {
        long before = tick();
        long now = clock.now();
        assertTrue(now - before >= 0);
        tick();
        assertEquals(now, clock.now());
    }

    @Test
    void showsAnotherTimeInTheNextTurn() {
        long first = clock.now();
        long slept = clock.endTurn();
        long before = tick();
        long second = clock.now();
        assertTrue(slept - first >= 0 && before - slept > 0 && second - before >= 0);
        assertEquals(second, clock.now());
    }

    @Test
    void aTurnBeginsWithTheFirstWhoAsks() {
        assertEquals(Counters.NONE, counters.turn());
        long now = clock.now();
        assertEquals(now, counters.turn());
        clock.now();
        assertEquals(now, counters.turn());
        clock.endTurn();
        assertEquals(Counters.NONE, counters.turn());
        clock.read();
        assertEquals(Counters.NONE, counters.turn());
    }

    @Test
    void theLongestTurnIsFromTheFirstWhoAsksToTheSleep() {
        long began = clock.now();
        Duration first = Duration.ofNanos(tick() - began);
        Duration whole = Duration.ofNanos(clock.endTurn() - began);
        assertEquals(whole, longestTurn());
        assertTrue(whole.compareTo(first) >= 0);
    }

    @Test
    void noTurnIsCountedInWhichNobodyAsks() {
        clock.endTurn();
        tick();
        clock.endTurn();
        assertEquals(Duration.ZERO, longestTurn());
    }
}
