package org.microhttp.extras.accesslog;

import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;

/**
 * How a line looks. It is of ASCII alone, and shorter than the 4,096 characters that GoAccess reads of one:
 * what clients send is cut at a length, and then ends in three dots. A quote, a backslash, a control
 * character or an octet beyond ASCII in it is written as its number, so no client can end a value or a line.
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
    private static final String NO_ANSWER = "499";

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
    String line(AccessRecord of) {
        var line = new StringBuilder(256);
        if (this == JSON) {
            appendJson(line, of);
        } else {
            appendCommon(line, of);
        }
        if (this == COMBINED) {
            appendQuoted(line, of.field("Referer"), REFERER);
            appendQuoted(line, of.field("User-Agent"), AGENT);
        }
        return line.append('\n').toString();
    }

    private void appendCommon(StringBuilder line, AccessRecord of) {
        line.append(client(of)).append(" - - [");
        CLF_TIME.formatTo(of.time(), line);
        line.append("] \"");
        appendRequest(line, of);
        line.append("\" ").append(of.get("status") == null ? NO_ANSWER : number(of, "status"));
        line.append(' ').append(of.get("bytes") == null ? "-" : number(of, "bytes"));
    }

    /** One that is empty stands as one that is not there, which lnav does not read otherwise. */
    private void appendQuoted(StringBuilder line, String value, int most) {
        boolean there = value != null && !value.isEmpty();
        append(line.append(" \""), there ? value : "-", most);
        line.append('"');
    }

    private static String client(AccessRecord of) {
        return of.client() == null ? "-" : Address.text(of.client());
    }

    /** The request line; a dash if it was refused. */
    private void appendRequest(StringBuilder line, AccessRecord of) {
        if (of.get("target") == null) {
            line.append('-');
            return;
        }
        append(line, of.get("method"), OTHER);
        append(line.append(' '), of.get("target"), TARGET);
        append(line.append(' '), of.get("version"), OTHER);
    }

    private void appendJson(StringBuilder line, AccessRecord of) {
        ISO_TIME.formatTo(of.time(), line.append("{\"time\":\""));
        line.append('"');
        appendNumber(line, of, "id");
        appendText(line, "peer", of.peer(), OTHER);
        appendText(line, "client", client(of), OTHER);
        appendRequest(line.append(",\"request\":\""), of);
        line.append('"');
        appendText(line, "method", of.get("method"), OTHER);
        appendText(line, "target", of.get("target"), TARGET);
        appendText(line, "version", of.get("version"), OTHER);
        appendNumber(line, of, "status");
        appendNumber(line, of, "bytes");
        if (of.get("nanos") != null) {
            long micros = number(of, "nanos") / 1000;
            line.append(String.format(Locale.ROOT, ",\"duration\":%d.%06d",
                    micros / 1_000_000, micros % 1_000_000));
        }
        appendText(line, "code", of.get("code"), OTHER);
        appendText(line, "referer", of.field("Referer"), REFERER);
        appendText(line, "agent", of.field("User-Agent"), AGENT);
        line.append('}');
    }

    private static void appendNumber(StringBuilder line, AccessRecord of, String key) {
        if (of.get(key) != null) {
            line.append(",\"").append(key).append("\":").append(number(of, key));
        }
    }

    /** A number goes through this, so that nothing else can stand in its place. */
    private static long number(AccessRecord of, String key) {
        return Long.parseLong(of.get(key));
    }

    private void appendText(StringBuilder line, String key, String value, int most) {
        if (value != null) {
            append(line.append(",\"").append(key).append("\":\""), value, most);
            line.append('"');
        }
    }

    /** Appends a value of whatever characters, each of them an octet. */
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
