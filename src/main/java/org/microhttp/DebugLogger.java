package org.microhttp;

import java.time.Instant;
import java.util.HexFormat;

/**
 * Prints every event as one line on standard output, and a cause with its stack trace. For development: it
 * writes on the loop's thread, so a terminal that does not keep up holds the server. Control characters and
 * what is not ASCII are escaped, so a request cannot forge a line. Safe to share between loops.
 */
public final class DebugLogger implements Logger {

    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    /** Makes a logger without state. */
    public DebugLogger() { }

    @Override public boolean enabled() { return true; }

    @Override public void log(LogEntry... entries) { log(null, entries); }

    @Override
    public void log(Exception e, LogEntry... entries) {
        var text = new StringBuilder(128).append(Instant.now());
        for (LogEntry x : entries) append(text.append(' ').append(x.key()).append('='), x.value());
        int causes = 0;
        for (Throwable t = e; t != null && causes++ < 10; t = t.getCause()) {
            append(text.append("\n    "), t.toString());
            for (StackTraceElement frame : t.getStackTrace()) text.append("\n        at ").append(frame);
        }
        System.out.println(text);
    }

    static void append(StringBuilder line, String text) {
        for (char c : text.toCharArray()) {
            if (c >= ' ' && c < 0x7F && c != '\\') line.append(c);
            else line.append("\\u").append(HEX.toHexDigits(c));
        }
    }
}
