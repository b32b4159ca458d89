package org.microhttp;

import java.util.*;
import org.microhttp.protocol.Refusal;

/**
 * Every event, with the keys of its entries after {@code event}, in their order; without keys it has {@code
 * id} alone. The name in lower case is the event's name in the log. Some events also have a cause. The
 * page {@code events.md} explains them; a test compares.
 * <p>
 * A new event is a line here and a call of {@link EventLog} where it happens. If an operator must see it, it
 * is also listed in {@link SystemLogger#WARNINGS}.
 */
enum Event {

    // events of the loop
    LISTEN("local_address"),
    OPTION_SKIPPED("option"),
    ACCEPT_ERROR(""),
    UNTRUSTED("remote_address"),
    ACCEPT_PAUSE("connections"),
    ACCEPT_RESUME("connections"),
    LEAVE("connections"),
    LEAVE_TIMEOUT("requests"),
    LOOP_BLOCKED("millis"),
    LOOP_INTERRUPT("connections"),
    TURN_ERROR(""),
    LOOP_ERROR(""),

    // events of a connection
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
    OUT_OF_BUFFERS,
    CLOSE_AFTER_RESPONSE,
    LINGER,
    CONNECTION_ERROR,
    CLOSE,

    // events of a request
    HANDLER_ERROR("id peer method target"),
    BODY_ERROR("id peer method target"),
    PUBLISHER_ERROR("id peer method target"),
    RESPONSE_READY_ERROR("id peer method target"),
    RESPONSE_IGNORED("id peer method target"),
    RESPONSE_LATE("id peer method target"),
    OVERLOAD("id peer method target"),
    EXCHANGE("id peer method target version status bytes nanos code"),

    // events of a refused request
    REFUSE("id peer method target status code rule"),
    EXCEED_REQUEST_MAX_CLOSE("id peer method target status code rule"),
    REQUEST_TIMEOUT("id peer method target status code rule"),
    HANDLER_TIMEOUT("id peer method target status code rule"),
    // this has only the id if no request has begun, or if the client does not read
    SOCKET_TIMEOUT("id peer method target status code rule");

    final String text = name().toLowerCase(Locale.ROOT);
    final List<String> keys;

    Event() { this("id"); }

    Event(String keys) { this.keys = List.of(("event " + keys).split(" ")); }

    /** Returns what logs a refusal; a failed handler, and most overloads, have events of their own. */
    static Event of(Refusal why) {
        if (why == Refusal.REQUEST_TOO_LARGE) return EXCEED_REQUEST_MAX_CLOSE;
        return why.isTimeout() ? valueOf(why.name()) : REFUSE;
    }
}
