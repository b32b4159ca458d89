package org.microhttp.extras.representation;

import java.util.stream.Stream;
import org.microhttp.Response;

/** Says in a response which fields of a request it depends on, so that caches keep one for each value. */
public final class Vary {

    private Vary() {
    }

    /**
     * Adds a field to Vary (RFC 9110 §12.5.5), unless it is there, or an asterisk is.
     *
     * @param name     the name of the request's field, such as {@code Origin}
     * @param response that depends on it
     * @return a copy with one more field; the same response if it has the name already
     */
    public static Response on(String name, Response response) {
        boolean varies = response.headers().stream()
                .filter(field -> field.name().equalsIgnoreCase("Vary"))
                .flatMap(field -> Stream.of(field.value().split(",")))
                .map(String::strip)
                .anyMatch(known -> known.equals("*") || known.equalsIgnoreCase(name));
        return varies ? response : response.withAddedHeader("Vary", name);
    }
}
