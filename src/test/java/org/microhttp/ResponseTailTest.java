package org.microhttp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.*;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.microhttp.testing.RawResponse;
import org.microhttp.testing.TestServer;

/** The fields that a response gets when it is sent: Connection where it is needed, and the date. */
class ResponseTailTest {

    private static final Response OK = TestServer.ok("hello");
    private static final Response DATED =
            new Response(200, "OK", List.of(new Header("Date", "now")), new byte[0]);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    /** The time of day, in milliseconds. */
    private long millis = 1_700_000_000_300L;
    private final ResponseTail tail = new ResponseTail(() -> millis);
    private final long now = System.nanoTime();

    /** The tail in the middle of the life of a connection of 1.1, at a time of the loop. */
    private byte[] tail(long time) {
        return tail.of(OK, false, false, time);
    }

    private String text(long time) {
        return new String(tail(time), ISO_8859_1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "false|false|''",
        "false|true |Connection: close",
        "true |false|Connection: keep-alive",
        "true |true |Connection: close",
    })
    void writesConnectionOnlyWhereNeeded(boolean http10, boolean last, String field) {
        String expected = field.isEmpty() ? "\r\n" : field + "\r\n\r\n";
        String dated = new String(tail.of(OK, last, http10, now), ISO_8859_1);
        assertNotEquals(expected, dated);
        assertEquals(expected, RawResponse.undated(dated));
        assertEquals(expected, new String(tail.of(DATED, last, http10, now), ISO_8859_1));
    }

    @ParameterizedTest
    @CsvSource({"0, 'Thu, 01 Jan 1970 00:00:00 GMT'", "1700000000300, 'Tue, 14 Nov 2023 22:13:20 GMT'",
        "951825599999, 'Tue, 29 Feb 2000 11:59:59 GMT'"})
    void writesTheTimeAsImfFixdate(long time, String date) {
        millis = time;
        assertEquals("Date: " + date + "\r\n\r\n", text(now));
    }

    /** The seconds of the machine begin at other moments than those of the loop, whose time decides. */
    @Test
    void isOfTheSecondInWhichItIsSent() {
        byte[] first = tail(now);
        assertSame(first, tail(now));
        long left = TimeUnit.MILLISECONDS.toNanos(700);
        millis += 700;
        assertSame(first, tail(now + left - 1));
        assertEquals("Date: Tue, 14 Nov 2023 22:13:21 GMT\r\n\r\n", text(now + left));
        assertSame(tail(now + left), tail(now + left + SECOND - 1));
    }

    @Test
    void comparesTimesAlsoWhereTheClockWraps() {
        byte[] first = tail(Long.MAX_VALUE);
        assertSame(first, tail(Long.MAX_VALUE));
        assertNotSame(first, tail(Long.MAX_VALUE + SECOND));
    }
}
