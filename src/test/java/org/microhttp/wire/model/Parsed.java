package org.microhttp.wire.model;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.microhttp.Header;
import org.microhttp.Request;

/**
 * A request as tests compare it: everything a handler sees, and whether the connection persists.
 *
 * @param fields as lines; none where a vector does not state them
 */
public record Parsed(String method, String target, String version, List<String> fields, String body,
                     boolean persistent) {

    public static Parsed of(Request request, boolean persistent) {
        return of(request.method(), request.target(), request.version(), request.headers(),
                new String(request.body(), StandardCharsets.ISO_8859_1), persistent);
    }

    static Parsed of(String method, String target, String version, List<Header> fields, String body,
                     boolean persistent) {
        List<String> lines = fields.stream().map(field -> field.name() + ": " + field.value()).toList();
        return new Parsed(method, target, version, lines, body, persistent);
    }

    /** The same with one more field line. */
    Parsed with(String field) {
        List<String> lines = Stream.concat(fields.stream(), Stream.of(field)).toList();
        return new Parsed(method, target, version, lines, body, persistent);
    }

    Parsed withoutFields() {
        return new Parsed(method, target, version, List.of(), body, persistent);
    }

    /** All but the last in one text, which a handler may answer. */
    public String text() {
        var text = new StringBuilder(method + " " + target + " " + version + "\n");
        fields.forEach(field -> text.append(field).append('\n'));
        return text.append('\n').append(body).toString();
    }
}
