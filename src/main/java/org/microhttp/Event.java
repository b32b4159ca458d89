package org.microhttp;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import java.lang.System.Logger.Level;
import java.util.*;
import java.util.stream.*;
import org.microhttp.protocol.Refusal;

/**
 * Every event, with its level and the keys of its entries after {@code event}, in their order. By default the
 * level is DEBUG, and the only key {@code id}. The name in lower case is the event's name in the log. Some
 * events also have a cause. The page {@code events.md} explains the events; a test compares it with this
 * list.
 * <p>
 * A new event is a line here and a call of {@link EventLog} where it happens. It is a WARNING if an operator
 * must see it; a client alone must not be able to cause a warning.
 */
enum Event {

    // events of the loop
    LISTEN("local_address"),
    OPTION_SKIPPED("option"),
    ACCEPT_ERROR(WARNING, ""),
    UNTRUSTED("remote_address"),
    ACCEPT_PAUSE("connections"),
    ACCEPT_RESUME("connections"),
    LEAVE("connections"),
    LEAVE_TIMEOUT(WARNING, "requests"),
    LOOP_BLOCKED(WARNING, "millis"),
    LOOP_INTERRUPT(WARNING, "connections"),
    TURN_ERROR(WARNING, ""),
    LOOP_ERROR(WARNING, ""),

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
    CONNECTION_ERROR(WARNING, "id"),
    CLOSE,

    // events of a request
    HANDLER_ERROR(WARNING, "id peer method target"),
    BODY_ERROR(WARNING, "id peer method target"),
    PUBLISHER_ERROR(WARNING, "id peer method target"),
    RESPONSE_READY_ERROR(WARNING, "id peer method target"),
    RESPONSE_IGNORED(WARNING, "id peer method target"),
    RESPONSE_LATE("id peer method target"),
    OVERLOAD("id peer method target"),
    EXCHANGE("id peer method target version status bytes nanos code"),

    // events of a refused request
    REFUSE("id peer method target status code rule"),
    EXCEED_REQUEST_MAX_CLOSE("id peer method target status code rule"),
    REQUEST_TIMEOUT("id peer method target status code rule"),
    HANDLER_TIMEOUT(WARNING, "id peer method target status code rule"),
    // this has only the id if it concerns no request that is being received
    SOCKET_TIMEOUT("id peer method target status code rule");

    private static final Map<String, Event> NAMED =
            Stream.of(values()).collect(Collectors.toMap(event -> event.text, event -> event));

    final String text = name().toLowerCase(Locale.ROOT);
    final Level level;
    final List<String> keys;

    Event() { this("id"); }

    Event(String keys) { this(DEBUG, keys); }

    Event(Level level, String keys) {
        this.level = level;
        this.keys = List.of(("event " + keys).split(" "));
    }

    /** Returns the level of the event of a name; DEBUG if the name is not the library's. */
    static Level level(String name) {
        Event event = NAMED.get(name);
        return event == null ? DEBUG : event.level;
    }

    /**
     * Returns the event that logs a refusal; a failed handler, and most overloads, have events of their own.
     */
    static Event of(Refusal why) {
        if (why == Refusal.REQUEST_TOO_LARGE) return EXCEED_REQUEST_MAX_CLOSE;
        return why.isTimeout() ? valueOf(why.name()) : REFUSE;
    }
}
