package org.microhttp;

import java.util.Arrays;

/**
 * Fires deadlines at tick resolution: a timing wheel. An entry is filed in the slot of the tick that its
 * deadline falls into. Moving a deadline later costs nothing but the assignment: when the old slot comes
 * round, the entry is filed again. Moving it earlier files the entry anew at once. Every operation is O(1),
 * and nothing is allocated. A deadline beyond the wheel's round is filed in the last slot and looked at again
 * from there. Times are those of {@link System#nanoTime}, compared by difference since they may wrap.
 */
final class Scheduler {

    /** At 100 ms a tick, one round is 102 s: the default timeouts of reading need one slot, never two. */
    private static final int SLOTS = 1024;

    /** A million connections may fall silent at once; between batches of them others get their turn. */
    private static final int MAX_ENTRIES_PER_TURN = 1024;

    /** Something with a deadline. Its neighbours are those of the slot where it is filed, else itself. */
    static class Entry {

        private long deadline;
        private Entry previous = this;
        Entry next = this;

        /** Called when the deadline has passed; the entry is not filed then. */
        void onDeadline() { }
    }

    /** Each is a ring, which begins and ends with an entry that stays there and has no deadline. */
    private final Entry[] slots = new Entry[SLOTS];
    final long origin, resolution;

    /** The tick that was fired last, and the first from it on that may have entries: less than a round on. */
    private long tick, nextTick = Long.MAX_VALUE;

    Scheduler(long now, long resolutionNanos) {
        origin = now;
        resolution = resolutionNanos;
        Arrays.setAll(slots, slot -> new Entry());
    }

    /** The earlier of two times. */
    static long earlier(long a, long b) { return a - b < 0 ? a : b; }

    /** Sets a deadline, for the first time or anew. */
    void schedule(Entry entry, long deadline) {
        boolean later = entry.next != entry && deadline - entry.deadline >= 0;
        entry.deadline = deadline;
        if (later) return;
        cancel(entry);
        file(entry);
    }

    /** Forgets an entry; harmless if it is not filed. */
    void cancel(Entry entry) {
        entry.previous.next = entry.next;
        entry.next.previous = entry.previous;
        entry.previous = entry;
        entry.next = entry;
    }

    /** Forgets every entry: none is left that leads to another. */
    void clear() {
        for (Entry slot : slots) {
            while (slot.next != slot) {
                cancel(slot.next);
            }
        }
    }

    /**
     * Fires what is due, or as much of it as a turn may: then the rest is due at once. What fires and gets a
     * deadline that has passed is due again in the next tick, be it one of those that were missed.
     */
    void advance(long now) {
        long current = (now - origin) / resolution;
        if (current < nextTick) {
            tick = current;
            return;
        }
        // after a long sleep every slot is looked at once, not once for every tick that was missed
        tick = Math.max(nextTick, current - SLOTS + 1);
        for (int left = MAX_ENTRIES_PER_TURN; left > 0; left--) {
            while (isEmpty(tick) && tick < current) {
                tick++;
            }
            if (isEmpty(tick)) break;
            // always the first, for what fires may unlink any other
            Entry first = slotOf(tick).next;
            cancel(first);
            if (first.deadline - now > 0) {
                // goes to another slot
                file(first);
            } else {
                first.onDeadline();
            }
        }
        nextTick = Long.MAX_VALUE;
        for (long next = tick + SLOTS - 1; next >= tick; next--) {
            if (!isEmpty(next)) nextTick = next;
        }
    }

    /** How long nothing will be due: 0 or more nanoseconds. */
    long nanosToNext(long now) {
        return nextTick == Long.MAX_VALUE ? nextTick : Math.max(0, origin + nextTick * resolution - now);
    }

    /** Files by the first tick at or after the deadline. */
    private void file(Entry entry) {
        long due = Math.floorDiv(entry.deadline - origin + resolution - 1, resolution);
        long filed = Math.min(Math.max(due, tick + 1), tick + SLOTS - 1);
        Entry slot = slotOf(filed);
        entry.previous = slot;
        entry.next = slot.next;
        slot.next.previous = entry;
        slot.next = entry;
        nextTick = Math.min(nextTick, filed);
    }

    private boolean isEmpty(long tick) { return slotOf(tick).next == slotOf(tick); }

    private Entry slotOf(long tick) { return slots[(int) (tick & SLOTS - 1)]; }
}
