package org.microhttp.extras.events;

import java.nio.ByteBuffer;

/**
 * One event, and a link to the next entry. The newest entry is empty, and gets the next event. An entry is
 * kept as long as it is replayed, or a listener has not passed it.
 */
final class Entry {

    /** How many events came before, and how many bytes these have. */
    final long events;
    final long bytes;

    /** Null as long as the entry is empty. */
    Entry next;
    String id;
    ByteBuffer text;

    Entry(long events, long bytes) {
        this.events = events;
        this.bytes = bytes;
    }

    /** Stores an event here; returns the entry for the next one. */
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
