package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client may still send, and for how long; whatever the clock's number is, which may wrap. */
class LingeringLimitsTest {

    private static final long SECOND = 1_000_000_000L;
    private static final int MEBIBYTE = 1 << 20;

    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE - 1, Long.MAX_VALUE - 7 * SECOND, -1})
    void isOverAfterFiveSecondsOfSilence(long began) {
        var lingering = new Lingering(began);
        assertEquals(began + 5 * SECOND, lingering.deadline);
        assertFalse(lingering.record(0, began + 5 * SECOND - 1));
        assertTrue(lingering.record(0, began + 5 * SECOND));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE - 7 * SECOND, -1})
    void isSilentSinceTheLastBytes(long began) {
        var lingering = new Lingering(began);
        assertFalse(lingering.record(1, began + 4 * SECOND));
        assertFalse(lingering.record(0, began + 8 * SECOND));
        assertEquals(began + 9 * SECOND, lingering.deadline);
        assertTrue(lingering.record(0, began + 9 * SECOND));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE - 20 * SECOND, -1})
    void isOverAfterThirtySecondsWhateverComes(long began) {
        var lingering = new Lingering(began);
        for (int second = 1; second < 30; second++) {
            assertFalse(lingering.record(1, began + second * SECOND));
        }
        assertEquals(began + 30 * SECOND, lingering.deadline);
        assertFalse(lingering.record(1, began + 30 * SECOND - 1));
        assertTrue(lingering.record(1, began + 30 * SECOND));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 64})
    void isOverAfter64Mebibytes(int parts) {
        var lingering = new Lingering(0);
        for (int i = 0; i < parts; i++) {
            assertFalse(lingering.record(64 / parts * MEBIBYTE, 1));
        }
        assertTrue(lingering.record(1, 1));
    }

    /** What a channel says at its end is no number of bytes. */
    @ParameterizedTest
    @ValueSource(longs = {0, SECOND})
    void isOverWhenTheClientHasEnded(long passed) {
        var lingering = new Lingering(0);
        assertTrue(lingering.record(-1, passed));
        assertEquals(5 * SECOND, lingering.deadline);
    }
}
