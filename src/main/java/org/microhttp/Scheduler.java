package org.microhttp;

/**
 * Fires deadlines at tick resolution: a timing wheel. An entry is filed in the slot of the tick that its
 * deadline falls into. Moving a deadline later costs nothing but the assignment: when the old slot comes
 * round, the entry is filed again. Moving it earlier unlinks the entry and files it at once. Every operation
 * is O(1), and nothing is allocated. A deadline beyond the wheel's round is filed in the last slot and looked
 * at again from there. Times are those of {@link System#nanoTime}, compared by difference since they may
 * wrap.
 */
final class Scheduler {

    /** At 100 ms a tick, one round is 102 s: the default timeouts of reading need one slot, never two. */
    private static final int SLOTS = 1024;

    private static final long NOT_FILED = -1;

    /** Something with a deadline, and a link in the slot where it is filed. */
    abstract static class Entry {

        private long deadline;
        private long tick = NOT_FILED;
        private Entry previous;
        private Entry next;

        /** Called when the deadline has passed; the entry is not filed then. */
        abstract void onDeadline();
    }

    private final Entry[] slots = new Entry[SLOTS];
    private final long origin;
    private final long resolution;
    private long tick;
    private long nextTick = Long.MAX_VALUE;
    private int filed;

    Scheduler(long now, long resolutionNanos) {
        origin = now;
        resolution = resolutionNanos;
    }

    /** Sets a deadline, for the first time or anew. */
    void schedule(Entry entry, long deadline) {
        boolean later = entry.tick != NOT_FILED && deadline - entry.deadline >= 0;
        entry.deadline = deadline;
        if (later) return;
        long due = tickOf(deadline);
        if (entry.tick == NOT_FILED || due < entry.tick) {
            cancel(entry);
            file(entry, due);
        }
    }

    /** Forgets an entry; harmless if it is not filed. */
    void cancel(Entry entry) {
        if (entry.tick == NOT_FILED) return;
        if (entry.previous == null) slots[slotOf(entry.tick)] = entry.next;
        else entry.previous.next = entry.next;
        if (entry.next != null) entry.next.previous = entry.previous;
        entry.previous = null;
        entry.next = null;
        entry.tick = NOT_FILED;
        filed--;
    }

    /** Fires what is due, each entry once. */
    void advance(long now) {
        long current = (now - origin) / resolution;
        if (current < nextTick) {
            tick = current;
            return;
        }
        // after a long sleep every slot is looked at once, not once for every tick that was missed
        for (tick = Math.max(nextTick, current - SLOTS + 1); tick < current; tick++) fireSlot(slotOf(tick), now);
        fireSlot(slotOf(tick), now);
        nextTick = findNextTick();
    }

    /** How long nothing will be due: 0 or more nanoseconds, or -1 when nothing is filed. */
    long nanosToNext(long now) { return filed == 0 ? -1 : Math.max(0, origin + nextTick * resolution - now); }

    /**
     * One at a time from the head: what fires may unlink any other. What is filed again goes to another slot.
     */
    private void fireSlot(int slot, long now) {
        while (slots[slot] != null) {
            Entry entry = slots[slot];
            cancel(entry);
            if (entry.deadline - now > 0) file(entry, tickOf(entry.deadline));
            else entry.onDeadline();
        }
    }

    private void file(Entry entry, long due) {
        entry.tick = Math.min(Math.max(due, tick + 1), tick + SLOTS - 1);
        int slot = slotOf(entry.tick);
        entry.next = slots[slot];
        if (entry.next != null) entry.next.previous = entry;
        slots[slot] = entry;
        filed++;
        nextTick = Math.min(nextTick, entry.tick);
    }

    private long findNextTick() {
        if (filed == 0) return Long.MAX_VALUE;
        long next = tick + 1;
        while (slots[slotOf(next)] == null) next++;
        return next;
    }

    /** The first tick at or after a time. */
    private long tickOf(long time) { return Math.floorDiv(time - origin + resolution - 1, resolution); }

    private static int slotOf(long tick) { return (int) (tick & SLOTS - 1); }
}
