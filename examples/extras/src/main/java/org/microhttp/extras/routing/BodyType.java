package org.microhttp.extras.routing;

import java.util.List;
import java.util.Locale;
import org.microhttp.Request;

/** The media type of a request's body, without its parameters (RFC 9110 §8.3). */
final class BodyType {

    private BodyType() {
    }

    /**
     * Throws a 415 (RFC 9110 §15.5.16) if the type is none of those allowed, is missing or is given twice.
     *
     * @param allowed in lower case
     */
    static void check(Request request, List<String> allowed) {
        List<String> types = request.values("Content-Type");
        String type = String.join(", ", types);
        String essence = type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        if (types.size() != 1 || !allowed.contains(essence)) {
            String given = types.isEmpty() ? "missing" : Parameters.shown(type);
            throw new RequestException(415,
                    "the type of the body is " + given + "; allowed: " + String.join(", ", allowed));
        }
    }
}
