package org.microhttp;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Responses to bytes: status line and the handler's fields, which the response keeps rendered; the fields of
 * this sending, Connection and Date; the body. The date is rendered once a second, with each value of
 * Connection.
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
     * Readies an answer for {@link #encode}. 1.0 persists only if told so, 1.1 unless told (RFC 9112 §9.3).
     */
    void start(Exchange exchange, boolean toHead, boolean http10, boolean persistent, long now) {
        if (dated == null || now - nextSecond >= 0) {
            long millis = System.currentTimeMillis();
            nextSecond = now + (1000 - millis % 1000) * 1_000_000;
            String date = IMF_FIXDATE.format(Instant.ofEpochMilli(millis).atOffset(ZoneOffset.UTC));
            dated = tails("Date: " + date + "\r\n");
        }
        Response response = exchange.response;
        exchange.head = response.head(toHead);
        exchange.tail = (response.isDated() ? UNDATED : dated)[!persistent ? 1 : http10 ? 2 : 0];
        exchange.end = exchange.head.length + exchange.tail.length + (toHead ? 0 : response.bodyLength());
    }

    /** Puts what fits of the answer into the buffer, from where the last call ended; true when all is in. */
    boolean encode(Exchange exchange, ByteBuffer out) {
        append(exchange, exchange.head, 0, out);
        append(exchange, exchange.tail, exchange.head.length, out);
        long bodyAt = exchange.head.length + exchange.tail.length;
        if (exchange.position >= bodyAt && exchange.position < exchange.end) {
            int room = out.remaining();
            exchange.response.writeBody(out, (int) (exchange.position - bodyAt));
            exchange.position += room - out.remaining();
        }
        return exchange.position == exchange.end;
    }

    /** Puts what fits of a piece that starts at an offset of the answer, if the answer has come to it. */
    private static void append(Exchange exchange, byte[] piece, long offset, ByteBuffer out) {
        int from = (int) (exchange.position - offset);
        if (from < 0 || from >= piece.length) return;
        int length = Math.min(piece.length - from, out.remaining());
        out.put(piece, from, length);
        exchange.position += length;
    }
}
