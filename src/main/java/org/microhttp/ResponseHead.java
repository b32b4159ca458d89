package org.microhttp;

import static org.microhttp.Syntax.*;

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
     * Checks the fields, and renders them.
     *
     * @throws IllegalArgumentException if one of them breaks the rules that {@link Response} states
     */
    ResponseHead(Response response) {
        var lines = new StringBuilder(128).append("HTTP/1.1 ").append(response).append("\r\n");
        String length = null;
        var options = new ArrayList<String>();
        for (Header header : response.headers()) {
            String name = header.name();
            String value = header.value();
            Response.check(!name.isEmpty() && isAll(TOKEN, name), "field name", name, "a token");
            Response.checkText(name, value);
            if (header.isNamed("Content-Length")) {
                Response.check(value.matches("[0-9]{1,18}"), "Content-Length", value, "1 to 18 digits");
                length = length == null ? value : length;
            } else if (header.isNamed("Connection")) {
                addTokens(options, value);
            } else if (!header.isNamed("Transfer-Encoding")) {
                lines.append(name).append(": ").append(value).append("\r\n");
            }
        }
        closing = options.removeIf(option -> option.equalsIgnoreCase("close"));
        options.removeIf(option -> option.equalsIgnoreCase("keep-alive"));
        if (!options.isEmpty()) lines.append("Connection: " + String.join(", ", options) + "\r\n");
        dated = response.hasHeader("Date");
        int status = response.status();
        // 204 has no length, 205 has 0 (RFC 9110 §8.6, §15.3.6)
        String own = status == 204 ? null : "" + response.bodyLength();
        bytes = render(lines, status == 304 ? length : own);
        boolean same = length == null || status == 204 || status == 205;
        bytesForHead = same ? bytes : render(lines, length);
    }

    /** Connection = #connection-option, connection-option = token (RFC 9110 §7.6.1) */
    private static void addTokens(List<String> tokens, String connection) {
        for (String element : connection.split(",")) {
            String token = element.strip();
            Response.check(isAll(TOKEN, token), "Connection", element, "a list of tokens");
            if (!token.isEmpty()) tokens.add(token);
        }
    }

    private static byte[] render(StringBuilder lines, String length) {
        return octets(lines + (length == null ? "" : "Content-Length: " + length + "\r\n"));
    }
}
