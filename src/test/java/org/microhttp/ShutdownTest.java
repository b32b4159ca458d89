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
import org.microhttp.tools.TestServer;

/** When a loop ends, and when an idle connection does if the loop leaves. Times are those of one turn. */
class ShutdownTest extends ConnectionFixture {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long HOUR = TimeUnit.HOURS.toNanos(1);

    private Shutdown shutdown;
    private ClientSocket socket;

    /** The time of the turn, which does not pass. */
    private long now;

    @BeforeEach
    void start() throws IOException {
        loop = new ScriptedLoop(TestServer::echoTarget);
        shutdown = loop.context.shutdown;
        now = loop.context.clock.now();
        var key = new ScriptedChannel.Key();
        socket = new ClientSocket(loop.context, key.channel(), key);
    }

    private void usedBefore(long nanos) {
        socket.lastActive = now - nanos;
    }

    @Test
    void isNeitherStoppedNorLeavingAtFirst() {
        assertFalse(shutdown.checkStop());
        assertFalse(shutdown.leaving);
        assertFalse(shutdown.interrupted);
        assertEquals(Long.MAX_VALUE, shutdown.nanosLeft(now));
        assertEquals(now + HOUR, shutdown.deadline(socket, now + HOUR));
    }

    @Test
    void isStoppedForGood() {
        elsewhere(() -> shutdown.stopped = true);
        assertTrue(shutdown.checkStop());
        assertTrue(shutdown.checkStop());
        assertFalse(shutdown.leaving);
        assertFalse(shutdown.interrupted);
    }

    @Test
    void isStoppedByAnInterruptWhichIsPutAside() {
        Thread.currentThread().interrupt();
        assertTrue(shutdown.checkStop());
        assertFalse(Thread.currentThread().isInterrupted());
        assertTrue(shutdown.interrupted);
        assertTrue(shutdown.checkStop());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"10|20|10", "20|10|10", "10|10|10", "10|-10|-10", "-10|10|-10"})
    void theEarlierEndHolds(long first, long second, long expected) {
        assertTrue(shutdown.leave(now + first));
        assertFalse(shutdown.leave(now + second));
        assertTrue(shutdown.leaving);
        assertEquals(Math.max(0, expected), shutdown.nanosLeft(now));
    }

    @Test
    void theEarlierEndHoldsWhereTheClockWraps() {
        shutdown.leave(Long.MIN_VALUE + 5);
        shutdown.leave(Long.MAX_VALUE - 5);
        assertEquals(0, shutdown.nanosLeft(Long.MAX_VALUE - 5));
        assertEquals(7, shutdown.nanosLeft(Long.MAX_VALUE - 12));
        shutdown.leave(Long.MIN_VALUE + 5);
        assertEquals(0, shutdown.nanosLeft(Long.MAX_VALUE - 5));
        assertEquals(0, shutdown.nanosLeft(Long.MIN_VALUE + 5));
    }

    @Test
    void theTimeIsOverAtTheEndAndNotBefore() {
        shutdown.leave(now + 1);
        assertEquals(1, shutdown.nanosLeft(now));
        shutdown.leave(now);
        assertEquals(0, shutdown.nanosLeft(now));
        assertEquals(0, shutdown.nanosLeft(now + HOUR));
    }

    /** Also where that has passed when the loop begins to leave. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 999_999_999, 1_000_000_000, 1_500_000_000, 100_000_000_000L})
    void whatIsIdleHasASecondFromItsLastUse(long used) {
        usedBefore(used);
        shutdown.leave(now + HOUR);
        assertEquals(now - used + SECOND, shutdown.deadline(socket, now + HOUR));
        assertEquals(now - used + SECOND - 1, shutdown.deadline(socket, now - used + SECOND - 1));
    }

    @Test
    void whatIsUsedMeanwhileHasASecondFromThere() {
        shutdown.leave(now + HOUR);
        socket.lastActive = now + 7;
        assertEquals(now + 7 + SECOND, shutdown.deadline(socket, now + HOUR));
        socket.lastActive = now + 9;
        assertEquals(now + 9 + SECOND, shutdown.deadline(socket, now + HOUR));
        shutdown.leave(now + HOUR);
        assertEquals(now + 9 + SECOND, shutdown.deadline(socket, now + HOUR));
    }

    @Test
    void aDeadlineIsEarlierAlsoWhereTheClockWraps() {
        shutdown.leave(now + HOUR);
        socket.lastActive = now + Long.MAX_VALUE - 5;
        assertEquals(now + Long.MAX_VALUE, shutdown.deadline(socket, now + Long.MAX_VALUE));
        socket.lastActive = now + Long.MAX_VALUE - 5 - SECOND;
        assertEquals(now + Long.MAX_VALUE - 5, shutdown.deadline(socket, now + Long.MAX_VALUE));
    }

    @Test
    void aDeadlineBehindTheWrapIsLaterThanOneBeforeIt() {
        assumeTrue(now > 0);
        shutdown.leave(now + HOUR);
        socket.lastActive = Long.MAX_VALUE - 5;
        assertEquals(Long.MAX_VALUE, shutdown.deadline(socket, Long.MAX_VALUE));
    }
}
