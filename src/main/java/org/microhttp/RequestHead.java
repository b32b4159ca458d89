package org.microhttp;

/**
 * What a request and its exchange both know: the request line, the field lines, and whether anybody waits for
 * the answer. Knows neither the body nor the connection, so that each may be let go of while the other lasts.
 */
final class RequestHead {

    /** Of a request whose line was refused, or is forgotten. */
    static final RequestHead NONE = new RequestHead(null, null, null);

    final String method, target, version;

    /** As received and validated, without the empty line that ends them; null until they are. */
    byte[] fields;

    /** How many octets were received of it: of the line, and of the fields when they are known. */
    int size;

    /** What it is handled in, while it is: for the loop's thread alone. */
    Exchange exchange;

    /** Whether nobody waits any more; set by the loop's thread. */
    volatile boolean abandoned;

    RequestHead(String method, String target, String version) {
        this.method = method;
        this.target = target;
        this.version = version;
        // for one that is refused or forgotten nobody waits
        abandoned = method == null;
    }

    /** The field lines, each octet a character; null if they are not known. */
    String lines() { return fields == null ? null : Syntax.text(fields); }

    @Override
    public String toString() { return method + " " + target + " " + version; }
}
