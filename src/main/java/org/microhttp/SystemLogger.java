package org.microhttp;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import java.util.Objects;

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
    public boolean enabled(String event) { return target(event).isLoggable(Event.level(event)); }

    @Override
    public void log(Exception cause, LogEntry... entries) { log((Throwable) cause, entries); }

    @Override
    public void log(Throwable cause, LogEntry... entries) {
        String event = entries[0].value();
        var text = new StringBuilder();
        DebugLogger.append(text, entries);
        target(event).log(Event.level(event), text.substring(1), EscapedCause.of(cause));
    }

    private System.Logger target(String event) {
        return event.equals(Event.EXCHANGE.text) ? access : logger;
    }
}
