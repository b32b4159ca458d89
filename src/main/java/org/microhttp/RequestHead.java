package org.microhttp;

import java.util.concurrent.atomic.AtomicReference;

/**
 * What a request and its exchange share: the request line, the field lines, and whether a client waits for
 * the response. It has no body, so an exchange does not keep a body that its handler has released. It does
 * not refer to the exchange, so a request that a program keeps does not keep its connection.
 * <p>
 * It extends a reference, which saves an object. The reference is the last note, or null; then {@link
 * #ABANDONED}, or {@link #ANSWERED} if there was a note, and no more notes are taken. Any thread may use it.
 */
final class RequestHead extends AtomicReference<Object> {

    /**
     * What to tell when no client waits for the response any more, or the failure of a function of {@link
     * Handler#blocking}; and the note before.
     */
    record Note(Object what, Note earlier) { }

    private static final long serialVersionUID = 1;
    private static final String ABANDONED = "abandoned", ANSWERED = "answered";

    /** A head of up to so many bytes is not charged while its request is pending, or the first. */
    static final int SMALL = 1024;

    /** Stands for no head: before a line is parsed, or if it was refused or is too long to be kept. */
    static final RequestHead NONE = new RequestHead(null, null, null);

    final String method, target, version;

    /** The field lines as received, without the empty line after them; null until they are validated. */
    byte[] fields;

    RequestHead(String method, String target, String version) {
        this.method = method;
        this.target = target;
        this.version = version;
        // no client waits for a response to NONE
        if (method == null) set(ABANDONED);
    }

    /** Says whether no client waits for the response any more. */
    boolean isAbandoned() { return get() == ABANDONED; }

    /**
     * Notes a listener, or the failure of a handler, because a wrapping handler may make a new response that
     * does not have it. Returns false if no client waits any more.
     */
    boolean note(Object what) {
        return ABANDONED != updateAndGet(known ->
                known instanceof String ? known : new Note(what, (Note) known));
    }

    /** Marks the request as abandoned. Returns the last note; null if there is none. */
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

    /** Returns how many bytes it has: those of the line, and those of the fields once validated. */
    int size() {
        if (method == null) return 0;
        int line = method.length() + target.length() + version.length() + 2;
        return fields == null ? line : line + fields.length;
    }

    /** Returns the part that the log needs: of a large head only the line, unless that is large, too. */
    RequestHead shorten() {
        if (size() <= SMALL) return this;
        try {
            var line = new RequestHead(method, target, version);
            if (line.size() > SMALL) line = new RequestHead(null, null, null);
            // whether it is abandoned is known also of a request whose line is not kept
            line.set(get());
            return line;
        } catch (OutOfMemoryError e) {
            return NONE;
        }
    }

    @Override
    public String toString() { return method + " " + target + " " + version; }
}
