package org.microhttp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables of field lines, "&" between them: what a section asks for, or why it is refused. */
class HeaderSectionTest {

    private final HeaderSection section = new HeaderSection();

    /** Octets before the line and behind it: nobody may look at them. */
    private void add(String line) throws RefusalException {
        byte[] bytes = ("x" + line + "\r\nx").getBytes(ISO_8859_1);
        section.add(bytes, 1, 1 + line.indexOf(':'), 1 + line.length());
    }

    /** The code of a refusal, or nothing. */
    private String judge(String method, String lines, boolean http10) {
        try {
            for (String line : lines.isEmpty() ? new String[0] : lines.split("&")) {
                add(line);
            }
            section.complete(method, http10);
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
        "Host: x,y:1:2|bad_host|bad_host",
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
        assertEquals(expectedOfHttp10, new HeaderSectionTest().judge("POST", lines, true));
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
    private static HeaderSection completed(String method, String lines, boolean http10) {
        var test = new HeaderSectionTest();
        String code = test.judge(method, "Host: x&" + lines, http10);
        return code.isEmpty() ? test.section : new HeaderSection();
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
        assertEquals(expected, completed("POST", lines, false).expectsContinue);
        assertEquals(false, completed("POST", lines, true).expectsContinue);
    }

    @Test
    void keepsWhereTheBodyEnds() throws Exception {
        add("Content-Length:\t12 ");
        assertEquals(12, section.declaredLength);
        assertEquals(false, section.chunked);
        add("Transfer-Encoding: \t chunked \t");
        assertEquals(true, section.chunked);
    }

    @ParameterizedTest
    @ValueSource(strings = {"A: b", "Cookie: Host: x", "Hos: x", "Content-Lengt: 1", "X-Forwarded-For: 1",
        "Content-Lengt\u008c: 1", "Transfer_Encoding: chunked", "A-name-longer-than-any-that-matters: 1"})
    void passesOverWhatSaysNothingToTheServer(String line) throws Exception {
        add(line);
        assertEquals("missing_host", judge("GET", "", false));
    }
}
