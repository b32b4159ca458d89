package org.microhttp;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Does a deadline cost the same among a million as among a hundred? Moving one later, as each request does;
 * moving one earlier and back, as a request that begins does when its limit is the shorter one; and a tick,
 * in which those that are due and moved meanwhile are filed again. Entries are visited with a stride that
 * leaves the caches no help, as connections that become ready in any order do.
 */
public class SchedulerBenchmark extends Measured {

    private static final long TICK = 100_000_000, TIMEOUT = 75_000_000_000L, SPREAD = 20_000_000_000L;

    /** Prime, so that every entry is visited. */
    private static final int STRIDE = 7919;

    @Param({"100", "1000000"})
    int entries;

    private Scheduler scheduler;
    private Entry[] all;
    private int at;
    private long now;

    private static final class Entry extends Scheduler.Entry {
        @Override void onDeadline() { throw new IllegalStateException("every deadline is ahead"); }
    }

    /** Deadlines spread over 20 s, as connections have them that were active one after another. */
    @Setup
    public void file() {
        now = 0;
        scheduler = new Scheduler(now, TICK);
        all = new Entry[entries];
        for (int i = 0; i < entries; i++) {
            all[i] = new Entry();
            scheduler.schedule(all[i], TIMEOUT + SPREAD / entries * i);
        }
    }

    @Benchmark
    public void later() { scheduler.schedule(next(), TIMEOUT + SPREAD + (now += 100)); }

    @Benchmark
    public void earlierAndBack() {
        Entry entry = next();
        scheduler.schedule(entry, TICK);
        scheduler.schedule(entry, TIMEOUT);
    }

    /** A tick of 100 ms in which a five-hundredth of the entries was active. */
    @Benchmark
    public void tick() {
        now += TICK;
        for (int i = entries / 500; i >= 0; i--) scheduler.schedule(next(), now + TIMEOUT);
        scheduler.advance(now);
    }

    private Entry next() {
        at = (at + STRIDE) % entries;
        return all[at];
    }
}
