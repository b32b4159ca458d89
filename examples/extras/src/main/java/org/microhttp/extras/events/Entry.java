package org.microhttp.extras.events;

import java.nio.ByteBuffer;

/**
 * One event, and what came after it. The newest entry is empty: the next event will be there. An entry lives
 * as long as it is replayed, or a listener has not got beyond it.
 */
final class Entry {

    /** How many events came before, and how many bytes these have. */
    final long events;
    final long bytes;

    /** Null as long as there is no event here. */
    Entry next;
    String id;
    ByteBuffer text;

    Entry(long events, long bytes) {
        this.events = events;
        this.bytes = bytes;
    }

    /** Takes an event; returns the entry for the one after it. */
    Entry fill(String givenId, ByteBuffer givenText) {
        id = givenId;
        text = givenText;
        next = new Entry(events + 1, bytes + givenText.remaining());
        return next;
    }

    /** Says whether there are more events, or bytes, from here up to another entry. */
    boolean isFurtherThan(long maxEvents, long maxBytes, Entry end) {
        return end.events - events > maxEvents || end.bytes - bytes > maxBytes;
    }
}
