package org.microhttp.extras.representation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.time.*;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.microhttp.testing.Tier;
import org.microhttp.wire.model.RandomCases;

/** Dates in the three forms of RFC 9110 §5.6.7. */
@Tier.Gate
final class HttpDateTest {

    private static final DateTimeFormatter IMF = form("EEE, dd MMM uuuu HH:mm:ss 'GMT'");
    private static final DateTimeFormatter RFC850 = form("EEEE, dd-MMM-uu HH:mm:ss 'GMT'");
    private static final DateTimeFormatter ASCTIME = form("EEE MMM ppd HH:mm:ss uuuu");

    private static DateTimeFormatter form(String pattern) {
        return DateTimeFormatter.ofPattern(pattern, Locale.US).withZone(ZoneOffset.UTC);
    }

    private static void are(String time, String... texts) {
        for (String text : texts) {
            assertEquals(Instant.parse(time), HttpDate.parse(text), text);
        }
    }

    private static void areNone(String... texts) {
        for (String text : texts) {
            assertNull(HttpDate.parse(text), text);
        }
    }

    /** A day's name must be one, and is not looked at further. */
    @Test
    void examplesOfTheRfcAreParsed() {
        are("1994-11-06T08:49:37Z", "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
                "Sun Nov  6 08:49:37 1994", "Mon, 06 Nov 1994 08:49:37 GMT");
        Instant time = Instant.parse("1994-11-06T08:49:37Z");
        assertEquals("Sun, 06 Nov 1994 08:49:37 GMT", HttpDate.format(time));
        assertEquals("Sun, 06 Nov 1994 08:49:37 GMT", HttpDate.format(time.plusMillis(999)));
    }

    @Test
    void everyTimeInEveryForm() throws Exception {
        long now = Instant.now().getEpochSecond();
        long year = 31_556_952;
        RandomCases.forEach(3_000, random -> {
            Instant any = Instant.ofEpochSecond(random.nextLong(-62_167_219_200L, 253_402_300_800L));
            Instant near = Instant.ofEpochSecond(now + random.nextLong(-49 * year, 49 * year));
            assertEquals(any, HttpDate.parse(IMF.format(any)));
            assertEquals(IMF.format(any), HttpDate.format(any));
            assertEquals(any, HttpDate.parse(ASCTIME.format(any)), ASCTIME.format(any));
            assertEquals(near, HttpDate.parse(RFC850.format(near)), RFC850.format(near));
        });
    }

    @Test
    void twoDigitsMoreThan50YearsAheadAreOfThePast() {
        ZonedDateTime border = ZonedDateTime.now(ZoneOffset.UTC).withNano(0).plusYears(50);
        Instant early = border.minusMinutes(5).toInstant();
        assertEquals(early, HttpDate.parse(RFC850.format(early)));
        ZonedDateTime late = border.plusMinutes(5);
        assertEquals(late.minusYears(100).toInstant(), HttpDate.parse(RFC850.format(late)));
    }

    @Test
    void leapSecondIsParsed() {
        are("2017-01-01T00:00:00Z", "Sat, 31 Dec 2016 23:59:60 GMT", "Sat Dec 31 23:59:60 2016");
    }

    @Test
    void onlyExistingDaysAreParsed() {
        are("2000-02-29T00:00:00Z", "Tue, 29 Feb 2000 00:00:00 GMT", "Tuesday, 29-Feb-00 00:00:00 GMT");
        areNone("Mon, 29 Feb 1900 00:00:00 GMT", "Mon, 31 Apr 2000 00:00:00 GMT",
                "Mon, 00 Apr 2000 00:00:00 GMT", "Mon Apr  0 00:00:00 2000");
    }

    @Test
    void otherTextsAreNoDates() {
        areNone("", " ", "x", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
                "Sun, 06 Nov 1994 08:49:37 gmt", "Sun, 06 Nov 1994 08:49:37 GMT ",
                " Sun, 06 Nov 1994 08:49:37 GMT",
                "Sun,  06 Nov 1994 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT",
                "Sun, 06 nov 1994 08:49:37 GMT", "SUN, 06 Nov 1994 08:49:37 GMT",
                "Sun, 06 Nov 94 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT",
                "Sun, 06-Nov-94 08:49:37 GMT", "Sun Nov 6 08:49:37 1994", "Sun Nov  6 08:49:37 1994 GMT",
                "Sun Nov 006 08:49:37 1994", "Sun, 06 Nov 1994 24:00:00 GMT",
                "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
                "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
                "Sun, 06 Nov 1994 08:49:37 +0000", "Sun, 06 Now 1994 08:49:37 GMT",
                "Sun, \u0660\u0666 Nov 1994 08:49:37 GMT", "0", "-1", "1994-11-06T08:49:37Z",
                "Sun, 06 Nov 1994 08:49:37 GMT; length=5", "S".repeat(30_000));
    }
}
