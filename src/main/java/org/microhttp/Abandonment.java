package org.microhttp;

import java.util.concurrent.atomic.AtomicReference;

/**
 * Whether a client still waits for the response to a request, and which listeners are called when none does.
 * A request and its copies share it with their exchange. It does not refer to the exchange, so a request that
 * a program keeps does not keep its connection.
 * <p>
 * The reference is the last note, or null; then {@link #ABANDONED}, or {@link #ANSWERED} if there was a note,
 * and no more notes are taken. Any thread may use it.
 */
final class Abandonment extends AtomicReference<Object> {

    /** A listener, or the failure of a {@link Handler#blocking} responder; and the note before. */
    record Note(Object what, Note earlier) { }

    private static final long serialVersionUID = 1;
    private static final String ABANDONED = "abandoned", ANSWERED = "answered";

    /** Says whether no client waits for the response any more. */
    boolean isKnown() { return get() == ABANDONED; }

    /**
     * Notes a listener, or the failure of a handler, because a wrapping handler may make a new response that
     * does not have it. Returns false if no client waits any more.
     */
    boolean note(Object what) {
        return ABANDONED != updateAndGet(known ->
                known instanceof String ? known : new Note(what, (Note) known));
    }

    /** No client waits from now on. Returns the last note; null if there is none. */
    Note abandon() { return getAndSet(ABANDONED) instanceof Note last ? last : null; }

    /** Releases the notes, because there is a response. */
    void answer() {
        // without a note nothing is written, for a write costs each request some nanoseconds
        if (get() instanceof Note) set(ANSWERED);
    }

    /** Returns the noted failure of the handler; null if there is none. */
    Throwable failure() {
        for (Object known = get(); known instanceof Note note; known = note.earlier) {
            if (note.what instanceof Throwable cause) return cause;
        }
        return null;
    }

    /** Names no note: a task of an executor may be one, and refers to this. */
    @Override
    public String toString() { return isKnown() ? ABANDONED : "awaited"; }
}
