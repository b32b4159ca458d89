package org.microhttp.extras.accesslog;

import java.net.InetAddress;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;
import org.microhttp.ExchangeSummary;

/**
 * How a line looks. A line is ASCII only, and shorter than the 4,096 characters that GoAccess reads of one:
 * a longer value of a client is cut, and ends in three dots. A quote, a backslash, a control character or a
 * byte beyond ASCII in a value is written as its number, so no client can end a value or a line.
 */
public enum AccessFormat {

    /** Common Log Format: {@code client - - [time] "request" status bytes}. */
    COMMON,

    /** As {@link #COMMON}, then {@code "referer" "agent"}. */
    COMBINED,

    /** A JSON object, without members whose value is unknown. */
    JSON;

    /** English months, whatever the locale; UTC, which repeats no hour. */
    private static final DateTimeFormatter CLF_TIME =
            DateTimeFormatter.ofPattern("dd/MMM/uuuu:HH:mm:ss Z", Locale.US).withZone(ZoneOffset.UTC);

    private static final DateTimeFormatter ISO_TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.US)
                    .withZone(ZoneOffset.UTC);

    /** The status of an exchange without a response, as in nginx: programs that read logs want a number. */
    private static final int NO_ANSWER = 499;

    // How long a value may become. A JSON object has the target twice, and must stay below 4,096.
    private static final int TARGET = 1000;
    private static final int REFERER = 800;
    private static final int AGENT = 500;
    private static final int OTHER = 60;

    private static final int LONGEST_ESCAPE = 6;

    private static final HexFormat HEX = HexFormat.of();

    /** Whether a line has headers of the request. */
    boolean hasFields() {
        return this != COMMON;
    }

    /** {@return the line of an exchange, with a line end} */
    String line(AccessRecord of, Trust trust) {
        var line = new StringBuilder(256);
        InetAddress known = of.client(trust);
        String client = known == null ? "-" : Address.text(known);
        if (this == JSON) {
            appendJson(line, of, client);
        } else {
            appendCommon(line, of, client);
        }
        if (this == COMBINED) {
            appendQuoted(line, of.field("Referer"), REFERER);
            appendQuoted(line, of.field("User-Agent"), AGENT);
        }
        return line.append('\n').toString();
    }

    private void appendCommon(StringBuilder line, AccessRecord of, String client) {
        ExchangeSummary exchange = of.exchange();
        line.append(client).append(" - - [");
        CLF_TIME.formatTo(of.time(), line);
        line.append("] \"");
        appendRequest(line, exchange);
        line.append("\" ").append(exchange.status() == 0 ? NO_ANSWER : exchange.status());
        line.append(' ').append(exchange.bytes());
    }

    /** An empty value becomes a dash, as a missing one: lnav cannot read the line otherwise. */
    private void appendQuoted(StringBuilder line, String value, int most) {
        boolean there = value != null && !value.isEmpty();
        append(line.append(" \""), there ? value : "-", most);
        line.append('"');
    }

    /** The request line; a dash if it is unknown. */
    private void appendRequest(StringBuilder line, ExchangeSummary of) {
        if (of.target() == null) {
            line.append('-');
            return;
        }
        append(line, of.method(), OTHER);
        append(line.append(' '), of.target(), TARGET);
        append(line.append(' '), of.version(), OTHER);
    }

    private void appendJson(StringBuilder line, AccessRecord of, String client) {
        ExchangeSummary exchange = of.exchange();
        ISO_TIME.formatTo(of.time(), line.append("{\"time\":\""));
        line.append("\",\"id\":").append(exchange.connection());
        appendText(line, "peer", of.peer(), OTHER);
        appendText(line, "client", client, OTHER);
        appendRequest(line.append(",\"request\":\""), exchange);
        line.append('"');
        appendText(line, "method", exchange.method(), OTHER);
        appendText(line, "target", exchange.target(), TARGET);
        appendText(line, "version", exchange.version(), OTHER);
        if (exchange.status() != 0) {
            line.append(",\"status\":").append(exchange.status());
        }
        long micros = exchange.duration().toNanos() / 1000;
        line.append(",\"bytes\":").append(exchange.bytes());
        line.append(String.format(Locale.ROOT, ",\"duration\":%d.%06d",
                micros / 1_000_000, micros % 1_000_000));
        appendText(line, "code", of.code(), OTHER);
        appendText(line, "referer", of.field("Referer"), REFERER);
        appendText(line, "agent", of.field("User-Agent"), AGENT);
        line.append('}');
    }

    private void appendText(StringBuilder line, String key, String value, int most) {
        if (value != null) {
            append(line.append(",\"").append(key).append("\":\""), value, most);
            line.append('"');
        }
    }

    /** Appends and escapes a value, in which each character is a byte. */
    private void append(StringBuilder line, String value, int most) {
        int end = line.length() + most;
        for (char c : value.toCharArray()) {
            boolean plain = c >= ' ' && c < 0x7F && c != '"' && c != '\\';
            if (line.length() + (plain ? 1 : LONGEST_ESCAPE) > end) {
                line.append("...");
                return;
            }
            if (plain) {
                line.append(c);
            } else if (this == JSON) {
                line.append("\\u").append(HEX.toHexDigits(c));
            } else {
                line.append("\\x").append(HEX.toHexDigits((byte) c));
            }
        }
    }
}
