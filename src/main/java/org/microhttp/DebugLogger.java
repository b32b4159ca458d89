package org.microhttp;

import java.io.*;
import java.time.Instant;
import org.microhttp.protocol.Syntax;

/**
 * Prints every event as one line on standard output, and a cause with its stack trace. It is for development:
 * it writes on the loop's thread, so a slow terminal blocks the server. Control characters and characters
 * beyond ASCII are escaped, also in the messages of causes, so that a request cannot forge a line. Several
 * loops may share it.
 */
public final class DebugLogger implements Logger {

    /** Makes a logger, and prints how to replace it. */
    public DebugLogger() {
        System.out.println("every event is printed; to log failures alone: new EventLoop(new Options(), "
                + "new SystemLogger(), handler); to log nothing, pass new NoopLogger()");
    }

    @Override
    public void log(Exception cause, LogEntry... entries) { log((Throwable) cause, entries); }

    @Override
    public void log(Throwable cause, LogEntry... entries) {
        var text = new StringBuilder(128).append(Instant.now());
        append(text, entries);
        if (cause != null) {
            var trace = new StringWriter();
            EscapedCause.of(cause).printStackTrace(new PrintWriter(trace));
            trace.toString().lines().forEach(line -> text.append("\n    ").append(line.strip()));
        }
        System.out.println(text);
    }

    /** Appends entries, as {@code key=value} with a space before each; a backslash is escaped, too. */
    static void append(StringBuilder line, LogEntry... entries) {
        for (LogEntry entry : entries) {
            String value = ("" + entry.value()).replace("\\", "\\u005c");
            line.append(' ').append(entry.key()).append('=').append(Syntax.escaped(value));
        }
    }
}
