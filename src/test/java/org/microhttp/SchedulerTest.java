package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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

    /** Remembers when it is due, and when it fired. */
    private final class Timer extends Scheduler.Entry {

        private final Scheduler scheduler;
        private long due;
        private boolean set;

        Timer(Scheduler scheduler) {
            this.scheduler = scheduler;
        }

        void set(long deadline) {
            due = deadline;
            set = true;
            scheduler.schedule(this, deadline);
        }

        void cancel() {
            set = false;
            scheduler.cancel(this);
        }

        @Override
        void onDeadline() {
            assertTrue(set, "fired once, and not after it was cancelled");
            assertTrue(time - due >= 0, "early by " + (due - time));
            set = false;
            fired.add(this);
        }
    }

    private void advance(Scheduler scheduler, long now) {
        time = now;
        scheduler.advance(now);
    }

    /** As many turns as there is something due. */
    private void advanceToTheEnd(Scheduler scheduler, long now) {
        do {
            int before = fired.size();
            advance(scheduler, now);
            assertTrue(fired.size() - before <= MOST, "fires " + (fired.size() - before) + " at once");
        } while (scheduler.nanosToNext(now) == 0);
    }

    private static boolean sleepsForEver(Scheduler scheduler, long now) {
        long nanos = scheduler.nanosToNext(now);
        return nanos < 0 || nanos == Long.MAX_VALUE;
    }

    private void assertFiresInTime(Scheduler scheduler, Timer timer, long from) {
        for (long now = from; now - timer.due < 2 * TICK; now += TICK / 4) {
            advance(scheduler, now);
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

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 12345, Long.MAX_VALUE - 1000, Long.MAX_VALUE - 50 * TICK, -1, Long.MIN_VALUE,
            -10_000})
    void firesAtMostATickLateAndNeverEarlyWhateverTheOrigin(long origin) {
        for (long delay : new long[] {0, 1, 99, 100, 101, 150, 1000, 12_345, ROUND - 1, ROUND, ROUND + 1,
                5 * ROUND + 7}) {
            var scheduler = new Scheduler(origin, TICK);
            var timer = new Timer(scheduler);
            timer.set(origin + delay);
            assertFiresInTime(scheduler, timer, origin);
            assertTrue(sleepsForEver(scheduler, origin), "sleeps for ever when nothing is due");
        }
    }

    @Test
    void firesWhenMovedLaterAtTheLaterTime() {
        var scheduler = new Scheduler(0, TICK);
        var timer = new Timer(scheduler);
        timer.set(500);
        timer.set(5_050);
        timer.set(3 * ROUND + 50);
        assertFiresInTime(scheduler, timer, 0);
    }

    @Test
    void firesWhenMovedEarlierAtTheEarlierTime() {
        var scheduler = new Scheduler(0, TICK);
        var timer = new Timer(scheduler);
        timer.set(3 * ROUND);
        timer.set(50_000);
        timer.set(730);
        assertFiresInTime(scheduler, timer, 0);
        advance(scheduler, 4 * ROUND);
        assertEquals(1, fired.size());
    }

    @Test
    void firesWhenMovedLaterAndThenEarlierButNotAsEarlyAsFirst() {
        var scheduler = new Scheduler(0, TICK);
        var timer = new Timer(scheduler);
        timer.set(500);
        timer.set(50_000);
        timer.set(20_000);
        assertFiresInTime(scheduler, timer, 0);
    }

    @Test
    void forgetsWhatIsCancelledHoweverOften() {
        var scheduler = new Scheduler(0, TICK);
        var timers = new ArrayList<Timer>();
        for (int i = 0; i < 5; i++) {
            timers.add(new Timer(scheduler));
            timers.get(i).set(1000);
        }
        for (int i : new int[] {2, 0, 4, 2}) {
            timers.get(i).cancel();
        }
        advance(scheduler, 2000);
        assertEquals(2, fired.size());
        assertTrue(fired.containsAll(List.of(timers.get(1), timers.get(3))));
        assertTrue(sleepsForEver(scheduler, 2000));
    }

    /** What is in the first slot of the wheel, and in the last, too. */
    @Test
    void forgetsEverythingWhenItIsCleared() {
        var scheduler = new Scheduler(0, TICK);
        advance(scheduler, 2 * TICK);
        for (long due : new long[] {300, 500, 530, ROUND - TICK, ROUND, 3 * ROUND}) {
            new Timer(scheduler).set(due);
        }
        scheduler.clear();
        for (long now = 0; now <= 4 * ROUND; now += ROUND / 4) {
            advance(scheduler, now);
        }
        assertEquals(List.of(), fired);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 12345, Long.MAX_VALUE - 300, -700})
    void firesOnTheTickThatADeadlineIsOn(long origin) {
        var scheduler = new Scheduler(origin, TICK);
        var timer = new Timer(scheduler);
        timer.set(origin + 5 * TICK);
        advance(scheduler, origin + 5 * TICK - 1);
        assertEquals(List.of(), fired);
        assertEquals(1, scheduler.nanosToNext(origin + 5 * TICK - 1));
        assertEquals(0, scheduler.nanosToNext(origin + 5 * TICK));
        assertEquals(0, scheduler.nanosToNext(origin + 5 * TICK + 1));
        assertEquals(0, scheduler.nanosToNext(origin + 9 * TICK));
        advance(scheduler, origin + 5 * TICK);
        assertEquals(List.of(timer), fired);
    }

    @Test
    void firesEverythingThatIsDueAfterALongSleepOnce() {
        var scheduler = new Scheduler(0, TICK);
        for (int i = 0; i < 3000; i++) {
            new Timer(scheduler).set(i * 97L);
        }
        var late = new Timer(scheduler);
        late.set(1_000 * ROUND + 50);
        advanceToTheEnd(scheduler, 1_000 * ROUND);
        assertEquals(3000, fired.size());
        assertFiresInTime(scheduler, late, 1_000 * ROUND);
    }

    @Test
    void leavesTheRestForTheNextTurnWhenManyAreDue() {
        var scheduler = new Scheduler(0, TICK);
        for (int i = 0; i < 2 * MOST + 1; i++) {
            new Timer(scheduler).set(500);
        }
        for (int expected : new int[] {MOST, 2 * MOST, 2 * MOST + 1}) {
            assertEquals(0, scheduler.nanosToNext(500));
            advance(scheduler, 500);
            assertEquals(expected, fired.size());
        }
        assertTrue(sleepsForEver(scheduler, 500));
    }

    /** Moved or not: to look at an entry takes time, too. */
    @Test
    void leavesTheRestForTheNextTurnWhenManyHaveMoved() {
        var scheduler = new Scheduler(0, TICK);
        var timers = new ArrayList<Timer>();
        for (int i = 0; i < 3 * MOST; i++) {
            timers.add(new Timer(scheduler));
            timers.get(i).set(500);
        }
        for (Timer timer : timers) {
            timer.set(700);
        }
        advance(scheduler, 500);
        advance(scheduler, 500);
        assertEquals(0, scheduler.nanosToNext(500));
        advance(scheduler, 500);
        assertEquals(200, scheduler.nanosToNext(500));
        assertEquals(List.of(), fired);
        advanceToTheEnd(scheduler, 700);
        assertEquals(3 * MOST, fired.size());
    }

    /** Others are filed, moved and cancelled while the rest waits, for longer than a round, too. */
    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE - 3_000_000, 987_654_321})
    void losesNothingOfWhatIsLeftForTheNextTurns(long origin) {
        var random = new SplittableRandom(origin);
        var scheduler = new Scheduler(origin, TICK);
        var timers = new ArrayList<Timer>();
        for (int i = 0; i < 10 * MOST; i++) {
            timers.add(new Timer(scheduler));
        }
        long now = origin;
        for (int step = 0; step < 300; step++) {
            long due = now + random.nextLong(3 * TICK);
            for (int i = 0; i < 3 * MOST; i++) {
                Timer timer = timers.get(random.nextInt(timers.size()));
                if (random.nextInt(10) == 0) {
                    timer.cancel();
                } else {
                    timer.set(due + random.nextLong(random.nextInt(5) == 0 ? 2 * ROUND : TICK));
                }
            }
            now += random.nextLong(step % 50 == 49 ? 3 * ROUND : 2 * TICK);
            advance(scheduler, now);
            if (step % 10 == 9) {
                advanceToTheEnd(scheduler, now);
                assertModel(timers, now);
            }
        }
        assertTrue(fired.size() > 100_000, "some did fire: " + fired.size());
    }

    @Test
    void filesRightlyAfterALongSleepWithoutATick() {
        var scheduler = new Scheduler(0, TICK);
        long now = 500 * ROUND + 12;
        var timer = new Timer(scheduler);
        timer.set(now + 777);
        assertFiresInTime(scheduler, timer, now);
    }

    @Test
    void letsWhatFiresScheduleAndCancelOthersAndItself() {
        var scheduler = new Scheduler(0, TICK);
        var victim = new Timer(scheduler);
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
            advance(scheduler, now);
        }
        assertEquals(10, count[0]);
        assertTrue(fired.size() <= 1);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE - 3_000_000, 987_654_321})
    void agreesWithASimpleModelUnderRandomOperations(long origin) {
        var random = new SplittableRandom(origin);
        var scheduler = new Scheduler(origin, TICK);
        var timers = new ArrayList<Timer>();
        for (int i = 0; i < 50; i++) {
            timers.add(new Timer(scheduler));
        }
        long now = origin;
        for (int step = 0; step < 40_000; step++) {
            Timer timer = timers.get(random.nextInt(timers.size()));
            int choice = random.nextInt(100);
            if (choice < 60) {
                timer.set(now + random.nextLong(choice < 5 ? 4 * ROUND : 3_000));
            } else if (choice < 70) {
                timer.cancel();
            } else {
                now += random.nextLong(choice == 99 ? 3 * ROUND : 3 * TICK);
                advance(scheduler, now);
                assertModel(timers, now);
            }
        }
        assertTrue(fired.size() > 1_000, "some did fire: " + fired.size());
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
            var scheduler = new Scheduler(0, TICK);
            long first = Long.MAX_VALUE;
            for (int i = 0; i < 20; i++) {
                var timer = new Timer(scheduler);
                timer.set(1 + random.nextLong(2 * ROUND));
                first = Math.min(first, timer.due);
            }
            long now = 0;
            for (int wakes = 0; fired.isEmpty(); wakes++) {
                assertTrue(wakes < 10, "wakes up often");
                now += scheduler.nanosToNext(now);
                advance(scheduler, now);
            }
            assertTrue(now >= first && now <= first + TICK, first + " fired at " + now);
            fired.clear();
        }
    }
}
