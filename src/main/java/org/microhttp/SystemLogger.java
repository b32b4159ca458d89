package org.microhttp;

import static java.lang.System.Logger.Level.*;

import java.util.*;

/**
 * Hands events to a {@link System.Logger}, and so to whatever logging framework the program has. What clients
 * do, wrong things too, is of level DEBUG; what goes wrong in the program or the machine, and a handler that
 * answers too late, of level WARNING. The event {@code exchange} goes to another logger, whose name has
 * {@code .access} behind it, at DEBUG, so that nobody gets it unasked. None is built that the framework would
 * not print. Safe to share. What a framework writes, it writes on the loop's thread unless it is told
 * otherwise. Control characters, which could forge a line, and what is not ASCII are escaped.
 */
public final class SystemLogger extends TextLogger {

    /** The events of which somebody has to know: not what clients do wrong, or that they go. */
    static final Set<String> WARNINGS = Set.of("accept_error", "body_error", "connection_error",
            "handler_error", "handler_timeout", "leave_timeout", "loop_blocked", "loop_error",
            "response_ignored", "response_ready_error", "turn_error");

    private final System.Logger logger, access;

    /** Makes a logger of the name {@code org.microhttp}. */
    public SystemLogger() { this(System.getLogger("org.microhttp")); }

    /**
     * Makes a logger.
     *
     * @param logger where events go
     * @throws NullPointerException if it is null
     */
    public SystemLogger(System.Logger logger) {
        this.logger = logger;
        access = System.getLogger(logger.getName() + ".access");
    }

    /** {@return whether warnings are wanted, or exchanges} */
    @Override
    public boolean enabled() { return logger.isLoggable(WARNING) || access.isLoggable(DEBUG); }

    /** {@return whether the framework would print an event of that name} */
    @Override
    public boolean enabled(String event) { return target(event).isLoggable(level(event)); }

    @Override
    public void log(Throwable cause, LogEntry... entries) {
        String event = entries[0].value();
        var text = new StringBuilder();
        DebugLogger.append(text, entries);
        target(event).log(level(event), text.substring(1), cause);
    }

    private System.Logger target(String event) { return event.equals("exchange") ? access : logger; }

    private static System.Logger.Level level(String event) {
        return WARNINGS.contains(event) ? WARNING : DEBUG;
    }
}
