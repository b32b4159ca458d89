package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.microhttp.testing.TestServer;

/** When a loop ends, when an idle connection does if the loop leaves, and what time it is for a loop. */
class LoopContextTest extends ConnectionFixture {

    private LoopContext context;
    private LoopClock clock;

    @BeforeEach
    void start() throws IOException {
        loop = new ScriptedLoop(TestServer::echoTarget);
        context = loop.context;
        clock = context.clock;
    }

    @Test
    void aStopIsForGood() {
        assertFalse(context.checkStop());
        elsewhere(() -> context.end.stopped = true);
        assertTrue(context.checkStop());
        assertTrue(context.checkStop());
        assertFalse(context.end.leaving);
        assertFalse(context.end.interrupted);
        assertLogged(0, "loop_interrupt");
    }

    @Test
    void anInterruptIsAStopAndItsFlagIsCleared() {
        Thread.currentThread().interrupt();
        assertTrue(context.checkStop());
        assertFalse(Thread.currentThread().isInterrupted());
        assertTrue(context.end.interrupted);
        assertTrue(context.checkStop());
        assertLogged(1, "loop_interrupt");
    }

    /** Times are those of a clock that wraps. */
    @ParameterizedTest
    @CsvSource({"10, 20, 10", "20, 10, 10", "10, 10, 10", "10, -10, -10", "-10, 10, -10",
        "-9223372036854775803, 9223372036854775802, 9223372036854775802",
        "9223372036854775802, -9223372036854775803, 9223372036854775802"})
    void ofSeveralGracefulStopsTheEarliestEndHolds(long first, long second, long expected) {
        assertFalse(context.end.leaving);
        assertTrue(context.leave(first));
        assertFalse(context.leave(second));
        assertTrue(context.end.leaving);
        assertEquals(expected, context.end.until);
    }

    /** A second after its last use, or at its own deadline if that is earlier; the clock wraps. */
    @ParameterizedTest
    @CsvSource({
        "false, 0,                   9000000000,          9000000000",
        "true,  0,                   9000000000,          1000000000",
        "true,  7,                   9000000000,          1000000007",
        "true,  -1500000000,         9000000000,          -500000000",
        "true,  0,                   999999999,           999999999",
        "true,  9223372036854775802, 9223372036854775807, 9223372036854775807",
        "true,  9223372035854775802, 9223372036854775807, 9223372036854775802",
    })
    void anIdleConnectionEndsSoonInAGracefulStop(boolean leaves, long lastActive, long own, long expected) {
        if (leaves) context.leave(Long.MAX_VALUE);
        assertEquals(expected, context.end.idleDeadline(lastActive, own));
    }

    /** Time passes with each step, but the loop sees it only where it may have taken long. */
    @Test
    void theClockIsReadWhenATurnBeginsAndAfterAHandler() {
        clock.endTurn();
        assertEquals(LoopClock.NONE, clock.turnBegan);
        assertSees(0);
        loop.machine.pass(5);
        assertSees(0);
        assertEquals(LoopClock.NONE, clock.turnBegan);
        context.beginTurn();
        assertEquals(5, clock.turnBegan);
        loop.machine.pass(5);
        context.connectionTurn.begin();
        assertSees(5);
        clock.forget();
        assertSees(10);
        loop.machine.pass(5);
        assertSees(10);
        assertEquals(5, clock.turnBegan);
        assertEquals(15, clock.endTurn());
        loop.machine.pass(5);
        assertSees(20);
    }

    private void assertSees(long now) {
        assertEquals(now, clock.now());
    }

    /** The time between turns is not counted, nor a turn that has not begun. */
    @Test
    void theLongestTurnIsFromItsBeginningToItsEnd() {
        clock.endTurn();
        int[] turns = {3, 7, 5};
        int[] longest = {3, 7, 7};
        for (int i = 0; i < turns.length; i++) {
            loop.machine.pass(100);
            clock.endTurn();
            context.beginTurn();
            loop.machine.pass(turns[i]);
            clock.endTurn();
            assertEquals(longest[i], clock.longestTurn);
        }
    }
}
