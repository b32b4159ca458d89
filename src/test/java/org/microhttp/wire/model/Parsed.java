package org.microhttp.wire.model;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.microhttp.Header;
import org.microhttp.Request;

/**
 * A request as tests compare it: everything a handler sees in one text, and whether the connection
 * persists.
 */
public record Parsed(String method, String text, boolean persistent) {

    public static Parsed of(Request request, boolean persistent) {
        return new Parsed(request.method(), describe(request), persistent);
    }

    static Parsed of(String method, String target, String version, List<Header> fields, String body,
                     boolean persistent) {
        return new Parsed(method, describe(method, target, version, fields, body), persistent);
    }

    /** What the echo handler answers. */
    public static String describe(Request request) {
        return describe(request.method(), request.uri(), request.version(), request.headers(),
                new String(request.body(), StandardCharsets.ISO_8859_1));
    }

    private static String describe(String method, String target, String version, List<Header> fields,
                                   String body) {
        var text = new StringBuilder(method + " " + target + " " + version + "\n");
        fields.forEach(field -> text.append(field.name()).append(':').append(field.value()).append('\n'));
        return text.append('\n').append(body).toString();
    }
}
