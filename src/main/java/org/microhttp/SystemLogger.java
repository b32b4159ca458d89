package org.microhttp;

import static java.lang.System.Logger.Level.*;

import java.util.*;

/**
 * Passes events to a {@link System.Logger}, and so to the logging framework of the program:
 * <pre>{@code
 *   new EventLoop(options, new SystemLogger(System.getLogger("http")), handler)
 * }</pre>
 * Failures of the program or the machine, and handlers that answer too late, have the level WARNING;
 * everything that clients do, mistakes included, has the level DEBUG. The event {@code exchange} goes at
 * DEBUG to a second logger, here {@code http.access}, so that it can be switched on separately. An event that
 * the framework would not print is not built. The framework writes on the loop's thread, unless it is
 * configured otherwise. Control characters, which could forge a line, and characters beyond ASCII are
 * escaped. A cause with such a character in a message, also of its own causes and suppressed exceptions, is
 * replaced by an exception that prints the same stack trace, escaped. Several loops may share it.
 */
public final class SystemLogger implements Logger {

    /** The events that an operator must see; a client alone must not be able to cause any of them. */
    static final Set<String> WARNINGS = Set.of("accept_error", "body_error", "connection_error",
            "handler_error", "handler_timeout", "leave_timeout", "loop_blocked", "loop_error",
            "loop_interrupt", "publisher_error", "response_ignored", "response_ready_error", "turn_error");

    private final System.Logger logger, access;

    /** Makes a logger of the name {@code org.microhttp}. */
    public SystemLogger() { this(System.getLogger("org.microhttp")); }

    /**
     * Makes a logger.
     *
     * @param logger gets the events
     * @throws NullPointerException if the logger is null
     */
    public SystemLogger(System.Logger logger) {
        this.logger = Objects.requireNonNull(logger, "logger");
        access = System.getLogger(logger.getName() + ".access");
    }

    /** {@return whether warnings are wanted, or exchanges} */
    @Override
    public boolean enabled() { return logger.isLoggable(WARNING) || access.isLoggable(DEBUG); }

    /** {@return whether the framework would print an event of that name} */
    @Override
    public boolean enabled(String event) { return target(event).isLoggable(level(event)); }

    @Override
    public void log(Exception cause, LogEntry... entries) { log((Throwable) cause, entries); }

    @Override
    public void log(Throwable cause, LogEntry... entries) {
        String event = entries[0].value();
        var text = new StringBuilder();
        DebugLogger.append(text, entries);
        target(event).log(level(event), text.substring(1), EscapedCause.of(cause));
    }

    private System.Logger target(String event) { return event.equals("exchange") ? access : logger; }

    private static System.Logger.Level level(String event) {
        return WARNINGS.contains(event) ? WARNING : DEBUG;
    }
}
