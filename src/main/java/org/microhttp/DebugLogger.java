package org.microhttp;

import java.io.*;
import java.time.Instant;

/**
 * Prints every event as one line on standard output, and a cause with its stack trace. For development: it
 * writes on the loop's thread, so a terminal that does not keep up holds the server. Control characters and
 * what is not ASCII are escaped, so a request cannot forge a line. Safe to share between loops.
 */
public final class DebugLogger extends TextLogger {

    /** Makes a logger, and prints how to do without one. */
    public DebugLogger() {
        System.out.println("every event is printed; for failures alone: new EventLoop(new Options(), "
                + "new SystemLogger(), handler), for nothing: NoopLogger instead");
    }

    @Override
    public boolean enabled() { return true; }

    @Override
    public void log(Throwable cause, LogEntry... entries) {
        var text = new StringBuilder(128).append(Instant.now());
        append(text, entries);
        var trace = new StringWriter();
        if (cause != null) cause.printStackTrace(new PrintWriter(trace));
        trace.toString().lines().forEach(line -> append(text.append("\n    "), line.strip()));
        System.out.println(text);
    }

    /** Appends entries, as {@code key=value} with a space in front of each. */
    static void append(StringBuilder line, LogEntry... entries) {
        for (LogEntry entry : entries) {
            append(line.append(' ').append(entry.key()).append('='), "" + entry.value());
        }
    }

    /** Appends text, and escapes what could forge a line. */
    private static void append(StringBuilder line, String text) {
        for (char c : text.toCharArray()) {
            if (c >= ' ' && c < 0x7F && c != '\\') {
                line.append(c);
            } else {
                line.append("\\u").append(Integer.toHexString(0x1_0000 | c).substring(1));
            }
        }
    }
}
