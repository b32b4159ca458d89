package org.microhttp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.*;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.protocol.Refusal;
import org.microhttp.protocol.RefusalException;
import org.microhttp.protocol.RequestHead;
import org.microhttp.testing.RecordingLogger;

/** The reasons to refuse, and the responses and log entries that are made of them. */
class RefusalCodesTest {

    private static final Map<Integer, String> REASONS = Map.of(400, "Bad Request", 408, "Request Timeout",
            413, "Content Too Large", 414, "URI Too Long", 417, "Expectation Failed",
            431, "Request Header Fields Too Large", 500, "Internal Server Error", 501, "Not Implemented",
            503, "Service Unavailable", 505, "HTTP Version Not Supported");

    private static String body(Response response) {
        return new String(response.body().bytes(), UTF_8);
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
    void ruleHasTheLimit(Refusal refusal, long limit, String value, String setBy) {
        assertTrue(refusal.rule(limit).contains(" " + value + " "), refusal.rule(limit));
        assertTrue(refusal.loggedRule(limit).contains(" " + value + " "), refusal.loggedRule(limit));
        assertTrue(refusal.loggedRule(limit).contains("(" + setBy), refusal.loggedRule(limit));
        assertEquals(refusal.code + ": " + refusal.rule(limit) + "\n",
                body(Response.refusing(refusal, limit)));
    }

    /** In the log, what has a limit names the option that sets it; a client reads of no option. */
    @Test
    void onlyTheLogNamesTheOptionOfALimit() {
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

    @ParameterizedTest
    @EnumSource
    void isLoggedWithStatusCodeAndRule(Refusal refusal) {
        var log = new RecordingLogger();
        new EventLog(log).refused(1, null, RequestHead.NONE, new RefusalException(refusal, 9));
        assertEquals(Map.of("id", "1", "status", "" + refusal.status, "code", refusal.code,
                "rule", refusal.loggedRule(9)), log.events().get(0).values());
    }

    @Test
    void eventIsRefuseExceptForThese() {
        Map<String, String> events = Arrays.stream(Refusal.values())
                .filter(refusal -> Event.of(refusal) != Event.REFUSE)
                .collect(Collectors.toMap(refusal -> refusal.code, refusal -> Event.of(refusal).text));
        assertEquals(Map.of("request_timeout", "request_timeout", "socket_timeout", "socket_timeout",
                "request_too_large", "exceed_request_max_close",
                "handler_timeout", "handler_timeout"), events);
    }

    /** It is thrown for what clients do: a trace would cost more than the request. */
    @Test
    void isThrownWithoutATrace() {
        assertDoesNotThrow(() -> Refusal.BARE_LF.refuseIf(false));
        assertDoesNotThrow(() -> Refusal.BARE_LF.refuseIf(false, 1));
        assertDoesNotThrow(() -> Refusal.BARE_LF.refuseUnless(true));
        for (Executable check : List.<Executable>of(() -> Refusal.BARE_LF.refuseIf(true),
                () -> Refusal.BARE_LF.refuseUnless(false), () -> Refusal.BARE_LF.refuseIf(true, 3))) {
            var thrown = assertThrows(RefusalException.class, check);
            assertSame(Refusal.BARE_LF, thrown.refusal);
            assertEquals("bare_lf", thrown.getMessage());
            assertEquals(0, thrown.getStackTrace().length);
        }
        assertEquals(3,
                assertThrows(RefusalException.class, () -> Refusal.TOO_MANY_FIELDS.refuseIf(true, 3)).limit);
    }

    @Test
    void threeAreTimeouts() {
        assertEquals(List.of("request_timeout", "socket_timeout", "handler_timeout"),
                Arrays.stream(Refusal.values()).filter(Refusal::isTimeout).map(r -> r.code).toList());
    }
}
