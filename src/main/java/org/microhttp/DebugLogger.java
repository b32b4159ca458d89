package org.microhttp;

import java.io.*;
import java.time.Instant;

/**
 * Prints every event as one line on standard output, and a cause with its stack trace. It is for development:
 * it writes on the loop's thread, so a slow terminal blocks the server. Control characters and characters
 * beyond ASCII are escaped, so that a request cannot forge a line. Several loops may share it.
 */
public final class DebugLogger implements Logger {

    /** Makes a logger, and prints how to replace it. */
    public DebugLogger() {
        System.out.println("every event is printed; to log failures alone: new EventLoop(new Options(), "
                + "new SystemLogger(), handler); to log nothing, pass new NoopLogger()");
    }

    @Override
    public boolean enabled() { return true; }

    @Override
    public void log(LogEntry... entries) { log((Throwable) null, entries); }

    @Override
    public void log(Exception e, LogEntry... entries) { log((Throwable) e, entries); }

    @Override
    public void log(Throwable cause, LogEntry... entries) {
        var text = new StringBuilder(128).append(Instant.now());
        append(text, entries);
        var trace = new StringWriter();
        if (cause != null) cause.printStackTrace(new PrintWriter(trace));
        trace.toString().lines().forEach(line -> append(text.append("\n    "), line.strip()));
        System.out.println(text);
    }

    /** Appends entries, as {@code key=value} with a space before each. */
    static void append(StringBuilder line, LogEntry... entries) {
        for (LogEntry entry : entries) {
            append(line.append(' ').append(entry.key()).append('='), "" + entry.value());
        }
    }

    /** Appends text, and escapes the characters that could forge a line. */
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
