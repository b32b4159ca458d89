package org.microhttp;

import java.nio.charset.StandardCharsets;
import java.time.*;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Decides what of a response is sent: status line and the handler's fields, which the response keeps
 * rendered; the fields of this sending, Connection and Date; the body. The date is rendered once a second.
 */
final class ResponseEncoder {

    /** RFC 9110 §5.6.7 */
    private static final DateTimeFormatter IMF_FIXDATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.ROOT);

    private static final byte[][] UNDATED = tails("");

    private byte[][] dated;
    private long nextSecond;

    private static byte[][] tails(String date) {
        return new byte[][] {ascii(date + "\r\n"), ascii("Connection: close\r\n" + date + "\r\n"),
            ascii("Connection: keep-alive\r\n" + date + "\r\n")};
    }

    static byte[] ascii(String text) { return text.getBytes(StandardCharsets.US_ASCII); }

    /**
     * Readies an answer for sending. 1.0 persists only if told so, 1.1 unless told otherwise (RFC 9112 §9.3).
     */
    void start(Exchange exchange, boolean toHead, boolean http10, boolean persistent, long now) {
        if (dated == null || now - nextSecond >= 0) {
            long millis = System.currentTimeMillis();
            nextSecond = now + (1000 - millis % 1000) * 1_000_000;
            String date = IMF_FIXDATE.format(Instant.ofEpochMilli(millis).atOffset(ZoneOffset.UTC));
            dated = tails("Date: " + date + "\r\n");
        }
        exchange.head = exchange.response.head(toHead);
        exchange.tail = (exchange.response.dated ? UNDATED : dated)[!persistent ? 1 : http10 ? 2 : 0];
        exchange.end = toHead ? 0 : exchange.response.bodyLength();
        exchange.end += exchange.head.length + exchange.tail.length;
    }
}
