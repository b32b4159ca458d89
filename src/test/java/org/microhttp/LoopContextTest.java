package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.testing.TestServer;

/** When a loop ends, and when an idle connection does if the loop leaves. Times are those of one turn. */
class LoopContextTest extends ConnectionFixture {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long HOUR = TimeUnit.HOURS.toNanos(1);

    private LoopContext context;
    private LoopEnd end;
    private ClientSocket socket;

    /** The time of the turn, which does not pass. */
    private long now;

    @BeforeEach
    void start() throws IOException {
        loop = new ScriptedLoop(TestServer::echoTarget);
        context = loop.context;
        end = context.end;
        now = loop.context.clock.now();
        socket = loop.connect().connection.socket;
    }

    private void usedBefore(long nanos) {
        socket.lastActive = now - nanos;
    }

    @Test
    void isNeitherStoppedNorLeavingAtFirst() {
        assertFalse(context.checkStop());
        assertFalse(context.end.leaving);
        assertFalse(context.end.interrupted);
        assertEquals(now + HOUR, end.idleDeadline(socket.lastActive, now + HOUR));
    }

    @Test
    void isStoppedForGood() {
        elsewhere(() -> context.end.stopped = true);
        assertTrue(context.checkStop());
        assertTrue(context.checkStop());
        assertFalse(context.end.leaving);
        assertFalse(context.end.interrupted);
    }

    @Test
    void isStoppedByAnInterruptWhichIsPutAside() {
        Thread.currentThread().interrupt();
        assertTrue(context.checkStop());
        assertFalse(Thread.currentThread().isInterrupted());
        assertTrue(context.end.interrupted);
        assertTrue(context.checkStop());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"10|20|10", "20|10|10", "10|10|10", "10|-10|-10", "-10|10|-10"})
    void theEarlierEndHolds(long first, long second, long expected) {
        assertTrue(context.leave(now + first));
        assertFalse(context.leave(now + second));
        assertTrue(context.end.leaving);
        assertEquals(now + expected, context.end.until);
    }

    @Test
    void theEarlierEndHoldsWhereTheClockWraps() {
        context.leave(Long.MIN_VALUE + 5);
        context.leave(Long.MAX_VALUE - 5);
        assertEquals(Long.MAX_VALUE - 5, context.end.until);
        context.leave(Long.MIN_VALUE + 5);
        assertEquals(Long.MAX_VALUE - 5, context.end.until);
    }

    /** Also where that has passed when the loop begins to leave. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 999_999_999, 1_000_000_000, 1_500_000_000, 100_000_000_000L})
    void whatIsIdleHasASecondFromItsLastUse(long used) {
        usedBefore(used);
        context.leave(now + HOUR);
        assertEquals(now - used + SECOND, end.idleDeadline(socket.lastActive, now + HOUR));
        long own = now - used + SECOND - 1;
        assertEquals(own, end.idleDeadline(socket.lastActive, own));
    }

    @Test
    void whatIsUsedMeanwhileHasASecondFromThere() {
        context.leave(now + HOUR);
        socket.lastActive = now + 7;
        assertEquals(now + 7 + SECOND, end.idleDeadline(socket.lastActive, now + HOUR));
        socket.lastActive = now + 9;
        assertEquals(now + 9 + SECOND, end.idleDeadline(socket.lastActive, now + HOUR));
        context.leave(now + HOUR);
        assertEquals(now + 9 + SECOND, end.idleDeadline(socket.lastActive, now + HOUR));
    }

    @Test
    void aDeadlineIsEarlierAlsoWhereTheClockWraps() {
        context.leave(now + HOUR);
        socket.lastActive = now + Long.MAX_VALUE - 5;
        assertEquals(now + Long.MAX_VALUE, end.idleDeadline(socket.lastActive, now + Long.MAX_VALUE));
        socket.lastActive = now + Long.MAX_VALUE - 5 - SECOND;
        assertEquals(now + Long.MAX_VALUE - 5, end.idleDeadline(socket.lastActive, now + Long.MAX_VALUE));
    }

    @Test
    void aDeadlineBehindTheWrapIsLaterThanOneBeforeIt() {
        assumeTrue(now > 0, "the clock is below zero");
        context.leave(now + HOUR);
        socket.lastActive = Long.MAX_VALUE - 5;
        assertEquals(Long.MAX_VALUE, end.idleDeadline(socket.lastActive, Long.MAX_VALUE));
    }

    /** Until the machine's clock shows another time. */
    private static void tick() {
        long before = System.nanoTime();
        while (System.nanoTime() == before) {
            Thread.onSpinWait();
        }
    }

    @Test
    void theTimeIsReadWhenATurnBeginsAndAfterAHandler() {
        tick();
        assertEquals(now, context.clock.now());
        context.clock.endTurn();
        context.beginTurn();
        long turn = context.clock.now();
        assertEquals(context.clock.turnBegan, turn);
        context.connectionTurn.begin();
        assertEquals(turn, context.clock.now());
        assertTrue(turn - now > 0);
        tick();
        assertEquals(turn, context.clock.now());
        context.clock.forget();
        long later = context.clock.now();
        assertTrue(later - turn > 0);
        tick();
        assertEquals(later, context.clock.now());
        context.clock.endTurn();
        tick();
        assertTrue(context.clock.now() - later > 0);
    }

    @Test
    void aTurnOfTheLoopBeginsBeforeThatOfAConnection() {
        context.clock.endTurn();
        assertEquals(LoopClock.NONE, context.clock.turnBegan);
        context.clock.now();
        assertEquals(LoopClock.NONE, context.clock.turnBegan);
        context.beginTurn();
        long began = context.clock.turnBegan;
        assertNotEquals(LoopClock.NONE, began);
        context.connectionTurn.begin();
        assertEquals(began, context.clock.turnBegan);
        context.clock.endTurn();
        assertEquals(LoopClock.NONE, context.clock.turnBegan);
    }

    @Test
    void theLongestTurnIsFromItsBeginningToTheSleep() {
        context.clock.endTurn();
        long before = context.clock.longestTurn;
        context.beginTurn();
        while (System.nanoTime() - context.clock.turnBegan <= before) {
            Thread.onSpinWait();
        }
        context.clock.endTurn();
        assertTrue(context.clock.longestTurn > before);
    }

    @Test
    void noTurnIsCountedThatHasNotBegun() {
        context.clock.endTurn();
        long before = context.clock.longestTurn;
        while (System.nanoTime() - now <= 2 * before) {
            Thread.onSpinWait();
        }
        context.clock.endTurn();
        assertEquals(before, context.clock.longestTurn);
    }
}
