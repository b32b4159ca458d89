package org.microhttp.extras.events;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** Events as they are sent: a line for each field, and an empty line (HTML standard, section 9.2). */
final class EventText {

    /** What a client takes for the end of a line. Any that stays in a value would begin another field. */
    private static final Pattern LINE_END = Pattern.compile("\r\n|\r|\n");

    private EventText() {
    }

    /** {@return a line that means nothing, and an empty one} */
    static ByteBuffer comment() {
        return bytes(":\n\n");
    }

    /** {@return an event with that id instead of its own} */
    static ByteBuffer of(ServerEvent event, String id) {
        var lines = new StringBuilder();
        field(lines, "id", id);
        if (event.type() != null) {
            field(lines, "event", event.type());
        }
        if (event.retry() != null) {
            field(lines, "retry", "" + event.retry().toMillis());
        }
        // a client puts the lines together again; without one it would drop the event
        for (String line : LINE_END.split(event.data(), -1)) {
            field(lines, "data", line);
        }
        return bytes(lines.append('\n').toString());
    }

    /** The space is the one that a client removes, so that a value may begin with its own. */
    private static void field(StringBuilder lines, String name, String value) {
        lines.append(name).append(": ").append(value).append('\n');
    }

    private static ByteBuffer bytes(String text) {
        // encode() would make a buffer with room for more
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)).asReadOnlyBuffer();
    }
}
