package org.microhttp.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.*;

import java.util.*;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tables of field lines, "&" between them: what a section asks for, or why it is refused; where the body
 * ends, or why nobody can say; and which fields may stand after it, in any case (RFC 9110 §6.5.1).
 */
class RequestFramingTest {

    private final RequestFraming framing = new RequestFraming();
    private boolean persistent;

    /** Octets before the line and behind it: nobody may look at them. */
    private void add(String line) throws RefusalException {
        byte[] bytes = ("x" + line + "\r\nx").getBytes(ISO_8859_1);
        framing.add(bytes, 1, 1 + line.indexOf(':'), 1 + line.length());
    }

    /** The code of a refusal, or nothing. */
    private String judge(String method, String lines, boolean http10) {
        try {
            for (String line : lines.isEmpty() ? new String[0] : lines.split("&")) {
                add(line);
            }
            persistent = framing.complete(method, http10);
            return "";
        } catch (RefusalException e) {
            return e.refusal.code;
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "Host: x|''|''",
        "HOST:\t x:80 |''|''",
        "hOST:[::1]|''|''",
        "''|missing_host|''",
        "Hosts: x|missing_host|''",
        "Hosu: x|missing_host|''",
        "Host: x&Host: x|repeated_host|repeated_host",
        "Host: x&host: y|repeated_host|repeated_host",
        "Host: x:80 \t |''|''",
        "Host:|bad_host|bad_host",
        "Host: \t |bad_host|bad_host",
        "Host: a b|bad_host|bad_host",
        "Host: x:1:2|bad_host|bad_host",
        "Host: x,y|comma_in_authority|comma_in_authority",
        "Host: x:65536|bad_host|bad_host",
        "Host: x&Content-Type: a/b|''|''",
        "Host: x&Content-Type: a/b&content-type: a/b|repeated_content_type|repeated_content_type",
        "Host: x&Content-Length: 5|''|''",
        "Host: x&CONTENT-LENGTH:5 |''|''",
        "Host: x&Content-Length: 5 5|bad_content_length|bad_content_length",
        "Host: x&Transfer-Encoding: chunked|''|coding_in_http_1_0",
        "Host: x&Transfer-Encoding: gzip|chunked_not_last|coding_in_http_1_0",
        "Host: x&Transfer-Encoding:|bad_coding|bad_coding",
        "Host: x&Connection: a, b&Connection: ,,c,|''|''",
        "Host: x&Connection:|''|''",
        "Host: x&Connection: a b|bad_connection|bad_connection",
        "Host: x&Connection: a;b|bad_connection|bad_connection",
        "Host: x&Connection: \"close\"|bad_connection|bad_connection",
        "Host: x&Expect: 100-Continue|''|''",
        "Host: x&Expect: ,100-continue,|''|''",
        "Host: x&Expect:|''|''",
        "Host: x&Expect: tea|unknown_expectation|''",
        "Host: x&Expect: 100-continue, tea|unknown_expectation|''",
        "Host: x&Expect: tea, 100-continue|unknown_expectation|''",
        "Host: x&Expect: 100-continue;a=b|unknown_expectation|''",
        "Host: x&Expect: =|unknown_expectation|''",
    })
    void judgesFields(String lines, String expected, String expectedOfHttp10) {
        assertEquals(expected, judge("POST", lines, false));
        assertEquals(expectedOfHttp10, new RequestFramingTest().judge("POST", lines, true));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "TRACE|Host: x|''",
        "TRACE|Host: x&Content-Length: 0|''",
        "TRACE|Host: x&Content-Length: 1|trace_with_body",
        "TRACE|Host: x&Transfer-Encoding: chunked|trace_with_body",
        "trace|Host: x&Content-Length: 1|''",
        "GET|Host: x&Content-Length: 1|''",
    })
    void aTraceHasNoBody(String method, String lines, String expected) {
        assertEquals(expected, judge(method, lines, false));
    }

    /** What these lines and a Host come to; what is refused comes to nothing. */
    private static RequestFramingTest completed(String method, String lines, boolean http10) {
        var test = new RequestFramingTest();
        String code = test.judge(method, "Host: x&" + lines, http10);
        return code.isEmpty() ? test : new RequestFramingTest();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "''|true|false",
        "Connection: upgrade|true|false",
        "Connection: close|false|false",
        "Connection: a, CLOSE|false|false",
        "Connection: closed|true|false",
        "Connection: keep-alive|true|true",
        "Connection: ,Keep-Alive,|true|true",
        "Connection: keep-alive, a|true|true",
        "Connection: keep-alive, close|false|false",
        "Connection: close&Connection: keep-alive|false|false",
        "Connection: keep-alive&Connection: close|false|false",
        "Keep-Alive: 5|true|false",
    })
    void closeWinsAndVersionsDiffer(String lines, boolean persistent, boolean persistentInHttp10) {
        assertEquals(persistent, completed("GET", lines, false).persistent);
        assertEquals(persistentInHttp10, completed("GET", lines, true).persistent);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "Expect: 100-continue&Content-Length: 1|true",
        "Expect: a, 100-continue&Content-Length: 1|false",
        "Expect: 100-continue&Transfer-Encoding: chunked|true",
        "Expect: 100-continue&Content-Length: 0|false",
        "Expect: 100-continue|false",
        "Content-Length: 1|false",
    })
    void aClientWaitsForA100OnlyBeforeABody(String lines, boolean expected) {
        assertEquals(expected, completed("POST", lines, false).framing.expectsContinue);
        assertEquals(false, completed("POST", lines, true).framing.expectsContinue);
    }

    @Test
    void keepsWhereTheBodyEnds() throws Exception {
        add("Content-Length:\t12 ");
        assertEquals(12, framing.bodyLength);
        assertEquals(false, framing.chunked);
        add("Transfer-Encoding: \t chunked \t");
        assertEquals(true, framing.chunked);
    }

    @ParameterizedTest
    @ValueSource(strings = {"A: b", "Cookie: Host: x", "Hos: x", "Content-Lengt: 1", "X-Forwarded-For: 1",
        "Content-Lengt\u008c: 1", "Transfer_Encoding: chunked", "A-name-longer-than-any-that-matters: 1"})
    void passesOverWhatSaysNothingToTheServer(String line) throws Exception {
        add(line);
        assertEquals("missing_host", judge("GET", "", false));
    }

    /** What one field, or two with "&" between them, come to: the code of a refusal, or length and coding. */
    private static String framing(String lengths, String codings, boolean http10) {
        var framing = new RequestFraming();
        try {
            byte[] host = "Host: x\r".getBytes(ISO_8859_1);
            framing.add(host, 0, 4, host.length - 1);
            for (String length : values(lengths)) {
                byte[] bytes = ("x" + length + "x").getBytes(ISO_8859_1);
                framing.addContentLength(bytes, 1, bytes.length - 1);
            }
            for (String coding : values(codings)) {
                byte[] bytes = ("x" + coding + ",x").getBytes(ISO_8859_1);
                framing.addTransferEncoding(new ListReader(bytes, 1, bytes.length - 2));
            }
            framing.complete("POST", http10);
        } catch (RefusalException e) {
            return e.refusal.code;
        }
        String end = framing.chunked ? "chunked" : "" + framing.bodyLength;
        return framing.hasBody() ? end + " body" : end;
    }

    private static String[] values(String fields) {
        return fields == null ? new String[0] : fields.split("&", -1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', ignoreLeadingAndTrailingWhitespace = false, value = {
        "0|0", "00|0", "1|1 body", "0042|42 body",
        "999999999999999999|999999999999999999 body",
        "000000000000000001|1 body",
        "1000000000000000000|bad_content_length",
        "''|bad_content_length", " 1|bad_content_length", "1 |bad_content_length", "+1|bad_content_length",
        "-1|bad_content_length", "0x1|bad_content_length", "1.0|bad_content_length",
        "1,1|bad_content_length", "a|bad_content_length", "1a|bad_content_length",
        "\u00b2|bad_content_length",
        "5&5|repeated_content_length", "0&0|repeated_content_length", "1&a|repeated_content_length",
    })
    void aLengthIsOneToEighteenDigitsAndThereOnce(String lengths, String expected) {
        assertEquals(expected, framing(lengths, null, false));
        assertEquals(expected, framing(lengths, null, true));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', ignoreLeadingAndTrailingWhitespace = false, value = {
        "chunked|chunked body", "CHUNKED|chunked body", "Chunked\t|chunked body",
        "gzip, chunked|unknown_coding", "gzip;level=1, chunked|unknown_coding",
        "gzip;a=\",\" , chunked|unknown_coding", "gzip&chunked|unknown_coding",
        "chunke, chunked|unknown_coding",
        "gzip|chunked_not_last", "identity|chunked_not_last", "xchunked|chunked_not_last",
        "chunked, gzip|chunked_not_last", "chunked, chunked|chunked_not_last",
        "chunked&gzip|chunked_not_last", "chunked&chunked|chunked_not_last",
        "chunked;a=b|chunked_parameter", "chunked ; a=b|chunked_parameter",
        "''|bad_coding", ",|bad_coding", "chunked,|bad_coding", ",chunked|bad_coding",
        "gzip,,chunked|bad_coding", "chunked gzip|bad_coding", "chunked;a=b c|bad_coding",
        "gzip\"a\"|bad_coding", "\"chunked\"|bad_coding",
        "chunked;a|bad_coding", "gzip;a|bad_coding", "gzip;=b, chunked|bad_coding", "chunked;|bad_coding",
        "ch\u00fcnked|bad_coding", "\u000bchunked|bad_coding", "chunked\u0000|bad_coding",
        "chunked&|bad_coding", "&chunked|bad_coding",
    })
    void aCodingIsChunkedAlone(String codings, String expected) {
        assertEquals(expected, framing(null, codings, false));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "      |         |false|0",
        "      |         |true |0",
        "5     |chunked  |false|length_and_coding",
        "0     |chunked  |false|length_and_coding",
        "0     |gzip     |false|length_and_coding",
        "5     |chunked  |true |length_and_coding",
        "      |chunked  |true |coding_in_http_1_0",
        "      |gzip     |true |coding_in_http_1_0",
        "5     |         |true |5 body",
    })
    void theyAreJudgedTogether(String length, String coding, boolean http10, String expected) {
        assertEquals(expected, framing(length, coding, http10));
    }

    private static boolean isForbidden(String name) {
        return RequestFraming.isForbiddenTrailer(name);
    }

    /** The same names as a regular expression. */
    private static final Pattern FORBIDDEN = Pattern.compile("(?i)te|age|date|host|vary|range|expect|pragma"
            + "|expires|trailer|upgrade|warning|location|forwarded|keep-alive|retry-after|max-forwards"
            + "|cache-control|transfer-encoding|content-(?:type|range|length|encoding|language|location)"
            + "|(?:if-|x-forwarded-).*|.*(?:connection|cookie|authorization|authenticate)");

    @ParameterizedTest
    @ValueSource(strings = {
        // framing
        "Content-Length", "Transfer-Encoding", "Trailer", "TE",
        // routing, and what is between two hops
        "Host", "Connection", "Proxy-Connection", "Keep-Alive", "Upgrade", "Forwarded", "X-Forwarded-For",
        "X-Forwarded-Proto", "Max-Forwards",
        // modifiers of a request
        "Cache-Control", "Expect", "Pragma", "Range", "If-Match", "If-None-Match", "If-Modified-Since",
        "If-Unmodified-Since", "If-Range",
        // authentication and state
        "Authorization", "Proxy-Authorization", "WWW-Authenticate", "Proxy-Authenticate", "Cookie",
        "Set-Cookie",
        // control of a response
        "Age", "Date", "Expires", "Location", "Retry-After", "Vary", "Warning",
        // how to read the body
        "Content-Type", "Content-Encoding", "Content-Range", "Content-Language", "Content-Location",
        // the shortest of their kind
        "If-", "X-Forwarded-",
    })
    void mayNotStandThere(String name) {
        assertTrue(isForbidden(name));
        assertTrue(isForbidden(name.toLowerCase(Locale.ROOT)));
        assertTrue(isForbidden(name.toUpperCase(Locale.ROOT)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Digest", "ETag", "Server-Timing", "Content-MD5", "X-Checksum", "grpc-status",
        "Hos", "Hosts", "Xhost", "T", "Tee", "I", "If", "Iff-Match", "X-If-Match", "X-Forwarded", "Cooki",
        "Cookies", "Content", "Content-Lengths", "Authorizations", "Connections", "Authenticated"})
    void mayStandThere(String name) {
        assertFalse(isForbidden(name));
        assertFalse(isForbidden(name.toUpperCase(Locale.ROOT)));
    }

    /** Each part of these names: changed in one character, or shorter, or longer; and two parts together. */
    @Test
    void forbidsExactlyTheseNames() {
        List<String> parts = Arrays.stream(FORBIDDEN.pattern().split("[^a-z-]+"))
                .filter(part -> !part.isEmpty()).toList();
        var names = new TreeSet<String>();
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
            boolean expected = FORBIDDEN.matcher(name).matches();
            assertEquals(expected, isForbidden(name), name);
            forbidden += expected ? 1 : 0;
        }
        assertTrue(forbidden > 400 && forbidden < names.size() / 2, forbidden + " of " + names.size());
    }
}
