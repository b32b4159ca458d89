package org.microhttp.tools.reporting;

import java.io.PrintStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Where the program's lines go: text for people, or a JSON object a line for machines. What is printed in one
 * call stays together, whichever thread calls.
 */
public final class Report {

    /** How lines are printed. An object of JSON has its time in any case. */
    public enum Format { TEXT, TEXT_WITH_TIME, JSON }

    /** In UTC, as in JSON, but always with six digits, so that lines begin in the same column. */
    private static final DateTimeFormatter TIME =
            new DateTimeFormatterBuilder().appendInstant(6).toFormatter();

    private static final Pattern LINE_START = Pattern.compile("(?md)^");

    public final boolean json;
    private final boolean timed;
    private final PrintStream out;

    public Report(PrintStream out, Format format) {
        this.out = out;
        json = format == Format.JSON;
        timed = format == Format.TEXT_WITH_TIME;
    }

    /** Prints lines, all with the same time if one is asked for. */
    public void text(String lines) {
        if (timed) {
            String time = TIME.format(Instant.now()) + " ";
            out.println(LINE_START.matcher(lines).replaceAll(time));
        } else {
            out.println(lines);
        }
    }

    /** Prints an object of the time, the event's name, and these members. */
    public void event(String event, Map<String, ?> members) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("time", Instant.now().truncatedTo(ChronoUnit.MICROS));
        all.put("event", event);
        members.forEach((name, value) -> all.put(name, value instanceof Double real ? rounded(real) : value));
        out.println(Json.text(all));
    }

    /** Six digits, and never an exponent. */
    private static BigDecimal rounded(double value) {
        return new BigDecimal(value).setScale(6, RoundingMode.HALF_UP);
    }

    /** A text without line breaks and other control characters: each becomes a question mark. */
    public static String oneLine(String text) {
        return text.replaceAll("\\p{Cc}", "?");
    }
}
