package org.microhttp;

import static java.lang.System.Logger.Level.*;

import java.util.Objects;
import java.util.Set;

/**
 * Hands events to a {@link System.Logger}, and so to whatever logging framework the program has. Events of a
 * connection's ordinary life are of level DEBUG, those with a cause of level WARNING; none is built that the
 * framework would not print. Safe to share. What a framework writes, it writes on the loop's thread unless it
 * is told otherwise.
 */
public final class SystemLogger implements Logger {

    /** The events that have a cause. */
    static final Set<String> WARNINGS = Set.of("accept_error", "connection_error", "handler_error",
            "loop_blocked", "loop_error", "read_error", "turn_error", "write_error");

    private final System.Logger logger;

    /** Makes a logger of the name {@code org.microhttp}. */
    public SystemLogger() { this(System.getLogger("org.microhttp")); }

    /**
     * Makes a logger.
     *
     * @param logger where events go
     * @throws NullPointerException if it is null
     */
    public SystemLogger(System.Logger logger) { this.logger = Objects.requireNonNull(logger, "logger"); }

    /** {@return whether warnings are wanted: else nothing is} */
    @Override
    public boolean enabled() { return logger.isLoggable(WARNING); }

    /** {@return whether the framework would print an event of that name} */
    @Override
    public boolean enabled(String event) {
        return logger.isLoggable(DEBUG) || WARNINGS.contains(event) && enabled();
    }

    @Override
    public void log(LogEntry... entries) {
        if (logger.isLoggable(DEBUG)) logger.log(DEBUG, text(entries));
    }

    @Override
    public void log(Exception e, LogEntry... entries) {
        logger.log(WARNING, text(entries), e);
    }

    /** As {@code key=value key=value}; control characters, which could forge a line, are escaped. */
    private static String text(LogEntry... entries) {
        var text = new StringBuilder();
        for (LogEntry entry : entries) {
            text.append(entry.key()).append('=');
            DebugLogger.append(text, entry.value() + " ");
        }
        return text.toString().stripTrailing();
    }
}
