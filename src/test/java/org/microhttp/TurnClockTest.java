package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.microhttp.tools.TestServer;

/** One time for all of a turn, which begins when somebody asks and ends with the sleep. */
class TurnClockTest {

    private ScriptedLoop loop;
    private TurnClock clock;

    @BeforeEach
    void start() throws IOException {
        loop = new ScriptedLoop(TestServer::echoTarget);
        clock = loop.context.clock;
        clock.endTurn();
    }

    @AfterEach
    void stop() throws IOException {
        loop.close();
    }

    /** Until the machine's clock shows another time. */
    private static long tick() {
        long before = System.nanoTime();
        while (System.nanoTime() == before) {
            Thread.onSpinWait();
        }
        return System.nanoTime();
    }

    private Duration longestTurn() {
        return Counters.sum(loop.context).longestTurn();
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
        assertEquals(TurnClock.NONE, clock.turn);
        long now = clock.now();
        assertEquals(now, clock.turn);
        clock.now();
        assertEquals(now, clock.turn);
        clock.endTurn();
        assertEquals(TurnClock.NONE, clock.turn);
        clock.read();
        assertEquals(TurnClock.NONE, clock.turn);
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
