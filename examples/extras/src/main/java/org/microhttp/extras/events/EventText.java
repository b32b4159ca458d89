package org.microhttp.extras.events;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** Events as they are sent: a line for each field, and an empty line (HTML standard, section 9.2). */
final class EventText {

    /** A line end, as clients read it. If one stays in a value, it begins another field. */
    private static final Pattern LINE_END = Pattern.compile("\r\n|\r|\n");

    private EventText() {
    }

    /** {@return a comment line, which clients ignore, and an empty line} */
    static ByteBuffer comment() {
        return bytes(":\n\n");
    }

    /** {@return an event with this id instead of its own} */
    static ByteBuffer of(ServerEvent event, String id) {
        var lines = new StringBuilder();
        field(lines, "id", id);
        if (event.type() != null) {
            field(lines, "event", event.type());
        }
        if (event.retry() != null) {
            field(lines, "retry", "" + event.retry().toMillis());
        }
        // a client joins the data lines again; without any it would drop the event
        for (String line : LINE_END.split(event.data(), -1)) {
            field(lines, "data", line);
        }
        return bytes(lines.append('\n').toString());
    }

    /** A client removes one space after the colon, so that a value may begin with another. */
    private static void field(StringBuilder lines, String name, String value) {
        lines.append(name).append(": ").append(value).append('\n');
    }

    private static ByteBuffer bytes(String text) {
        // encode() would make a buffer with unused space
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)).asReadOnlyBuffer();
    }
}
