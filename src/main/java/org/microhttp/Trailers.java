package org.microhttp;

/** Which fields may not stand in a trailer section; the others are held to the grammar, then dropped. */
final class Trailers {

    /** Fields about framing, routing, authentication, or how to read the body (RFC 9110 §6.5.1). */
    private static final String[] FORBIDDEN = {"te", "age", "date", "host", "vary", "range", "expect",
        "pragma", "expires", "trailer", "upgrade", "warning", "location", "forwarded", "keep-alive",
        "retry-after", "content-type", "max-forwards", "cache-control", "content-range", "content-length",
        "content-encoding", "content-language", "content-location", "transfer-encoding"};
    private static final String[] FORBIDDEN_BEGINNINGS = {"if-", "x-forwarded-"};
    private static final String[] FORBIDDEN_ENDS = {"connection", "cookie", "authorization", "authenticate"};

    private Trailers() { }

    /** Judges a field name, in any case. */
    static boolean isForbidden(byte[] bytes, int from, int to) {
        for (String name : FORBIDDEN) {
            if (Syntax.equalsLower(bytes, from, to, name)) return true;
        }
        for (String beginning : FORBIDDEN_BEGINNINGS) {
            int end = Math.min(to, from + beginning.length());
            if (Syntax.equalsLower(bytes, from, end, beginning)) return true;
        }
        for (String end : FORBIDDEN_ENDS) {
            int start = Math.max(from, to - end.length());
            if (Syntax.equalsLower(bytes, start, to, end)) return true;
        }
        return false;
    }
}
