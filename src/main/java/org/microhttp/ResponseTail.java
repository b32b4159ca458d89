package org.microhttp;

import java.time.*;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * The fields of each sending, Connection and Date, and the empty line behind them. They are rendered once a
 * second, by the first response in it: all others of that second share one of three arrays.
 */
final class ResponseTail {

    /** The field with an IMF-fixdate (RFC 9110 §5.6.7), and the empty line behind it. */
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern(
            "'Date: 'EEE, dd MMM uuuu HH:mm:ss 'GMT\r\n\r\n'", Locale.ROOT);

    /** At these indexes of the forms: nothing about the connection, its end, its persistence. */
    private static final int PLAIN = 0, CLOSE = 1, KEEP_ALIVE = 2;

    private static final byte[][] UNDATED = forms("\r\n");

    private final Clock clock;
    private byte[][] dated;
    private long nextSecond;

    ResponseTail(Clock clock) { this.clock = clock; }

    private static byte[][] forms(String end) {
        return new byte[][] {Syntax.octets(end),
            Syntax.octets("Connection: close\r\n" + end),
            Syntax.octets("Connection: keep-alive\r\n" + end)};
    }

    /** 1.0 persists only if told so, 1.1 unless told otherwise (RFC 9112 §9.3). */
    byte[] of(Exchange answered, long now) {
        if (dated == null || now - nextSecond >= 0) {
            long millis = clock.currentTimeMillis();
            nextSecond = now + (1000 - millis % 1000) * 1_000_000;
            dated = forms(DATE.format(Instant.ofEpochMilli(millis).atOffset(ZoneOffset.UTC)));
        }
        byte[][] forms = answered.response.head.dated ? UNDATED : dated;
        if (answered.last) return forms[CLOSE];
        return forms[answered.http10 ? KEEP_ALIVE : PLAIN];
    }
}
