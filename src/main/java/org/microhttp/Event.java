package org.microhttp;

import java.util.*;

/**
 * Every event, by the name that it has in lower case, and the keys of its entries after {@code event}, in
 * their order, or {@code id} alone; {@code doc-files/events.md} says what they mean, and a test compares.
 * Some have a cause, too.
 * <p>
 * A new event is a line here and a call of {@link EventLog} where it happens. If an operator has to know of
 * it, it is also listed in {@link SystemLogger#WARNINGS}.
 */
enum Event {

    // of the loop
    LISTEN("local_address"),
    OPTION_SKIPPED("option"),
    ACCEPT_ERROR(""),
    UNTRUSTED("remote_address"),
    ACCEPT_PAUSE("connections"),
    ACCEPT_RESUME("connections"),
    LEAVE("connections"),
    LEAVE_TIMEOUT("requests"),
    LOOP_BLOCKED("millis"),
    TURN_ERROR(""),
    LOOP_ERROR(""),

    // of a connection
    ACCEPT("id remote_address"),
    READ_BYTES("id num_bytes"),
    READ_CLOSE,
    READ_ERROR,
    READ_REQUEST("id request"),
    PIPELINE_REQUEST,
    HANDLER_INTERRUPT,
    RESPONSE_READY("id status"),
    WRITE_RESPONSE("id status"),
    WRITE("id num_bytes"),
    WRITE_ERROR,
    CLOSE_AFTER_RESPONSE,
    LINGER,
    CONNECTION_ERROR,
    CLOSE,

    // of a request
    HANDLER_ERROR("id peer method target"),
    BODY_ERROR("id peer method target"),
    PUBLISHER_ERROR("id peer method target"),
    RESPONSE_READY_ERROR("id peer method target"),
    RESPONSE_IGNORED("id peer method target"),
    OVERLOAD("id peer method target"),
    EXCHANGE("id peer method target version status bytes nanos code fields"),

    // of a request that is refused
    REFUSE("id peer method target status code rule"),
    EXCEED_REQUEST_MAX_CLOSE("id peer method target status code rule"),
    REQUEST_TIMEOUT("id peer method target status code rule"),
    HANDLER_TIMEOUT("id peer method target status code rule"),
    // the first keys also of a connection on which no request has begun, or whose client does not read
    SOCKET_TIMEOUT("id peer method target status code rule");

    final String text = name().toLowerCase(Locale.ROOT);
    final List<String> keys;

    Event() { this("id"); }

    Event(String keys) { this.keys = List.of(("event " + keys).split(" ")); }
}
