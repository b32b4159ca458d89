package org.microhttp.checks.proxies.tools;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Entries in the order they came. One thread makes them while another waits for what it looks for. */
public final class LiveLog<T> {

    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final List<T> entries = new ArrayList<>();
    private boolean ended;

    /** Adds an entry, and returns its index. */
    synchronized int add(T entry) {
        entries.add(entry);
        notifyAll();
        return entries.size() - 1;
    }

    /** More is known about an entry. */
    synchronized void replace(int index, T entry) {
        entries.set(index, entry);
        notifyAll();
    }

    /** Nothing more will come. */
    synchronized void end() {
        ended = true;
        notifyAll();
    }

    public synchronized int size() {
        return entries.size();
    }

    public synchronized List<T> from(int start) {
        return List.copyOf(entries.subList(start, entries.size()));
    }

    /** Waits until what came from that index on is as wanted; returns false if that does not happen. */
    public synchronized boolean await(int start, Predicate<List<T>> wanted) {
        long limit = System.nanoTime() + LIMIT_NANOS;
        while (!wanted.test(from(start))) {
            long left = (limit - System.nanoTime()) / 1_000_000;
            if (ended || left <= 0) {
                return false;
            }
            try {
                wait(left);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return true;
    }
}
