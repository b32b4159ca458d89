package org.microhttp;

import static java.time.format.DateTimeFormatter.RFC_1123_DATE_TIME;

import java.time.*;

/**
 * The fields of each sending, Connection and Date, and the empty line behind them. They are rendered once a
 * second, by the first response in it: all others of that second share one of three arrays.
 */
final class ResponseTail {

    /** Says nothing about the connection, its end, its persistence. */
    private record Forms(byte[] plain, byte[] close, byte[] keepAlive) {

        Forms(String end) {
            this(Syntax.octets(end), Syntax.octets("Connection: close\r\n" + end),
                    Syntax.octets("Connection: keep-alive\r\n" + end));
        }
    }

    private static final Forms UNDATED = new Forms("\r\n");

    private final Clock clock;
    private Forms dated;
    private long nextSecond;

    ResponseTail(Clock clock) { this.clock = clock; }

    /** IMF-fixdate (RFC 9110 §5.6.7), by the one formatter that the JVM has quickly: it omits a zero. */
    private static String date(long millis) {
        String date = RFC_1123_DATE_TIME.format(Instant.ofEpochMilli(millis).atOffset(ZoneOffset.UTC));
        return date.length() < 29 ? date.substring(0, 5) + "0" + date.substring(5) : date;
    }

    /** 1.0 persists only if told so, 1.1 unless told otherwise (RFC 9112 §9.3). */
    byte[] of(Exchange answered, long now) {
        if (dated == null || now - nextSecond >= 0) {
            long millis = clock.currentTimeMillis();
            nextSecond = now + (1000 - millis % 1000) * 1_000_000;
            dated = new Forms("Date: " + date(millis) + "\r\n\r\n");
        }
        Forms forms = answered.response.head.dated ? UNDATED : dated;
        if (answered.last) return forms.close;
        return answered.http10 ? forms.keepAlive : forms.plain;
    }
}
