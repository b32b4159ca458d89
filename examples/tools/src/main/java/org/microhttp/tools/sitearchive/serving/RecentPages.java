package org.microhttp.tools.sitearchive.serving;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Pages that were asked for lately, where not all are kept: each has one place, by its name, which the next
 * page of that place takes. For any thread.
 */
final class RecentPages {

    /** With so many a table of them is no large object itself. */
    private static final int MOST = 4_096;

    private record Kept(String name, SitePage page) {
    }

    private final AtomicReferenceArray<Kept> places;

    /** @param count of pages that are kept, of which the largest power of two below is taken */
    RecentPages(long count) {
        places = new AtomicReferenceArray<>(Integer.highestOneBit((int) Math.max(1, Math.min(count, MOST))));
    }

    /** {@return null if it is not kept} */
    SitePage get(String name) {
        Kept kept = places.get(place(name));
        return kept != null && kept.name.equals(name) ? kept.page : null;
    }

    void put(String name, SitePage page) {
        places.set(place(name), new Kept(name, page));
    }

    /** By the upper bits, too: names differ in few. */
    private int place(String name) {
        int hash = name.hashCode() * 0x9E3779B9;
        return (hash ^ hash >>> 16) & places.length() - 1;
    }
}
