package org.microhttp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What may become a response, and what of it is a body to send. */
class ResponseTest {

    private static final byte[] BODY = {'a', 'b', 'c'};

    private static Response response(int status, String... namesAndValues) {
        var headers = new ArrayList<Header>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            headers.add(new Header(namesAndValues[i], namesAndValues[i + 1]));
        }
        return new Response(status, "R", headers, BODY);
    }

    private static String head(Response response) {
        return new String(response.head.bytes, ISO_8859_1);
    }

    private static void refuses(String given, org.junit.jupiter.api.function.Executable construction) {
        var thrown = assertThrows(IllegalArgumentException.class, construction);
        assertTrue(thrown.getMessage().contains("allowed"), thrown.getMessage());
        assertTrue(thrown.getMessage().contains(given), thrown.getMessage());
    }

    @Test
    void keepsWhatItIsGiven() {
        var headers = new ArrayList<>(List.of(new Header("A", "b")));
        var response = new Response(200, "OK", headers, BODY);
        headers.clear();
        assertEquals(200, response.status());
        assertEquals("OK", response.reason());
        assertEquals(List.of(new Header("A", "b")), response.headers());
        assertSame(BODY, response.body());
        assertTrue(response.hasHeader("a"));
        assertFalse(response.hasHeader("b"));
        assertEquals("200 OK", response.toString());
        assertThrows(UnsupportedOperationException.class, () -> response.headers().clear());
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 99, 100, 101, 199, 600, 999, 1200, Integer.MAX_VALUE})
    void refusesAStatusOutside200To599(int status) {
        refuses("" + status, () -> response(status));
    }

    @Test
    void takesEveryStatusFrom200To599() {
        for (int status = 200; status <= 599; status++) {
            assertTrue(head(response(status)).startsWith("HTTP/1.1 " + status + " R\r\n"));
        }
    }

    @Test
    void refusesCharactersThatAreNotTextInReasonsAndValues() {
        for (int c = 0; c <= 0x300; c++) {
            String text = "a" + (char) c + "b";
            boolean allowed = c == '\t' || c >= ' ' && c <= 0x7E || c >= 0x80 && c <= 0xFF;
            if (allowed) {
                assertTrue(head(response(200, "N", text)).contains("\r\nN: " + text + "\r\n"));
                assertTrue(head(new Response(200, text, List.of(), BODY))
                        .startsWith("HTTP/1.1 200 " + text + "\r\n"));
            } else {
                refuses(text, () -> response(200, "N", text));
                refuses(text, () -> new Response(200, text, List.of(), BODY));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u010d\u010aSet-Cookie: a=b", "a\u560d\u560ab", "\ud83d\ude00", "\u2028",
            "a\r\nB: c", "\r",
        "a\n", "\0", " a", "a ", "\ta", "a\t", " "})
    void refusesWhatCouldBecomeALineBreakAndSpaceAtTheEnds(String text) {
        refuses("N", () -> response(200, "N", text));
        refuses("reason", () -> new Response(200, text, List.of(), BODY));
    }

    @Test
    void refusesNamesThatAreNotTokens() {
        for (int c = 0; c <= 0x300; c++) {
            String name = "a" + (char) c;
            boolean token = c < 0x7F && (Character.isLetterOrDigit(c) || "!#$%&'*+-.^_`|~".indexOf(c) >= 0);
            if (token) {
                assertTrue(head(response(200, name, "v")).contains("\r\n" + name + ": v\r\n"));
            } else {
                refuses("field name", () -> response(200, name, "v"));
            }
        }
        refuses("field name", () -> response(200, "", "v"));
    }

    @Test
    void refusesNull() {
        assertThrows(NullPointerException.class, () -> new Response(200, null, List.of(), BODY));
        assertThrows(NullPointerException.class, () -> new Response(200, "OK", null, BODY));
        assertThrows(NullPointerException.class, () -> new Response(200, "OK", List.of(), (byte[]) null));
        var headers = new ArrayList<Header>();
        headers.add(null);
        assertThrows(NullPointerException.class, () -> new Response(200, "OK", headers, BODY));
        assertThrows(NullPointerException.class, () -> new Header(null, "v"));
        assertThrows(NullPointerException.class, () -> new Header("n", null));
    }

    @Test
    void takesAnEmptyReasonAndEmptyValues() {
        var response = new Response(200, "", List.of(new Header("A", "")), BODY);
        assertEquals("HTTP/1.1 200 \r\nA: \r\nContent-Length: 3\r\n", head(response));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "+1", "1,1", "1 1", "0x1", "1234567890123456789", "a", "\u00b2"})
    void refusesAContentLengthThatIsNot1To18Digits(String length) {
        refuses("Content-Length", () -> response(200, "Content-Length", length));
    }

    @Test
    void hasNoBodyToSendWhereTheStatusHasNone() {
        for (int status = 200; status <= 599; status++) {
            boolean none = status == 204 || status == 205 || status == 304;
            assertEquals(none ? 0 : BODY.length, response(status).bodyLength());
            assertSame(BODY, response(status).body());
        }
    }
}
