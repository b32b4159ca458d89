package org.microhttp.extras.accesslog;

import java.net.InetAddress;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;
import org.microhttp.ExchangeSummary;

/**
 * How a line looks. It is of ASCII alone, and shorter than the 4,096 characters that GoAccess reads of one:
 * what clients send is cut at a length, and then ends in three dots. A quote, a backslash, a control
 * character or a byte beyond ASCII in it is written as its number, so no client can end a value or a line.
 */
public enum AccessFormat {

    /** Common Log Format: {@code client - - [time] "request" status bytes}. */
    COMMON,

    /** The same with {@code "referer" "agent"} behind it. */
    COMBINED,

    /** A JSON object, without members that are not known. */
    JSON;

    /** English months, whatever the locale; UTC, which has no hour twice. */
    private static final DateTimeFormatter CLF_TIME =
            DateTimeFormatter.ofPattern("dd/MMM/uuuu:HH:mm:ss Z", Locale.US).withZone(ZoneOffset.UTC);

    private static final DateTimeFormatter ISO_TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.US)
                    .withZone(ZoneOffset.UTC);

    /** For an exchange without an answer, as nginx has it: programs that read logs want a number there. */
    private static final int NO_ANSWER = 499;

    // How long a value may become. An object has the target twice, and yet has to stay below 4,096.
    private static final int TARGET = 1000;
    private static final int REFERER = 800;
    private static final int AGENT = 500;
    private static final int OTHER = 60;

    private static final int LONGEST_ESCAPE = 6;

    private static final HexFormat HEX = HexFormat.of();

    /** Whether a line has fields of the request. */
    boolean hasFields() {
        return this != COMMON;
    }

    /** {@return the line of an exchange, with its end} */
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

    /** One that is empty stands as one that is not there, which lnav does not read otherwise. */
    private void appendQuoted(StringBuilder line, String value, int most) {
        boolean there = value != null && !value.isEmpty();
        append(line.append(" \""), there ? value : "-", most);
        line.append('"');
    }

    /** The request line; a dash if it was refused. */
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

    /** Appends a value of whatever characters, each of them a byte. */
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
