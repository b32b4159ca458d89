package org.microhttp.httpserver;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The current time as the field Date has it (RFC 9110 §5.6.7), formatted once a second. Thread-safe. */
final class DateField {

    private static final DateTimeFormatter FORMAT = DateTimeFormatter
            .ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US).withZone(ZoneOffset.UTC);

    private static volatile DateField last = new DateField(Instant.now());

    private final long second;
    private final String text;

    private DateField(Instant time) {
        second = time.getEpochSecond();
        text = FORMAT.format(time);
    }

    static String now() {
        Instant now = Instant.now();
        DateField made = last;
        if (made.second != now.getEpochSecond()) {
            made = new DateField(now);
            last = made;
        }
        return made.text;
    }
}
