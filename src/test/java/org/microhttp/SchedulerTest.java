package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.*;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Deadlines fire at most one tick late and never early, however they are moved. Time is a number here. */
class SchedulerTest {

    private static final long TICK = 100;

    /** One round of the wheel. */
    private static final long ROUND = 1024 * TICK;

    /** What fires in one turn. */
    private static final int MOST = 1024;

    /** Of the last advance. */
    private long time;

    private final List<Timer> fired = new ArrayList<>();
    private Scheduler scheduler = new Scheduler(0, TICK);

    /** Remembers when it is due, and when it fired. */
    private final class Timer extends Scheduler.Entry {

        private long due;
        private boolean set;

        void set(long deadline) {
            due = deadline;
            set = true;
            scheduler.schedule(this, deadline);
        }

        void cancel() {
            set = false;
            cancelDeadline();
        }

        @Override
        void onDeadline() {
            assertTrue(set, "fired once, and not after it was cancelled");
            assertTrue(time - due >= 0, "early by " + (due - time));
            set = false;
            fired.add(this);
        }
    }

    private Timer timer(long deadline) {
        var timer = new Timer();
        timer.set(deadline);
        return timer;
    }

    /** So many that are not set. */
    private List<Timer> timers(int count) {
        return Stream.generate(Timer::new).limit(count).toList();
    }

    private void advance(long now) {
        time = now;
        scheduler.advance(now);
    }

    /** As many turns as there is something due. */
    private void advanceToTheEnd(long now) {
        do {
            int before = fired.size();
            advance(now);
            assertTrue(fired.size() - before <= MOST, "fires " + (fired.size() - before) + " at once");
        } while (scheduler.nanosToNext(now) == 0);
    }

    private boolean sleepsForEver(long now) {
        long nanos = scheduler.nanosToNext(now);
        return nanos < 0 || nanos == Long.MAX_VALUE;
    }

    private void assertFiresInTime(Timer timer, long from) {
        for (long now = from; now - timer.due < 2 * TICK; now += TICK / 4) {
            advance(now);
            if (!timer.set) {
                assertTrue(now - timer.due >= 0, "early by " + (timer.due - now));
                assertTrue(now - timer.due <= TICK, "late by " + (now - timer.due));
                return;
            }
            assertTrue(scheduler.nanosToNext(now) >= 0 && scheduler.nanosToNext(now) <= timer.due - now
                    + TICK,
                    "sleeps " + scheduler.nanosToNext(now) + " with " + (timer.due - now) + " left");
        }
        throw new AssertionError("never fired");
    }

    /** Also if the loop has slept for long before the deadline is set. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 12345, Long.MAX_VALUE - 1000, Long.MAX_VALUE - 50 * TICK, -1, Long.MIN_VALUE,
            -10_000})
    void firesAtMostATickLateAndNeverEarly(long origin) {
        for (long delay : new long[] {0, 1, 99, 100, 101, 150, 1000, 12_345, ROUND - 1, ROUND, ROUND + 1,
                5 * ROUND + 7}) {
            for (long from : new long[] {origin, origin + 500 * ROUND + TICK / 4}) {
                scheduler = new Scheduler(origin, TICK);
                assertFiresInTime(timer(from + delay), from);
                assertTrue(sleepsForEver(from), "sleeps for ever when nothing is due");
            }
        }
    }

    /** What is in the first slot of the wheel, and in the last, too. */
    @Test
    void clearRemovesAllTimers() {
        advance(2 * TICK);
        for (long due : new long[] {300, 500, 530, ROUND - TICK, ROUND, 3 * ROUND}) {
            timer(due);
        }
        scheduler.clear();
        for (long now = 0; now <= 4 * ROUND; now += ROUND / 4) {
            advance(now);
        }
        assertEquals(List.of(), fired);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 12345, Long.MAX_VALUE - 300, -700})
    void firesOnTheTickThatADeadlineIsOn(long origin) {
        scheduler = new Scheduler(origin, TICK);
        Timer timer = timer(origin + 5 * TICK);
        advance(origin + 5 * TICK - 1);
        assertEquals(List.of(), fired);
        assertEquals(1, scheduler.nanosToNext(origin + 5 * TICK - 1));
        assertEquals(0, scheduler.nanosToNext(origin + 5 * TICK));
        assertEquals(0, scheduler.nanosToNext(origin + 5 * TICK + 1));
        assertEquals(0, scheduler.nanosToNext(origin + 9 * TICK));
        advance(origin + 5 * TICK);
        assertEquals(List.of(timer), fired);
    }

    /** An entry that was moved counts, too: to look at it takes time. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void leavesTheRestForTheNextTurnWhenManyAreDueOrHaveMoved(boolean moved) {
        List<Timer> timers = timers(2 * MOST + 1);
        timers.forEach(timer -> timer.set(500));
        if (moved) timers.forEach(timer -> timer.set(700));
        for (int expected : new int[] {MOST, 2 * MOST, 2 * MOST + 1}) {
            assertEquals(0, scheduler.nanosToNext(500));
            advance(500);
            assertEquals(moved ? 0 : expected, fired.size());
        }
        assertEquals(moved ? 200 : Long.MAX_VALUE, scheduler.nanosToNext(500));
        advanceToTheEnd(700);
        assertEquals(2 * MOST + 1, fired.size());
    }

    @Test
    void firingTimersMayScheduleAndCancelAnyTimer() {
        var victim = new Timer();
        var count = new int[1];
        var repeating = new Scheduler.Entry() {
            @Override
            void onDeadline() {
                victim.cancel();
                if (++count[0] < 10) {
                    scheduler.schedule(this, count[0] * 1000L);
                }
            }
        };
        victim.set(500);
        scheduler.schedule(repeating, 500);
        for (long now = 0; now <= 20_000; now += 50) {
            advance(now);
        }
        assertEquals(10, count[0]);
        assertTrue(fired.size() <= 1);
    }

    /** After a long turn, too, an entry whose deadline stays in the past fires once a turn, in each tick. */
    @Test
    void deadlineInThePastFiresOnceInATurn() {
        var count = new int[1];
        var repeating = new Scheduler.Entry() {
            @Override
            void onDeadline() {
                count[0]++;
                scheduler.schedule(this, TICK);
            }
        };
        scheduler.schedule(repeating, TICK);
        long now = 0;
        for (long ticks : new long[] {50, 1, 1023, 5000, 1}) {
            now += ticks * TICK;
            count[0] = 0;
            advance(now);
            assertEquals(1, count[0], "in a turn after " + ticks + " ticks");
            assertEquals(TICK, scheduler.nanosToNext(now));
        }
    }

    /** One timer is set or cancelled between turns, or so many that a turn leaves some for the next. */
    @ParameterizedTest
    @CsvSource({"0, 1", "9223372036851775807, 1", "987654321, 1", "0, 3072", "9223372036851775807, 3072",
        "987654321, 3072"})
    void agreesWithASimpleModelUnderRandomOperations(long origin, int changes) {
        var random = new SplittableRandom(origin);
        scheduler = new Scheduler(origin, TICK);
        List<Timer> timers = timers(changes == 1 ? 50 : 10 * MOST);
        long now = origin;
        for (int step = 0; step < (changes == 1 ? 40_000 : 300); step++) {
            long due = now + random.nextLong(changes == 1 ? 30 * TICK : 3 * TICK);
            for (int i = 0; i < changes; i++) {
                Timer timer = timers.get(random.nextInt(timers.size()));
                if (random.nextInt(10) == 0) {
                    timer.cancel();
                } else {
                    timer.set(due + random.nextLong(random.nextInt(5) == 0 ? 2 * ROUND : TICK));
                }
            }
            now += random.nextLong(step % 50 == 49 ? 3 * ROUND : 2 * TICK);
            advance(now);
            if (changes > 1 && step % 10 < 9) continue;
            if (changes > 1) advanceToTheEnd(now);
            assertModel(timers, now);
        }
        assertTrue(fired.size() > 10_000, "some did fire: " + fired.size());
    }

    /** What was due a tick ago has fired. */
    private static void assertModel(List<Timer> timers, long now) {
        for (Timer timer : timers) {
            assertTrue(!timer.set || now - timer.due <= TICK, "late by " + (now - timer.due));
        }
    }

    @Test
    void sleepsNoLongerThanUntilTheFirstDeadline() {
        var random = new SplittableRandom(7);
        for (int run = 0; run < 200; run++) {
            scheduler = new Scheduler(0, TICK);
            long first = Long.MAX_VALUE;
            for (int i = 0; i < 20; i++) {
                Timer timer = timer(1 + random.nextLong(2 * ROUND));
                first = Math.min(first, timer.due);
            }
            long now = 0;
            for (int wakes = 0; fired.isEmpty(); wakes++) {
                assertTrue(wakes < 10, "wakes up often");
                now += scheduler.nanosToNext(now);
                advance(now);
            }
            assertTrue(now >= first && now <= first + TICK, first + " fired at " + now);
            fired.clear();
        }
    }
}
