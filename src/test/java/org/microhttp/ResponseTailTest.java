package org.microhttp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.*;

import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.microhttp.testing.RawResponse;
import org.microhttp.testing.TestServer;

/** The fields that a response gets when it is sent: what of the connection, and the date. */
class ResponseTailTest {

    private static final Response OK = TestServer.ok("hello");
    private static final Response DATED =
            new Response(200, "OK", List.of(new Header("Date", "now")), new byte[0]);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private ResponseTail tail = new ResponseTail(System::currentTimeMillis);
    private final long now = System.nanoTime();

    private byte[] of(Response response, boolean http10, boolean last, long time) {
        return tail.of(response, last, http10, time);
    }

    /** The tail in the middle of the life of a connection of 1.1, at a time of the loop. */
    private byte[] tail(long time) {
        return of(OK, false, false, time);
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
    void saysWhatBecomesOfTheConnectionWhereItIsNeeded(boolean http10, boolean last, String field) {
        String expected = field.isEmpty() ? "\r\n" : field + "\r\n\r\n";
        String dated = new String(of(OK, http10, last, now), ISO_8859_1);
        assertNotEquals(expected, dated);
        assertEquals(expected, RawResponse.undated(dated));
        assertEquals(expected, new String(of(DATED, http10, last, now), ISO_8859_1));
    }

    @Test
    void writesTheTimeAsImfFixdate() {
        String date = text(now).replaceFirst("Date: (.*)\r\n\r\n", "$1");
        String day = "[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4}";
        assertTrue(date.matches(day + " [0-9]{2}:[0-9]{2}:[0-9]{2} GMT"), date);
        var parsed = ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME);
        assertTrue(Duration.between(parsed, ZonedDateTime.now()).abs().toSeconds() < 60, date);
    }

    @Test
    void writesTheTimeAnewWithTheClock() {
        String first = text(now);
        String later = first;
        // the time given is always one second ahead of what was given before, and so the clock is read
        for (long time = now; later.equals(first) && System.nanoTime() - now < 30 * SECOND; time += SECOND) {
            later = text(time);
            Thread.onSpinWait();
        }
        assertNotEquals(first, later, "the date changes with the clock");
        assertEquals("\r\n", RawResponse.undated(later));
    }

    /** The loop's time decides, which does not pass here: a second of the machine's may begin meanwhile. */
    @Test
    void readsTheClockOnceInASecondOfTheLoopsTime() {
        byte[] first = tail(now);
        assertSame(first, tail(now));
        long second = System.currentTimeMillis() / 1000;
        while (System.currentTimeMillis() / 1000 == second) {
            Thread.onSpinWait();
        }
        assertSame(first, tail(now));
        assertNotEquals(new String(first, ISO_8859_1), text(now + SECOND));
    }

    /** The seconds of the machine begin at other moments than those of the loop. */
    @Test
    void isOfTheSecondInWhichItIsSent() {
        tail = new ResponseTail(() -> 1_700_000_000_300L);
        byte[] first = tail(now);
        long left = TimeUnit.MILLISECONDS.toNanos(700);
        assertSame(first, tail(now + left - 1));
        assertNotSame(first, tail(now + left));
    }

    @Test
    void comparesTimesAlsoWhereTheClockWraps() {
        byte[] first = tail(Long.MAX_VALUE);
        assertSame(first, tail(Long.MAX_VALUE));
        assertNotSame(first, tail(Long.MAX_VALUE + SECOND));
    }
}
