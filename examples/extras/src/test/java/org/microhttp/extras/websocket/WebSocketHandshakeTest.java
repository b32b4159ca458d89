package org.microhttp.extras.websocket;

import static org.junit.jupiter.api.Assertions.*;

import java.util.*;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.*;
import org.microhttp.wire.model.RandomCases;

/**
 * The opening handshake of the package {@code websocket}: RFC 6455 §4.2, of which each test has its clause.
 */
final class WebSocketHandshakeTest {

    private static final String KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";

    private WebSocketOptions options = new WebSocketOptions();
    private final List<String> fields = new ArrayList<>(List.of("Host: server.example.com",
            "Upgrade: websocket", "Connection: Upgrade", KEY, "Sec-WebSocket-Version: 13"));

    private WebSocketHandshakeTest without(String name) {
        fields.removeIf(field -> field.startsWith(name + ":"));
        return this;
    }

    private WebSocketHandshakeTest with(String... more) {
        fields.addAll(Arrays.asList(more));
        return this;
    }

    private WebSocketHandshakeTest instead(String field) {
        return without(field.substring(0, field.indexOf(':'))).with(field);
    }

    private Response answer() {
        return answer("GET", "HTTP/1.1");
    }

    private Response answer(String method, String version) {
        List<Header> headers = fields.stream().map(field -> field.split(": *", 2))
                .map(parts -> new Header(parts[0], parts[1])).toList();
        var request = new Request(method, "/chat", version, headers, new byte[0]);
        return WebSocket.upgrade(request, options, new WebSocketListener() { });
    }

    private void assertStatus(int status) {
        assertEquals(status, answer().status(), fields::toString);
    }

    /** §1.3 and §4.2.2, with the key of the examples. */
    @Test
    void answersTheKey() {
        Response response = answer();
        assertEquals(101, response.status());
        assertEquals("websocket", response.header("Upgrade"));
        assertEquals("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", response.header("Sec-WebSocket-Accept"));
        assertFalse(response.hasHeader("Sec-WebSocket-Protocol"));
        assertFalse(response.hasHeader("Sec-WebSocket-Extensions"));
    }

    /** §4.2.1, 1. */
    @Test
    void takesAGetOfHttp11() {
        assertEquals("GET", answer("POST", "HTTP/1.1").header("Allow"));
        assertEquals(405, answer("HEAD", "HTTP/1.1").status());
        assertEquals(400, answer("GET", "HTTP/1.0").status());
    }

    /**
     * A row says which field is set, with a plus which one is added, and with a minus which one is missing.
     * By default a page has to be of this host and port, and extensions are not taken.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            4.2.1, 2 | -Host                                           | 400
            4.2.1, 3 | Upgrade: h2c                                    | 426
            4.2.1, 3 | Upgrade: websockets                             | 426
            4.2.1, 3 | Upgrade: WebSocket                              | 101
            4.2.1, 3 | Upgrade: h2c, websocket                         | 101
            4.2.1, 4 | Connection: close                               | 426
            4.2.1, 4 | Connection: keep-alive                          | 426
            4.2.1, 4 | Connection: keep-alive, UPGRADE                 | 101
            4.2.1, 4 | Connection: upgrade,x                           | 101
            4.2.1, 5 | -Sec-WebSocket-Key                              | 400
            4.2.1, 5 | Sec-WebSocket-Key:                              | 400
            4.2.1, 5 | Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ       | 400
            4.2.1, 5 | Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=      | 400
            4.2.1, 5 | Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25j         | 400
            4.2.1, 5 | Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZVg=     | 400
            4.2.1, 5 | Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25j====     | 400
            4.2.1, 5 | Sec-WebSocket-Key: dGhlIHNhbXBsZSBub2-jZQ==     | 400
            11.3.1   | +Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==    | 400
            4.2.2, 4 | -Sec-WebSocket-Version                          | 426
            4.2.2, 4 | Sec-WebSocket-Version:                          | 426
            4.2.2, 4 | Sec-WebSocket-Version: 8                        | 426
            4.2.2, 4 | Sec-WebSocket-Version: 12                       | 426
            4.2.2, 4 | Sec-WebSocket-Version: 14                       | 426
            4.2.2, 4 | Sec-WebSocket-Version: 013                      | 426
            4.2.2, 4 | Sec-WebSocket-Version: 13, 8                    | 426
            11.3.5   | +Sec-WebSocket-Version: 13                      | 426
            4.2.2, 2 | Origin: http://server.example.com               | 101
            4.2.2, 2 | Origin: https://Server.Example.com              | 101
            4.2.2, 2 | Origin: https://server.example.com:444          | 403
            4.2.2, 2 | Origin: https://example.com                     | 403
            4.2.2, 2 | Origin: null                                    | 403
            4.2.2, 2 | Origin: https://server.example.com.evil.example | 403
            4.2.2, 2 | Origin: http://evil.example/http://server.example.com | 403
            4.2.1    | Sec-WebSocket-Protocol:                         | 400
            4.2.1    | Sec-WebSocket-Protocol: ,                       | 400
            4.2.1    | Sec-WebSocket-Protocol: a b                     | 400
            4.2.1    | Sec-WebSocket-Protocol: a;b                     | 400
            4.2.1    | Sec-WebSocket-Protocol: "a"                     | 400
            4.2.1    | Sec-WebSocket-Protocol: a, b c                  | 400
            4.2.1    | Sec-WebSocket-Protocol: a/b                     | 400
            9.1      | Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits | 101
            9.1      | Sec-WebSocket-Extensions: a                     | 101
            9.1      | Sec-WebSocket-Extensions: a, b;c=d, d ; e = f;g="h" | 101
            9.1      | Sec-WebSocket-Extensions: , a ,, b,             | 101
            9.1      | Sec-WebSocket-Extensions: a; b="\\c"            | 101
            9.1      | Sec-WebSocket-Extensions: deflate-stream,x-foo;y=1 | 101
            9.1      | Sec-WebSocket-Extensions:                       | 400
            9.1      | Sec-WebSocket-Extensions: ,                     | 400
            9.1      | Sec-WebSocket-Extensions: a;                    | 400
            9.1      | Sec-WebSocket-Extensions: a b                   | 400
            9.1      | Sec-WebSocket-Extensions: a;=b                  | 400
            9.1      | Sec-WebSocket-Extensions: a;b=                  | 400
            9.1      | Sec-WebSocket-Extensions: a;b=""                | 400
            9.1      | Sec-WebSocket-Extensions: a;b="c d"             | 400
            9.1      | Sec-WebSocket-Extensions: a;b="c                | 400
            9.1      | Sec-WebSocket-Extensions: =a                    | 400
            9.1      | Sec-WebSocket-Extensions: a;b=c=d               | 400
            4.1      | Content-Length: 1                               | 400
            4.1      | Content-Length: 0                               | 101
            4.1      | Transfer-Encoding: chunked                      | 400
            """)
    void fieldIsTakenOrRefusedAsTheSectionSays(String section, String change, int status) {
        String field = change.replaceFirst("^[+-]", "");
        Response response = (change.startsWith("-") ? without(field)
                : change.startsWith("+") ? with(field) : instead(field)).answer();
        assertEquals(status, response.status());
        assertFalse(response.hasHeader("Sec-WebSocket-Extensions"));
        if (status == 426) {
            assertEquals("13", response.header("Sec-WebSocket-Version"));
            assertEquals("websocket", response.header("Upgrade"));
            assertEquals("upgrade", response.header("Connection"));
        }
    }

    @Test
    void twoOriginsAreRefused() {
        with("Origin: http://server.example.com", "Origin: http://server.example.com").assertStatus(403);
    }

    @Test
    void theProgramSaysWhichOriginsItTakes() {
        options = options.withOrigins("https://example.com"::equals);
        with("Origin: https://example.com").assertStatus(101);
        instead("Origin: http://server.example.com").assertStatus(403);
    }

    /** §4.2.2, 5: one of those that the client asks for, by its preference; or none. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", value = {"a | a", "c, b, a | b", "c,a,b | a", "c | -",
        "A | -"})
    void choosesASubprotocol(String asked, String chosen) {
        options = options.withSubprotocols("a", "b");
        Response response = with("Sec-WebSocket-Protocol: " + asked).answer();
        assertEquals(101, response.status());
        assertEquals(chosen, response.header("Sec-WebSocket-Protocol"));
    }

    @Test
    void optionsStayAsTheyAre() {
        WebSocketOptions none = options.withSubprotocols();
        assertNotSame(none, none.withSubprotocols("a"));
        options = none;
        assertNull(with("Sec-WebSocket-Protocol: a").answer().header("Sec-WebSocket-Protocol"));
    }

    /** §11.3.4: the fields are one list. */
    @Test
    void readsTheSubprotocolsOfSeveralFields() {
        options = options.withSubprotocols("b");
        Response response = with("Sec-WebSocket-Protocol: a", "Sec-WebSocket-Protocol: b").answer();
        assertEquals("b", response.header("Sec-WebSocket-Protocol"));
    }

    /** RFC 7692 §7.1: the first offer whose parameters are known, valid, and there once; else none. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", value = {
        "permessage-deflate                                        | ''",
        "permessage-deflate; client_max_window_bits                | ''",
        "permessage-deflate; client_max_window_bits=8              | ''",
        "permessage-deflate ;client_max_window_bits = 15           | ''",
        "permessage-deflate; server_no_context_takeover            | ''",
        "permessage-deflate; client_no_context_takeover;server_no_context_takeover | ''",
        "permessage-deflate; server_max_window_bits=8              | ; server_max_window_bits=8",
        "permessage-deflate; server_max_window_bits=\"10\"         | ; server_max_window_bits=10",
        "permessage-deflate; server_max_window_bits=\"\\1\\5\"     | ; server_max_window_bits=15",
        "permessage-deflate; server_max_window_bits                | -",
        "permessage-deflate; server_max_window_bits=7              | -",
        "permessage-deflate; server_max_window_bits=16             | -",
        "permessage-deflate; server_max_window_bits=09             | -",
        "permessage-deflate; server_max_window_bits=1000000000000  | -",
        "permessage-deflate; client_max_window_bits=7              | -",
        "permessage-deflate; client_max_window_bits=08             | -",
        "permessage-deflate; client_max_window_bits=x              | -",
        "permessage-deflate; server_no_context_takeover=1          | -",
        "permessage-deflate; client_no_context_takeover=true       | -",
        "permessage-deflate; client_max_window_bits; client_max_window_bits         | -",
        "permessage-deflate; server_max_window_bits=9; server_max_window_bits=9     | -",
        "permessage-deflate; x-other                               | -",
        "permessage-deflate; x=y, permessage-deflate; server_max_window_bits=12 "
                + "| ; server_max_window_bits=12",
        "permessage-deflate; server_max_window_bits=9, permessage-deflate | ; server_max_window_bits=9",
        "x-webkit-deflate-frame, permessage-deflate                | ''",
        "permessage-deflatex                                       | -",
        "deflate-stream                                            | -",
    })
    void takesAnOfferOfCompression(String offer, String more) {
        options = options.withCompression(true);
        Response response = with("Sec-WebSocket-Extensions: " + offer).answer();
        assertEquals(101, response.status());
        String all = "permessage-deflate; server_no_context_takeover; client_no_context_takeover";
        String expected = more == null ? null : all + more;
        assertEquals(expected, response.header("Sec-WebSocket-Extensions"));
    }

    /** §11.3.2: the fields are one list. */
    @Test
    void readsTheOffersOfSeveralFields() {
        options = options.withCompression(true);
        with("Sec-WebSocket-Extensions: a, b;c=d", "Sec-WebSocket-Extensions: permessage-deflate");
        assertTrue(answer().hasHeader("Sec-WebSocket-Extensions"));
        with("Sec-WebSocket-Extensions: a b").assertStatus(400);
    }

    /** RFC 7692 §5: a server takes nothing that is not offered. */
    @Test
    void takesNoCompressionThatIsNotOffered() {
        options = options.withCompression(true);
        assertFalse(answer().hasHeader("Sec-WebSocket-Extensions"));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, (1 << 30) + 1, Integer.MIN_VALUE})
    void aSizeOfMessagesHasALimit(int bytes) {
        var failure = assertThrows(IllegalArgumentException.class,
                () -> options.withMinCompressedSize(bytes));
        assertEquals("minCompressedSize is " + bytes + "; allowed: 0 to 1073741824", failure.getMessage());
    }

    @Test
    void cutAndChangedOffersAreTakenOrRefused() throws Exception {
        options = options.withCompression(true);
        String offer = "permessage-deflate; server_max_window_bits=\"1\\2\", permessage-deflate;x=y";
        RandomCases.forEach(2_000, random -> {
            char[] changed = offer.substring(0, 1 + random.nextInt(offer.length())).toCharArray();
            for (int i = random.nextInt(4); i > 0; i--) {
                String characters = "\"\\;,= \t=019az_-";
                changed[random.nextInt(changed.length)] =
                        characters.charAt(random.nextInt(characters.length()));
            }
            // a field's value has no space at its ends
            String value = new String(changed).strip();
            int status = instead("Sec-WebSocket-Extensions: " + value).answer().status();
            assertTrue(status == 101 || status == 400, value);
        });
    }

    /** A head may have 32 KiB. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void longListsTakeNoStack(boolean compression) {
        options = options.withCompression(compression);
        with("Sec-WebSocket-Extensions: a" + ";b=\"\\c\"".repeat(5_000), "Sec-WebSocket-Protocol: a"
                + ", a".repeat(10_000)).assertStatus(101);
        instead("Sec-WebSocket-Extensions: permessage-deflate" + ",permessage-deflate;a=b".repeat(1_000))
                .assertStatus(101);
        instead("Sec-WebSocket-Extensions: a" + ";b".repeat(15_000) + " c").assertStatus(400);
        instead("Sec-WebSocket-Extensions: a;b=\"" + "\\c".repeat(15_000)).assertStatus(400);
    }
}
