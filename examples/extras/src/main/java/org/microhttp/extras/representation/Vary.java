package org.microhttp.extras.representation;

import java.util.stream.Stream;
import org.microhttp.Response;

/** Says on which fields of a request a response depends, so that caches keep one response per value. */
public final class Vary {

    private Vary() {
    }

    /**
     * Adds a name to Vary (RFC 9110 §12.5.5), unless Vary has the name or an asterisk.
     *
     * @param name     the name of the request's field, such as {@code Origin}
     * @param response that depends on it
     * @return a copy with one more field; the same response if nothing is to be added
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
