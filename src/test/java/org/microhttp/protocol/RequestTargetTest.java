package org.microhttp.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.*;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.testing.Tier;
import org.microhttp.wire.model.ReferenceTarget;

/** The forms of a target, and of host and port in it and in Host, one line per case. */
class RequestTargetTest {

    private static void check(String method, String target) throws RefusalException {
        RequestTarget.check(method, target);
    }

    private static int status(String method, String target) {
        return assertThrows(RefusalException.class, () -> check(method, target), target).refusal.status;
    }

    private static boolean isAuthority(String text) {
        byte[] bytes = ("x" + text + " ").getBytes(ISO_8859_1);
        return RequestTarget.isAuthority(bytes, 1, bytes.length - 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "/", "//", "/a?b=c", "/a[0]=|", "/%zz", "/?", "/#", "/@", "http://x", "http://x/",
        "HTTP://x:80/a", "http://x?q", "http://[::1]:8080/", "https://x", "a+b-c.d://x", "http://x:/",
        "http://x/a@b", "http://%41"
    })
    void takesOriginAndAbsoluteForms(String target) {
        assertDoesNotThrow(() -> check("GET", target));
        assertEquals(501, status("CONNECT", target));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "*", "a", "a/b", "?", "#", "**", "http:", "http:/x", "http://", "http:///a", "://x", "1a://x",
        "http://x:a", "http://x:70000", "http://u@x/", "http://u:p@x", "http://[::1",
        "https:///a", "https://", "https://:443/", "http://[1.2.3.4]/", "http://:80", "http://%4",
        "http://x y", "x:80", "http//x", "ht_tp://x"
    })
    void refusesWhatIsInNoForm(String target) {
        assertEquals(400, status("GET", target));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x:80", "x:1", "[::1]:443", "example.com:65535", "1.2.3.4:80"})
    void knowsAnAuthorityForConnectAlone(String target) {
        assertEquals(501, status("CONNECT", target));
        assertEquals(400, status("GET", target));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "x:", "*", ":80", "/", "http://x:80", "u@x:80", "x:65536", "[::1]"})
    void refusesConnectWhateverItMeans(String target) {
        assertEquals(501, status("CONNECT", target));
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "options", "HEAD", "POST", "OPTIONSX"})
    void takesTheAsteriskForOptionsAlone(String method) {
        assertEquals(400, status(method, "*"));
        assertDoesNotThrow(() -> check("OPTIONS", "*"));
        assertEquals(400, status("OPTIONS", "**"));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "x", "x:80", "x:", "x:0", "x:65535", "x:00080", "example.com", "EXAMPLE.com.", "1.2.3.4",
        "1.2.3.4:80", "999.1", "a_b", "a~b", "%41", "%c3%a9:80", "a!$&'()*+;=", "-", ".", "[::]",
        "[::1]", "[::1]:80", "[1:2:3:4:5:6:7:8]", "[::ffff:1.2.3.4]", "[fe80::1]:", "[ABCD::ef01]",
        "[1::8]", "x:00000000000000065535", "%41%4a", "a%41b", "[v1.a:b]", "[VF.~]:1", "[1:2:3:4:5:6:7::]",
        "[1:2:3:4:5:6:1.2.3.4]", "[::255.249.199.0]"
    })
    void takesEveryFormOfHost(String host) {
        assertEquals(true, isAuthority(host), host);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", ":", ":80", "x:a", "x:-1", "x:+1", "x:65536", "x:99999999999", "x:80:80", "x y", "x/", "x?",
        "x#", "u@x", "[", "[]", "[:]", "[:::]", "[::1", "::1", "::1]", "[::1]x", "[::1]80", "[1.2.3.4]",
        "[x]", "[::g]", "[1:2:3:4:5:6:7:8:9]", "[12345::]", "[::1%eth0]", "[::1%25eth0]", "[1::2::3]",
        "[::1.2.3]", "%", "%4", "%4g", "%g4", "a%", "x\\", "x\"", "<x>", "x^", "`", "{", "|", "\u00e9",
        "x,y:z", "\t", "x:000065536", "x:4294967296", "x:18446744073709551696", "[v1.a", "[v.a]", "[v1.]",
        "[v1.a]x", "[v1.a%41]", "[::1]%41", "%41:a", "[::1.2.3.256]", "[::01.2.3.4]", "[::1.2.3.4:5]",
        "[1:2:3:4:5:6:7:1.2.3.4]", "[::1234.2.3.4]", "[::1.2.3.4.5]"
    })
    void refusesWhatIsNoHost(String host) {
        assertEquals(false, isAuthority(host), host);
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
