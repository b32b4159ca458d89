package org.microhttp.protocol;

/** Heads as a parser makes them. */
public final class Heads {

    private Heads() {
    }

    /** A head with these field lines. */
    public static RequestHead of(byte[] lines) {
        var head = new RequestHead("GET", "/", "HTTP/1.1");
        head.fields = lines;
        return head;
    }
}
