package org.microhttp;

import java.util.concurrent.atomic.AtomicReference;

/**
 * What a request and its exchange share: the request line, the field lines, and whether anybody waits for the
 * response. It has no body, so an exchange does not keep a body that its handler has released. It does not
 * refer to the exchange: a request that a program keeps does not keep its connection.
 * <p>
 * As a reference, which saves an object, it has the last of what was noted, null for nothing; then {@link
 * #ABANDONED}, or {@link #ANSWERED} if something was noted, and from then on notes nothing. For any thread.
 */
final class RequestHead extends AtomicReference<Object> {

    /** What is done when nobody waits for the response any more. */
    interface Listener {

        /** On the loop's thread. */
        void onAbandoned(Exchange exchange);
    }

    /** A listener, or why the function of {@link Handler#blocking} has failed; and the note before. */
    record Note(Object what, Note earlier) { }

    private static final long serialVersionUID = 1;
    private static final String ABANDONED = "abandoned", ANSWERED = "answered";

    /** A head of up to so many bytes is not charged while its request is pending, or the first. */
    static final int SMALL = 1024;

    /** Where there is none: before a line is parsed, or where it was refused or is too long to be kept. */
    static final RequestHead NONE = new RequestHead(null, null, null);

    final String method, target, version;

    /** As received, without the empty line that ends them; null until they are validated. */
    byte[] fields;

    RequestHead(String method, String target, String version) {
        this.method = method;
        this.target = target;
        this.version = version;
        // nobody waits for a response to NONE
        if (method == null) set(ABANDONED);
    }

    /** Whether nobody waits for the response any more. */
    boolean isAbandoned() { return get() == ABANDONED; }

    /**
     * Notes a listener; or why the handler failed, because a handler around it may make a response anew,
     * which does not say it. False if nobody waits any more.
     */
    boolean note(Object what) {
        return ABANDONED != updateAndGet(known ->
                known instanceof String ? known : new Note(what, (Note) known));
    }

    /** Notes that nobody waits any more. Returns what was noted before; null for nothing. */
    Note abandon() { return getAndSet(ABANDONED) instanceof Note last ? last : null; }

    /** Forgets what was noted, because there is a response. */
    void answer() {
        // not if there is nothing, for a write costs each request some nanoseconds
        if (get() instanceof Note) set(ANSWERED);
    }

    /** Why the handler failed, if that is noted; else null. */
    Throwable failure() {
        for (Object known = get(); known instanceof Note note; known = note.earlier) {
            if (note.what instanceof Throwable cause) return cause;
        }
        return null;
    }

    /** How many bytes of it were received: those of the line, plus those of the fields once validated. */
    int size() {
        if (method == null) return 0;
        int line = method.length() + target.length() + version.length() + 2;
        return fields == null ? line : line + fields.length;
    }

    /** What the log needs: of a large head only the line, if that is not large. */
    RequestHead shorten() {
        if (size() <= SMALL) return this;
        try {
            var line = new RequestHead(method, target, version);
            line.set(get());
            return line.size() > SMALL ? NONE : line;
        } catch (OutOfMemoryError e) {
            return NONE;
        }
    }

    /** The field lines, each byte a character; null if they are not known. */
    String lines() { return fields == null ? null : Syntax.text(fields); }

    @Override
    public String toString() { return method + " " + target + " " + version; }
}
