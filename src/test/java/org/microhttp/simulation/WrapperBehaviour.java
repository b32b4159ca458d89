package org.microhttp.simulation;

import java.util.ArrayList;
import java.util.List;
import org.microhttp.Header;
import org.microhttp.Response;

/** What a handler does with the response of a handler inside it. */
enum WrapperBehaviour {

    NONE, ADDS, REPLACES, REMOVES,

    /** Gives another response instead, or fails; the one inside is released with what is given. */
    GIVES_ANOTHER,

    /** The same, and releases the one inside by hand. */
    RELEASES;

    private static final List<Header> OLD = List.of(new Header("X-Old", "one"), new Header("x-old", "two"));
    private static final Header CLOSE = new Header("Connection", "close");
    private static final String NEW = "X-OLD", VALUE = "three";

    /** Whether the response that is given is a copy. */
    boolean copies() {
        return this == ADDS || this == REPLACES || this == REMOVES;
    }

    /** Whether it is the copy that has "close", or the one inside that has a "close" the copy has not. */
    private boolean changesConnection(HandlerPlan reply) {
        return reply.closing() ? this == ADDS : this == REMOVES;
    }

    /** The fields of the response inside. */
    List<Header> inside(HandlerPlan reply) {
        var fields = new ArrayList<Header>(4);
        fields.add(new Header("X-Id", reply.id()));
        if (copies()) fields.addAll(OLD);
        if (reply.closing() != changesConnection(reply)) fields.add(CLOSE);
        return fields;
    }

    /** The response that is given. */
    Response around(Response inside, HandlerPlan reply) {
        return switch (this) {
            case NONE, GIVES_ANOTHER, RELEASES -> inside;
            case ADDS -> {
                Response more = inside.withAddedHeader(NEW, VALUE);
                yield reply.closing() ? more.withAddedHeader(CLOSE.name(), CLOSE.value()) : more;
            }
            case REPLACES -> inside.withHeader(NEW, VALUE);
            case REMOVES -> {
                Response less = inside.withoutHeader(NEW);
                yield reply.closing() ? less : less.withoutHeader("CONNECTION");
            }
        };
    }

    /** The field lines of a planned answer, as its client must see them, but for those of the server. */
    List<String> lines(HandlerPlan reply) {
        var lines = new ArrayList<String>(4);
        lines.add("X-Id: " + reply.id());
        if (this == ADDS) OLD.forEach(field -> lines.add(field.name() + ": " + field.value()));
        lines.addAll(added());
        return lines;
    }

    /** Those that the copy has more. */
    List<String> added() {
        return this == ADDS || this == REPLACES ? List.of(NEW + ": " + VALUE) : List.of();
    }
}
