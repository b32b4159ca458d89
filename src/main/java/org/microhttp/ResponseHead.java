package org.microhttp;

import java.util.*;

/**
 * Status line and fields of a response as bytes, with Content-Length and the handler's own options of
 * Connection, but without the fields of each sending and the empty line. Rendered once, when the response is
 * made; safe for all loops. A field that every response is to have, Server say, is appended here, where the
 * handler gave none; one that changes is {@link ResponseTail}'s.
 */
final class ResponseHead {

    /** For all requests but HEAD, and for HEAD, where the handler's Content-Length stands. */
    final byte[] bytes, bytesForHead;

    /** Whether the handler asks for the connection to be closed after this, and whether it gave a Date. */
    final boolean closing, dated;

    /**
     * Renders fields that were checked.
     *
     * @throws IllegalArgumentException if Connection is not a list of tokens
     */
    ResponseHead(Response response) {
        var lines = new StringBuilder(128);
        lines.append("HTTP/1.1 ").append(response.status()).append(' ').append(response.reason());
        lines.append("\r\n");
        String length = null;
        String connection = "";
        for (Header header : response.headers()) {
            String value = header.value();
            if (header.isNamed("Content-Length")) {
                length = length == null ? value : length;
            } else if (header.isNamed("Connection")) {
                connection += "," + value;
            } else if (!header.isNamed("Transfer-Encoding")) {
                append(lines, header.name(), value);
            }
        }
        List<String> options = tokens(connection);
        closing = options.removeIf(option -> option.equalsIgnoreCase("close"));
        options.removeIf(option -> option.equalsIgnoreCase("keep-alive"));
        if (!options.isEmpty()) append(lines, "Connection", String.join(", ", options));
        dated = response.hasHeader("Date");
        int status = response.status();
        // 204 has no length, 205 has 0 (RFC 9110 §8.6, §15.3.6)
        String own = status == 204 ? null : "" + response.bodyLength();
        bytes = render(lines, status == 304 ? length : own);
        boolean same = length == null || status == 204 || status == 205;
        bytesForHead = same ? bytes : render(lines, length);
    }

    /** Connection = #connection-option, connection-option = token (RFC 9110 §7.6.1) */
    private static List<String> tokens(String connection) {
        var tokens = new ArrayList<String>();
        for (String element : connection.split(",")) {
            String token = element.strip();
            Response.check(Syntax.isAll(Syntax.TOKEN, token), "Connection", element, "a list of tokens");
            if (!token.isEmpty()) tokens.add(token);
        }
        return tokens;
    }

    private static byte[] render(StringBuilder lines, String length) {
        int end = lines.length();
        if (length != null) append(lines, "Content-Length", length);
        byte[] head = Syntax.octets(lines.toString());
        lines.setLength(end);
        return head;
    }

    private static void append(StringBuilder lines, String name, String value) {
        lines.append(name).append(": ").append(value).append("\r\n");
    }
}
