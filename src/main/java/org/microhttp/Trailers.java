package org.microhttp;

import java.util.regex.Pattern;

/** Which fields may not stand in a trailer section; the others are held to the grammar, then dropped. */
final class Trailers {

    /** Fields about framing, routing, authentication, or how to read the body (RFC 9110 §6.5.1). */
    private static final Pattern FORBIDDEN = Pattern.compile("(?i)te|age|date|host|vary|range|expect|pragma"
            + "|expires|trailer|upgrade|warning|location|forwarded|keep-alive|retry-after|max-forwards"
            + "|cache-control|transfer-encoding|content-(?:type|range|length|encoding|language|location)"
            + "|(?:if-|x-forwarded-).*|.*(?:connection|cookie|authorization|authenticate)");

    private Trailers() { }

    /** Judges a field name, in any case. */
    static boolean isForbidden(byte[] bytes, int from, int to) {
        return FORBIDDEN.matcher(Syntax.text(bytes, from, to)).matches();
    }
}
