package org.microhttp;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;

/**
 * Prints every event as one line on standard output, and a cause with its stack trace. For development: it
 * writes on the loop's thread, so a terminal that does not keep up holds the server. Control characters and
 * what is not ASCII are escaped, so a request cannot forge a line. Safe to share between loops.
 */
public final class DebugLogger implements Logger {

    private final PrintStream out;

    /** Prints on {@link System#out}. */
    public DebugLogger() { this(System.out); }

    DebugLogger(PrintStream out) { this.out = out; }

    @Override public boolean enabled() { return true; }

    @Override public void log(LogEntry... entries) { out.println(line(entries)); }

    @Override
    public void log(Exception e, LogEntry... entries) {
        var trace = new StringWriter();
        e.printStackTrace(new PrintWriter(trace, true));
        var text = line(entries);
        trace.toString().lines().forEach(line -> append(text.append("\n    "), line.strip()));
        out.println(text);
    }

    private static StringBuilder line(LogEntry... entries) {
        var line = new StringBuilder(128).append(Instant.now());
        for (LogEntry e : entries) append(line.append(' ').append(e.key()).append('='), e.value());
        return line;
    }

    private static void append(StringBuilder line, String text) {
        for (char c : text.toCharArray()) {
            if (c == '\\') line.append("\\\\");
            else if (c >= ' ' && c < 0x7F) line.append(c);
            else line.append(c == '\r' ? "\\r" : c == '\n' ? "\\n" : String.format("\\u%04X", (int) c));
        }
    }
}
