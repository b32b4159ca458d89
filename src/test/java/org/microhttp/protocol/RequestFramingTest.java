package org.microhttp.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.*;
import org.junit.jupiter.api.Test;
import org.microhttp.wire.model.ReferenceParser;

/** Which fields may stand after a body, in any case (RFC 9110 §6.5.1); vectors.txt has all else. */
class RequestFramingTest {

    /** Each part of these names: changed in one character, or shorter, or longer; and two parts together. */
    @Test
    void exactlyTheseNamesAreForbidden() {
        var names = new TreeSet<String>();
        var parts = new ArrayList<>(ReferenceParser.FORBIDDEN_TRAILERS);
        parts.addAll(List.of("if-", "x-forwarded-", "cookie", "authorization", "authenticate", "content-"));
        for (String part : parts) {
            for (int i = 0; i <= part.length(); i++) {
                String start = part.substring(0, i);
                String end = part.substring(i);
                for (String between : List.of("", "x", "-", "E", "_")) {
                    names.add(start + between + end);
                    names.add(start + between + (end.isEmpty() ? "" : end.substring(1)));
                }
            }
            for (String other : parts) {
                names.add(part + other);
                names.add(part + "-" + other.toUpperCase(Locale.ROOT));
            }
        }
        long forbidden = 0;
        for (String name : names) {
            boolean expected = ReferenceParser.isForbiddenTrailer(name);
            assertEquals(expected, RequestFraming.isForbiddenTrailer(name), name);
            forbidden += expected ? 1 : 0;
        }
        assertTrue(forbidden > 400 && forbidden < names.size() / 2, forbidden + " of " + names.size());
    }
}
