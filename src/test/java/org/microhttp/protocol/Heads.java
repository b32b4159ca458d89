package org.microhttp.protocol;

/** Heads and parsers in states that only long input would lead to. */
public final class Heads {

    private Heads() {
    }

    /** A head with these field lines. */
    public static RequestHead of(byte[] lines) {
        var head = new RequestHead("GET", "/", "HTTP/1.1");
        head.fields = lines;
        return head;
    }

    /** Has a parser take that it has returned so many requests. */
    public static void returned(RequestParser parser, long requests) {
        parser.requests = requests;
    }
}
