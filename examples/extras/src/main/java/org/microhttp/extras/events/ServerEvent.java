package org.microhttp.extras.events;

import java.time.Duration;
import java.util.Objects;

/**
 * An event for clients. For example:
 * <pre>{@code
 *   ServerEvent event = ServerEvent.of("{\"price\":12}").withType("price");
 * }</pre>
 * Safe for all threads.
 *
 * @param id    names the event when a client reconnects: 1 to 200 printable ASCII characters without spaces,
 *              because clients send the id in a request field; null for a number that the stream gives
 * @param type  the name that a page listens for: a text without CR, LF and NUL, 1 character or more; null
 *              for {@code message}
 * @param data  any text. A client gets each line break, CR LF, CR or LF, as LF, and each single surrogate as
 *              a question mark
 * @param retry how long a client waits before it reconnects, 0 to a day, in whole milliseconds; null to
 *              change nothing
 */
public record ServerEvent(String id, String type, String data, Duration retry) {

    private static final Duration MAX_RETRY = Duration.ofDays(1);

    /**
     * Makes an event.
     *
     * @param id see above
     * @param type see above
     * @param data see above
     * @param retry see above
     * @throws IllegalArgumentException if id, type or retry is not as above
     * @throws NullPointerException     if the data is null
     */
    public ServerEvent {
        Objects.requireNonNull(data, "data");
        check(id == null || id.matches("[!-~]{1,200}"),
                "an id has 1 to 200 printable ASCII characters, and no space");
        check(type == null || type.matches("[^\r\n\0]+"),
                "a type has a character or more, and no CR, LF or NUL");
        check(retry == null || !retry.isNegative() && retry.compareTo(MAX_RETRY) <= 0,
                "retry is 0 to a day");
    }

    private static void check(boolean valid, String rule) {
        if (!valid) {
            throw new IllegalArgumentException(rule);
        }
    }

    /**
     * Makes an event that has only data.
     *
     * @param data any text
     * @return the event
     * @throws NullPointerException if the data is null
     */
    public static ServerEvent of(String data) {
        return new ServerEvent(null, null, data, null);
    }

    /**
     * Copies the event with this id.
     *
     * @param id as above
     * @return the copy
     * @throws IllegalArgumentException if the id is not as above
     */
    public ServerEvent withId(String id) {
        return new ServerEvent(id, type, data, retry);
    }

    /**
     * Copies the event with this type.
     *
     * @param type as above
     * @return the copy
     * @throws IllegalArgumentException if the type is not as above
     */
    public ServerEvent withType(String type) {
        return new ServerEvent(id, type, data, retry);
    }

    /**
     * Copies the event with a time before a client reconnects.
     *
     * @param retry as above
     * @return the copy
     * @throws IllegalArgumentException if the time is not as above
     */
    public ServerEvent withRetry(Duration retry) {
        return new ServerEvent(id, type, data, retry);
    }
}
