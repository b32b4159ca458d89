package org.microhttp.extras.representation;

import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Dates as HTTP has them (RFC 9110 §5.6.7): written in one form, and read in three. */
public final class HttpDate {

    private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");
    private static final Instant END = Instant.parse("+10000-01-01T00:00:00Z");

    private static final DateTimeFormatter FORMAT = DateTimeFormatter
            .ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.US)
            .withZone(ZoneOffset.UTC);

    private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
    private static final String MONTH = "(?<month>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";
    private static final String DAY_NAME = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
    private static final String TIME =
            "(?<hour>[01][0-9]|2[0-3]):(?<minute>[0-5][0-9]):(?<second>[0-5][0-9]|60)";

    /** {@code Sun, 06 Nov 1994 08:49:37 GMT}. The name of the day is not checked against the date. */
    private static final Pattern IMF_FIXDATE = Pattern.compile(
            DAY_NAME + ", (?<day>[0-9]{2}) " + MONTH + " (?<year>[0-9]{4}) " + TIME + " GMT");

    /** {@code Sunday, 06-Nov-94 08:49:37 GMT} */
    private static final Pattern RFC850_DATE = Pattern.compile(
            "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>[0-9]{2})-" + MONTH + "-(?<year>[0-9]{2}) "
            + TIME + " GMT");

    /** {@code Sun Nov  6 08:49:37 1994} */
    private static final Pattern ASCTIME_DATE = Pattern.compile(
            DAY_NAME + " " + MONTH + " (?<day>[0-9]{2}| [0-9]) " + TIME + " (?<year>[0-9]{4})");

    private HttpDate() {
    }

    /** Whether the year of a time has four digits. */
    static boolean canWrite(Instant time) {
        return !time.isBefore(FIRST) && time.isBefore(END);
    }

    /**
     * {@return a time as text, to the second, such as {@code Sun, 06 Nov 1994 08:49:37 GMT}}
     *
     * @param time of a year from 0 to 9999
     */
    public static String format(Instant time) {
        return FORMAT.format(time);
    }

    /**
     * {@return the time of a text; null if the text has none of the three forms, or its month has no such
     * day}
     *
     * @param text as a client has sent it
     */
    public static Instant parse(String text) {
        for (Pattern form : new Pattern[] {IMF_FIXDATE, ASCTIME_DATE}) {
            Matcher date = form.matcher(text);
            if (date.matches()) {
                return time(date, number(date, "year"));
            }
        }
        Matcher date = RFC850_DATE.matcher(text);
        return date.matches() ? withCentury(date) : null;
    }

    /** The latest time with this two-digit year that is at most 50 years in the future (RFC 9110 §5.6.7). */
    private static Instant withCentury(Matcher date) {
        ZonedDateTime latest = ZonedDateTime.now(ZoneOffset.UTC).plusYears(50);
        int year = latest.getYear() - Math.floorMod(latest.getYear() - number(date, "year"), 100);
        Instant time = time(date, year);
        boolean late = time == null || time.isAfter(latest.toInstant());
        return late ? time(date, year - 100) : time;
    }

    /** Null if the month has no such day. A second 60 is the first second of the next minute. */
    private static Instant time(Matcher date, int year) {
        int month = MONTHS.indexOf(date.group("month")) / 3 + 1;
        int day = number(date, "day");
        if (day < 1 || day > YearMonth.of(year, month).lengthOfMonth()) {
            return null;
        }
        long minutes = number(date, "hour") * 60L + number(date, "minute");
        long seconds = minutes * 60 + number(date, "second");
        return LocalDate.of(year, month, day).atStartOfDay(ZoneOffset.UTC).plusSeconds(seconds).toInstant();
    }

    private static int number(Matcher date, String name) {
        return Integer.parseInt(date.group(name).strip());
    }
}
