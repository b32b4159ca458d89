package org.microhttp.protocol;

/**
 * The head of a request: the request line, and the field lines. It has no body, so whoever keeps a head does
 * not keep a body.
 */
public final class RequestHead {

    /** A head of up to so many bytes is small: nobody needs to account for it, or to shorten it. */
    public static final int SMALL = 1024;

    /** Stands for no head: before a line is parsed, or if it was refused or is too long to be kept. */
    public static final RequestHead NONE = new RequestHead(null, null, null);

    /** The parts of the request line; null in {@link #NONE}. */
    public final String method, target, version;

    /** The field lines as received, without the empty line after them; null until they are validated. */
    byte[] fields;

    public RequestHead(String method, String target, String version) {
        this.method = method;
        this.target = target;
        this.version = version;
    }

    /** Returns the field lines as received, validated; null before that. Nobody may change them. */
    public byte[] fields() { return fields; }

    /** Returns how many bytes it has: those of the line, and those of the fields once validated. */
    public int size() {
        if (method == null) return 0;
        int line = method.length() + target.length() + version.length() + 2;
        return fields == null ? line : line + fields.length;
    }

    /** Returns the part that a log needs: of a large head only the line, unless that is large, too. */
    public RequestHead shorten() {
        if (size() <= SMALL) return this;
        try {
            var line = new RequestHead(method, target, version);
            return line.size() > SMALL ? NONE : line;
        } catch (OutOfMemoryError e) {
            return NONE;
        }
    }

    @Override
    public String toString() { return method + " " + target + " " + version; }
}
