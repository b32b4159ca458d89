package org.microhttp;

import java.time.Instant;
import java.util.HexFormat;

/**
 * Prints every event as one line on standard output, and a cause with its stack trace. For development: it
 * writes on the loop's thread, so a terminal that does not keep up holds the server. Control characters and
 * what is not ASCII are escaped, so a request cannot forge a line. Safe to share between loops.
 */
public final class DebugLogger implements Logger {

    /** Causes may go in a circle. */
    private static final int MAX_CAUSES = 10;

    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    /** Makes a logger without state. */
    public DebugLogger() { }

    @Override
    public boolean enabled() { return true; }

    @Override
    public void log(LogEntry... entries) { log(null, entries); }

    @Override
    public void log(Exception e, LogEntry... entries) {
        var text = new StringBuilder(128).append(Instant.now());
        for (LogEntry entry : entries) {
            text.append(' ').append(entry.key()).append('=');
            append(text, entry.value());
        }
        Throwable cause = e;
        for (int i = 0; i < MAX_CAUSES && cause != null; i++) {
            append(text.append("\n    "), cause.toString());
            for (StackTraceElement frame : cause.getStackTrace()) {
                text.append("\n        at ").append(frame);
            }
            cause = cause.getCause();
        }
        System.out.println(text);
    }

    /** Appends text, and escapes what could forge a line. */
    static void append(StringBuilder line, String text) {
        for (char c : text.toCharArray()) {
            if (c >= ' ' && c < 0x7F && c != '\\') {
                line.append(c);
            } else {
                line.append("\\u").append(HEX.toHexDigits(c));
            }
        }
    }
}
