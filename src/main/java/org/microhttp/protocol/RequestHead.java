package org.microhttp.protocol;

/**
 * The head of a request: the request line and the field lines. The body is elsewhere, so that it can be
 * garbage-collected while a head is kept.
 */
public final class RequestHead {

    /** The most bytes of a small head, which need not be charged or shortened. */
    public static final int SMALL = 1024;

    /** No head: no request line is parsed, or it is too long to be kept. */
    public static final RequestHead NONE = new RequestHead(null, null, null);

    /** The parts of the request line; null in {@link #NONE}. */
    public final String method, target, version;

    /** The field lines, without the empty line after them; null until they are validated. */
    byte[] fields;

    public RequestHead(String method, String target, String version) {
        this.method = method;
        this.target = target;
        this.version = version;
    }

    /** Returns the field lines as received; null until they are validated. Do not change the array. */
    public byte[] fields() { return fields; }

    /** Returns how many bytes the line has, and the fields once they are validated. */
    public int size() {
        if (method == null) return 0;
        int line = method.length() + target.length() + version.length() + 2;
        return fields == null ? line : line + fields.length;
    }

    /**
     * Returns what a log needs: a small head itself, or the line of a large head, or {@link #NONE} if that is
     * large, too.
     */
    public RequestHead shorten() {
        if (size() <= SMALL) return this;
        var line = new RequestHead(method, target, version);
        return line.size() > SMALL ? NONE : line;
    }

    @Override
    public String toString() { return method + " " + target + " " + version; }
}
