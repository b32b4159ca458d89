package org.microhttp;

import java.util.Locale;

/**
 * Every event that a loop reports, by the name it has in lower case, but those of refusals, which
 * {@link Refusal} names, and the few that have more to tell, which {@link EventLog} names. With it comes one
 * value, whose key stands here, or a cause, or nothing.
 * <p>
 * A new event is a line here and a call of {@link EventLog} where it happens; one of which somebody has to
 * know is listed in {@link SystemLogger#WARNINGS}, too, and each in {@code doc-files/events.md}, which a test
 * compares.
 */
enum Event {

    // the loop's own
    LISTEN("local_address"),
    OPTION_SKIPPED("option"),
    ACCEPT_ERROR,
    UNTRUSTED("remote_address"),
    ACCEPT_PAUSE("connections"),
    ACCEPT_RESUME("connections"),
    LEAVE("connections"),
    LEAVE_TIMEOUT("requests"),
    TURN_ERROR,
    LOOP_ERROR,

    // a connection's
    ACCEPT("remote_address"),
    READ_BYTES("num_bytes"),
    READ_CLOSE,
    READ_ERROR,
    PIPELINE_REQUEST,
    HANDLER_INTERRUPT,
    RESPONSE_READY("status"),
    WRITE("num_bytes"),
    WRITE_ERROR,
    CLOSE_AFTER_RESPONSE,
    LINGER,
    // the same name as that of a refusal, which has further entries: this one is without an answer
    SOCKET_TIMEOUT,
    CONNECTION_ERROR,
    CLOSE,

    // about a request, which is named with it
    HANDLER_ERROR,
    BODY_ERROR,
    RESPONSE_READY_ERROR,
    RESPONSE_IGNORED,
    OVERLOAD;

    final String text = name().toLowerCase(Locale.ROOT);

    /** Of its value; null if it has none, but perhaps a cause. */
    final String key;

    Event() { this(null); }

    Event(String key) { this.key = key; }
}
