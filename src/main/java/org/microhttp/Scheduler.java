package org.microhttp;

import java.util.Arrays;

/**
 * A timing wheel: it fires deadlines at tick resolution. An entry is filed in the slot of the first tick at
 * or after its deadline. To move a deadline later is one assignment: when the old slot's tick comes, the
 * entry is filed again. To move it earlier, the entry is filed again at once. A deadline more than a round of
 * the wheel away is filed in the last slot, and again when that slot's tick comes. Scheduling and cancelling
 * are O(1), and allocate nothing. Times are those of {@link System#nanoTime}, compared by difference because
 * they may wrap.
 */
final class Scheduler {

    /** A round at 100 ms a tick is 102 s, longer than the default timeouts of reading, 60 and 75 s. */
    private static final int SLOTS = 1024;

    /** Between batches of deadlines the loop does its other work: a million deadlines may pass at once. */
    private static final int MAX_ENTRIES_PER_TURN = 1024;

    /** Has a deadline. It is linked to its neighbours in the slot, or to itself if it is not filed. */
    static class Entry {

        private long deadline;
        private Entry previous = this;
        Entry next = this;

        /** Called when the deadline has passed; the entry is not filed then. */
        void onDeadline() { }

        /** Cancels the deadline; has no effect if it is not filed. */
        void cancelDeadline() {
            previous.next = next;
            next.previous = previous;
            previous = this;
            next = this;
        }
    }

    /** The slots, each a ring of entries. The entry in this array is always in the ring, without deadline. */
    private final Entry[] slots = new Entry[SLOTS];
    final long origin, resolution;

    /** The tick of the present turn, or of the last one. Entries are filed after it. */
    private long current;

    /** No tick before this one has entries: each is filed at this tick or later. */
    private long nextTick = Long.MAX_VALUE;

    Scheduler(long now, long resolutionNanos) {
        origin = now;
        resolution = resolutionNanos;
        Arrays.setAll(slots, slot -> new Entry());
    }

    static long earlier(long a, long b) { return a - b < 0 ? a : b; }

    void schedule(Entry entry, long deadline) {
        boolean later = entry.next != entry && deadline - entry.deadline >= 0;
        entry.deadline = deadline;
        if (later) return;
        entry.cancelDeadline();
        file(entry);
    }

    /** Cancels every entry, so that one that is kept somewhere keeps no other. */
    void clear() {
        for (Entry slot : slots) {
            while (slot.next != slot) {
                slot.next.cancelDeadline();
            }
        }
    }

    /**
     * Fires due entries, at most as many as a turn may; the rest is due at once. An entry that fires and gets
     * a deadline in the past is due in the tick after this turn's, so it fires once in a turn; twice only if
     * it was a whole round of the wheel late.
     */
    void advance(long now) {
        current = (now - origin) / resolution;
        // after a long sleep every slot is read once, not once for every missed tick
        if (nextTick <= current) nextTick = firstFrom(Math.max(nextTick, current - SLOTS + 1));
        for (int left = MAX_ENTRIES_PER_TURN; left > 0 && nextTick <= current; left--) {
            // this takes the first each time, because firing may cancel any other
            Entry first = slotOf(nextTick).next;
            first.cancelDeadline();
            if (first.deadline - now > 0) {
                // the deadline was moved, so the entry goes into a later slot
                file(first);
            } else {
                first.onDeadline();
            }
            nextTick = firstFrom(nextTick);
        }
    }

    /** Returns for how many nanoseconds nothing will be due, 0 or more. */
    long nanosToNext(long now) {
        return nextTick == Long.MAX_VALUE ? nextTick : Math.max(0, origin + nextTick * resolution - now);
    }

    /** Files an entry in the first tick at or after its deadline, less than a round after the first entry. */
    private void file(Entry entry) {
        long due = (entry.deadline - origin + resolution - 1) / resolution;
        long filed = Math.min(Math.max(due, current + 1), Math.min(nextTick, current) + SLOTS - 1);
        Entry slot = slotOf(filed);
        entry.previous = slot;
        entry.next = slot.next;
        slot.next.previous = entry;
        slot.next = entry;
        nextTick = Math.min(nextTick, filed);
    }

    /** Returns the first tick with entries, from a tick on; {@link Long#MAX_VALUE} if there are none. */
    private long firstFrom(long first) {
        for (long next = first; next < first + SLOTS; next++) {
            if (slotOf(next).next != slotOf(next)) return next;
        }
        return Long.MAX_VALUE;
    }

    private Entry slotOf(long tick) { return slots[(int) (tick & SLOTS - 1)]; }
}
