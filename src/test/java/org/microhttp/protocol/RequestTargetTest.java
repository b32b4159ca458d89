package org.microhttp.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.*;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.microhttp.testing.Tier;
import org.microhttp.wire.model.ReferenceTarget;

/** Hosts and ports are judged as the grammar does; vectors.txt has one of each form. */
class RequestTargetTest {

    private static boolean isAuthority(String text) {
        byte[] bytes = ("x" + text + " ").getBytes(ISO_8859_1);
        return RequestTarget.isAuthority(bytes, 1, bytes.length - 1);
    }

    /** What needs no pattern is judged as one would: literals, names and ports of the pieces they have. */
    @Test
    void judgesAsTheGrammarDoes() {
        int cases = 60_000;
        var random = new Random(1);
        List<String> pieces = List.of("1", "0", "abcd", "12345", "g", ":", ":", ":", "::", "]", "[",
                "1.2.3.4", "%c3", "%4", "]:", "65535", "65536", "x", "-", "@");
        int valid = 0;
        for (int i = 0; i < cases; i++) {
            var text = new StringBuilder(random.nextInt(4) > 0 ? "[" : "");
            int count = random.nextInt(18);
            for (int j = 0; j < count; j++) {
                // most are groups and colons in turn, lest nothing is valid
                boolean any = random.nextInt(4) == 0;
                text.append(pieces.get(any ? random.nextInt(pieces.size()) : j % 2 == 0 ? 2 : 5));
            }
            text.append(random.nextBoolean() ? "]" : "").append(random.nextInt(4) == 0 ? ":8080" : "");
            boolean expected = ReferenceTarget.isAuthority(text.toString());
            assertEquals(expected, isAuthority(text.toString()), text::toString);
            valid += expected ? 1 : 0;
        }
        assertTrue(valid > cases / 60, valid + " are valid");
    }

    /**
     * Every literal of so many digits and colons, also where an IPv4address is the end. The longest valid
     * ones without a longer group have 15.
     */
    @Test
    @Tier.Gate
    void judgesEveryLiteralAsTheGrammarDoes() {
        int valid = 0;
        for (int length = 0; length <= 16; length++) {
            for (int bits = 0; bits < 1 << length; bits++) {
                var groups = new StringBuilder("[");
                for (int i = 0; i < length; i++) {
                    groups.append((bits >> i & 1) == 0 ? ':' : 'f');
                }
                for (String end : List.of("]", "1.2.3.4]")) {
                    String literal = groups + end;
                    boolean expected = ReferenceTarget.isAuthority(literal);
                    assertEquals(expected, isAuthority(literal), literal);
                    valid += expected ? 1 : 0;
                }
            }
        }
        assertTrue(valid > 7_000, valid + " are valid");
    }
}
