package org.microhttp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.protocol.Refusal;
import org.microhttp.protocol.RefusalException;

/** The reasons to refuse: their codes, on which programs depend, and the answers made of them. */
class RefusalCodesTest {

    /** The codes by their status. Programs know them: one may be added, and none changed. */
    private static final Map<Integer, String> CODES = Map.of(
            400, "bad_chunk_end bad_chunk_extension bad_chunk_size bad_coding bad_connection "
                    + "bad_content_length bad_field_name bad_host bad_method bad_proxy_header "
                    + "bad_request_line bad_target bad_upgrade "
                    + "bad_version bare_cr bare_lf chunk_line_too_long chunked_not_last chunked_parameter "
                    + "comma_in_authority coding_in_http_1_0 control_character empty_lines folded_field "
                    + "forbidden_trailer "
                    + "length_and_coding missing_colon missing_host repeated_content_length "
                    + "repeated_content_type repeated_host space_after_name target_userinfo "
                    + "trace_with_body truncated",
            408, "request_timeout socket_timeout",
            413, "request_too_large",
            414, "request_line_too_long",
            417, "unknown_expectation",
            431, "header_too_large too_many_fields",
            500, "handler_error",
            501, "connect unknown_coding",
            503, "handler_timeout out_of_buffers overload",
            505, "unsupported_version");

    private static final Map<Integer, String> REASONS = Map.of(400, "Bad Request", 408, "Request Timeout",
            413, "Content Too Large", 414, "URI Too Long", 417, "Expectation Failed",
            431, "Request Header Fields Too Large", 500, "Internal Server Error", 501, "Not Implemented",
            503, "Service Unavailable", 505, "HTTP Version Not Supported");

    private static String body(Response response) {
        return new String(response.body().bytes(), UTF_8);
    }

    @Test
    void codesStayWhatTheyAre() {
        Map<String, Integer> statuses = Arrays.stream(Refusal.values())
                .collect(Collectors.toMap(refusal -> refusal.code, refusal -> refusal.status));
        CODES.forEach((status, codes) -> Stream.of(codes.split(" ")).forEach(code -> assertEquals(status,
                statuses.get(code), "Programs know the code " + code + ", so it stays, with its status. Add"
                + " another code instead.")));
    }

    @ParameterizedTest
    @EnumSource
    void isAnsweredWithItsCodeAndRule(Refusal refusal) {
        Response response = Response.refusing(refusal, 42_000_000);
        assertEquals(refusal.status, response.status());
        assertEquals(REASONS.get(refusal.status), response.reason());
        assertEquals(refusal.code + ": " + refusal.rule(42_000_000) + "\n", body(response));
        assertEquals("text/plain; charset=utf-8", response.header("Content-Type"));
        assertEquals(refusal == Refusal.OVERLOAD ? "1" : null, response.header("Retry-After"));
    }

    @ParameterizedTest
    @EnumSource
    void namesTheSectionThatHasTheRule(Refusal refusal) {
        assertTrue(refusal.rule(0).matches(".*\\((.*; )?(RFC (9110|9112|6585)|PROXY protocol) §[0-9.]+\\)"),
                refusal.rule(0));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "REQUEST_TIMEOUT      |1500000000|1500 ms|requestTimeout",
        "SOCKET_TIMEOUT       |  75000000|75 ms|socketTimeout",
        "HANDLER_TIMEOUT      |   1000000|1 ms|handlerTimeout",
        "REQUEST_TOO_LARGE    |   1500000|1500000 bytes|maxRequestSize",
        "REQUEST_LINE_TOO_LONG|         9|9 bytes|maxHeaderSize",
        "HEADER_TOO_LARGE     |       100|100 bytes|maxHeaderSize",
        "TOO_MANY_FIELDS      |         1|1 fields|maxHeaders",
        "OUT_OF_BUFFERS       |4000000000|4000000000 bytes|maxBufferedBytes",
        "OVERLOAD             |         7|7 requests|maxPendingRequests",
        "CHUNK_LINE_TOO_LONG  |      1024|1024 bytes|RFC",
    })
    void saysWhichLimitWasPassedAndWhatSetsIt(Refusal refusal, long limit, String value, String setBy) {
        assertTrue(refusal.rule(limit).contains(" " + value + " "), refusal.rule(limit));
        assertTrue(refusal.loggedRule(limit).contains(" " + value + " "), refusal.loggedRule(limit));
        assertTrue(refusal.loggedRule(limit).contains("(" + setBy), refusal.loggedRule(limit));
        assertEquals(refusal.code + ": " + refusal.rule(limit) + "\n",
                body(Response.refusing(refusal, limit)));
    }

    /** In the log, what has a limit names the option that sets it; a client reads of no option. */
    @Test
    void namesAnOptionToTheOperatorWhereThereIsALimit() {
        Set<String> options = Arrays.stream(Options.class.getMethods()).map(Method::getName)
                .filter(name -> name.matches("[a-z]+[A-Z].*")).collect(Collectors.toSet());
        for (Refusal refusal : Refusal.values()) {
            boolean limited = !refusal.rule(1_000_000).equals(refusal.rule(9_000_000));
            boolean fixed = refusal == Refusal.CHUNK_LINE_TOO_LONG;
            long named = Stream.of(refusal.loggedRule(1).split("\\W")).filter(options::contains).count();
            assertEquals(limited && !fixed ? 1 : 0, named, refusal.loggedRule(1));
            assertTrue(Stream.of(refusal.rule(1).split("\\W")).noneMatch(options::contains), refusal.rule(1));
            assertEquals(refusal.rule(1), refusal.loggedRule(1).replaceFirst("\\([a-z]+[A-Z]\\w*; ", "("));
            assertFalse(refusal.rule(1).contains(" N "), refusal.rule(1));
        }
    }

    @Test
    void isLoggedAsOneEventButForTheseThatHadTheirsBefore() {
        Map<String, String> events = Arrays.stream(Refusal.values())
                .filter(refusal -> Event.of(refusal) != Event.REFUSE)
                .collect(Collectors.toMap(refusal -> refusal.code, refusal -> Event.of(refusal).text));
        assertEquals(Map.of("request_timeout", "request_timeout", "socket_timeout", "socket_timeout",
                "request_too_large", "exceed_request_max_close",
                "handler_timeout", "handler_timeout"), events);
    }

    @Test
    void isCheckedOneWayOrTheOther() {
        assertDoesNotThrow(() -> Refusal.BARE_LF.refuseIf(false));
        assertDoesNotThrow(() -> Refusal.BARE_LF.refuseIf(false, 1));
        assertDoesNotThrow(() -> Refusal.BARE_LF.refuseUnless(true));
        var thrown = assertThrows(RefusalException.class, () -> Refusal.BARE_LF.refuseIf(true));
        assertSame(Refusal.BARE_LF, thrown.refusal);
        assertSame(Refusal.BARE_LF,
                assertThrows(RefusalException.class, () -> Refusal.BARE_LF.refuseUnless(false)).refusal);
        assertEquals(3,
                assertThrows(RefusalException.class, () -> Refusal.TOO_MANY_FIELDS.refuseIf(true, 3)).limit);
    }

    /** It is thrown for what clients do: a trace would cost more than the request. */
    @Test
    void hasNoTrace() {
        var thrown = assertThrows(RefusalException.class, () -> Refusal.BARE_LF.refuseIf(true));
        assertEquals("bare_lf", thrown.getMessage());
        assertEquals(0, thrown.getStackTrace().length);
    }

    @Test
    void threeAreTimeouts() {
        assertEquals(List.of("request_timeout", "socket_timeout", "handler_timeout"),
                Arrays.stream(Refusal.values()).filter(Refusal::isTimeout).map(r -> r.code).toList());
    }
}
