package org.microhttp;

import java.util.Arrays;

/**
 * Fires deadlines at tick resolution: a timing wheel. An entry is filed in the slot of the first tick at or
 * after its deadline. To move a deadline later is one assignment: when the old slot's tick comes, the entry
 * is filed again. To move it earlier, the entry is filed again at once. A deadline more than a round of the
 * wheel away is filed in the last slot, and again when that slot's tick comes. To schedule and to cancel is
 * O(1), and nothing is allocated. Times are those of {@link System#nanoTime}, compared by difference because
 * they may wrap.
 */
final class Scheduler {

    /** At 100 ms a tick, a round is 102 s: longer than the default timeouts of reading, 60 and 75 s. */
    private static final int SLOTS = 1024;

    /** A million deadlines may pass at once; between batches of them the loop does its other work. */
    private static final int MAX_ENTRIES_PER_TURN = 1024;

    /** Something with a deadline. Filed, it is linked to its neighbours in the slot; otherwise to itself. */
    static class Entry {

        private long deadline;
        private Entry previous = this;
        Entry next = this;

        /** Called when the deadline has passed; the entry is not filed then. */
        void onDeadline() { }

        /** Without effect if it is not filed. */
        void cancelDeadline() {
            previous.next = next;
            next.previous = previous;
            previous = this;
            next = this;
        }
    }

    /** Each is a ring of entries. The one in this array is always in the ring, and has no deadline. */
    private final Entry[] slots = new Entry[SLOTS];
    final long origin, resolution;

    /** The tick fired last, perhaps in part. Entries are filed less than a round after it. */
    private long tick;

    /** No tick before this one has entries: each is filed at this tick or later. */
    private long nextTick = Long.MAX_VALUE;

    Scheduler(long now, long resolutionNanos) {
        origin = now;
        resolution = resolutionNanos;
        Arrays.setAll(slots, slot -> new Entry());
    }

    /** The earlier of two times. */
    static long earlier(long a, long b) { return a - b < 0 ? a : b; }

    /** Sets or moves a deadline. */
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
     * Fires what is due, or as much of it as a turn may; then the rest is due at once. An entry that fires
     * and gets a deadline in the past is due again in the next tick, also if that has passed already.
     */
    void advance(long now) {
        long current = (now - origin) / resolution;
        // after a long sleep every slot is looked at once, not once for every tick that was missed
        if (nextTick <= current) nextTick = firstFrom(Math.max(nextTick, current - SLOTS + 1));
        for (int left = MAX_ENTRIES_PER_TURN; left > 0 && nextTick <= current; left--) {
            tick = nextTick;
            // always the first, because what fires may cancel any other
            Entry first = slotOf(tick).next;
            first.cancelDeadline();
            if (first.deadline - now > 0) {
                // into a later slot
                file(first);
            } else {
                first.onDeadline();
            }
            nextTick = firstFrom(tick);
        }
        if (nextTick > current) tick = current;
    }

    /** For how long nothing will be due: 0 or more nanoseconds. */
    long nanosToNext(long now) {
        return nextTick == Long.MAX_VALUE ? nextTick : Math.max(0, origin + nextTick * resolution - now);
    }

    /** Files by the first tick at or after the deadline. */
    private void file(Entry entry) {
        long due = (entry.deadline - origin + resolution - 1) / resolution;
        long filed = Math.min(Math.max(due, tick + 1), tick + SLOTS - 1);
        Entry slot = slotOf(filed);
        entry.previous = slot;
        entry.next = slot.next;
        slot.next.previous = entry;
        slot.next = entry;
        nextTick = Math.min(nextTick, filed);
    }

    /** The first tick that has entries, from this one on; {@link Long#MAX_VALUE} if there are none. */
    private long firstFrom(long first) {
        for (long next = first; next < first + SLOTS; next++) {
            if (slotOf(next).next != slotOf(next)) return next;
        }
        return Long.MAX_VALUE;
    }

    private Entry slotOf(long tick) { return slots[(int) (tick & SLOTS - 1)]; }
}
