package org.microhttp;

import static java.time.format.DateTimeFormatter.RFC_1123_DATE_TIME;
import static org.microhttp.protocol.Syntax.bytes;

import java.time.*;
import java.util.function.LongSupplier;

/**
 * The fields that depend on when and where a response is sent, Connection and Date, and the empty line after
 * them. The first response in a second renders them; all others in that second share its arrays.
 */
final class ResponseTail {

    /** The tail without Connection, with "close", and with "keep-alive". */
    private record Forms(byte[] plain, byte[] close, byte[] keepAlive) {

        Forms(String end) {
            this(bytes(end), bytes("Connection: close\r\n" + end),
                    bytes("Connection: keep-alive\r\n" + end));
        }
    }

    private static final Forms UNDATED = new Forms("\r\n");

    /** The time of day, in milliseconds since 1970. */
    private final LongSupplier clock;
    private Forms dated;
    private long nextSecond;

    ResponseTail(LongSupplier clock) { this.clock = clock; }

    /** Returns the tail. HTTP/1.0 persists only with "keep-alive", 1.1 without "close" (RFC 9112 §9.3). */
    byte[] of(Response response, boolean last, boolean http10, long now) {
        if (dated == null || now - nextSecond >= 0) {
            long millis = clock.getAsLong();
            nextSecond = now + (1000 - millis % 1000) * 1_000_000;
            // IMF-fixdate (RFC 9110 §5.6.7); this formatter needs no locale, and writes day 3 without a 0
            String date = RFC_1123_DATE_TIME.format(Instant.ofEpochMilli(millis).atOffset(ZoneOffset.UTC))
                    .replaceFirst(", (. )", ", 0$1");
            dated = new Forms("Date: " + date + "\r\n\r\n");
        }
        Forms forms = response.dated ? UNDATED : dated;
        if (last && !response.isUpgrade()) return forms.close;
        return http10 ? forms.keepAlive : forms.plain;
    }
}
