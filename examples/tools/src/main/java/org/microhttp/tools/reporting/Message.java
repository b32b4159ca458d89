package org.microhttp.tools.reporting;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.microhttp.Header;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.extras.representation.Reason;

/**
 * A request or a response, shown as far as the verbosity says: with 1 the start line, with 2 also the fields,
 * with 3 also the body, with 4 every byte. Each byte is a character.
 */
record Message(String startLine, List<Header> fields, byte[] body) {

    private static final byte[] NO_BODY = {};

    /** The statuses of responses that never have a body (RFC 9110 §6.4.1). */
    private static final Set<Integer> WITHOUT_BODY = Set.of(204, 205, 304);

    /** A message of which the start line alone is known. */
    static Message of(String startLine) {
        return new Message(startLine, List.of(), NO_BODY);
    }

    static Message of(Request request) {
        return new Message(request.toString(), request.headers(), request.body());
    }

    /** A response that the server has made itself. */
    static Message of(int status) {
        return of(statusLine(status, Reason.of(status)));
    }

    /** A response as the handler gave it, with the body if one is sent and it is an array. */
    static Message of(Response response, boolean toHead) {
        boolean sent = !toHead && !WITHOUT_BODY.contains(response.status());
        return new Message(statusLine(response.status(), response.reason()), response.headers(),
                sent ? array(response) : NO_BODY);
    }

    private static String statusLine(int status, String reason) {
        return "HTTP/1.1 " + status + " " + reason;
    }

    private static byte[] array(Response response) {
        try {
            return response.body().bytes();
        } catch (UnsupportedOperationException e) {
            // a file, for example
            return NO_BODY;
        }
    }

    private String bodyText() {
        return new String(body, StandardCharsets.ISO_8859_1);
    }

    private static String line(Header field) {
        return field.name() + ": " + field.value();
    }

    private String bytes() {
        var bytes = new StringBuilder(startLine).append("\r\n");
        fields.forEach(field -> bytes.append(line(field)).append("\r\n"));
        return bytes.append("\r\n").append(bodyText()).toString();
    }

    /** Lines for people, with all characters printable. The body follows an empty line. */
    List<String> lines(int verbosity) {
        List<String> lines = new ArrayList<>(List.of(VisibleBytes.printable(startLine)));
        if (verbosity == 4) {
            lines.addAll(VisibleBytes.dump(bytes()));
        }
        if (verbosity == 2 || verbosity == 3) {
            fields.forEach(field -> lines.add(VisibleBytes.printable(line(field))));
        }
        String text = verbosity == 3 ? bodyText() : "";
        if (!text.isEmpty()) {
            lines.add("");
            // a line feed ends a line, so the last one begins no other
            String shown = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
            Arrays.stream(shown.split("\n", -1)).map(VisibleBytes::printable).forEach(lines::add);
        }
        return lines;
    }

    /** The same for machines. */
    Map<String, Object> members(int verbosity) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("start_line", startLine);
        if (verbosity >= 2) {
            members.put("fields",
                    fields.stream().map(field -> List.of(field.name(), field.value())).toList());
        }
        if (verbosity >= 3) {
            members.put("body", bodyText());
        }
        if (verbosity >= 4) {
            members.put("octets", VisibleBytes.hexadecimal(bytes()));
        }
        return members;
    }
}
