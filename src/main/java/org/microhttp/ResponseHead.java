package org.microhttp;

import java.nio.charset.StandardCharsets;
import java.util.*;

/**
 * Status line and fields of a response as bytes, with Content-Length and the handler's own options of
 * Connection, but without the fields of each sending and the empty line. Rendered once, when the response is
 * made; safe for all loops. A field that every response is to have, Server say, is appended here, where the
 * handler gave none; one that changes is {@link ResponseTail}'s.
 */
final class ResponseHead {

    /** For all requests but HEAD, and for HEAD, where the handler's Content-Length stands. */
    private final byte[] bytes, bytesForHead;

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
        String connection = null;
        for (Header header : response.headers()) {
            String value = header.value();
            if (header.isNamed("Content-Length")) {
                length = length == null ? value : length;
            } else if (header.isNamed("Connection")) {
                connection = connection == null ? value : connection + "," + value;
            } else if (!header.isNamed("Transfer-Encoding")) {
                append(lines, header.name(), value);
            }
        }
        List<String> options = connection == null ? List.of() : tokens(connection);
        closing = remove("close", options);
        remove("keep-alive", options);
        if (!options.isEmpty()) append(lines, "Connection", String.join(", ", options));
        dated = response.hasHeader("Date");
        int status = response.status();
        bytes = render(lines, status == 304 ? length : ownLength(response));
        boolean same = length == null || status == 204 || status == 205;
        bytesForHead = same ? bytes : render(lines, length);
    }

    /** Connection = #connection-option, connection-option = token (RFC 9110 §7.6.1) */
    private static List<String> tokens(String connection) {
        byte[] bytes = connection.getBytes(StandardCharsets.ISO_8859_1);
        var tokens = new ArrayList<String>();
        var list = new FieldList(bytes, 0, bytes.length);
        while (list.next()) {
            boolean token = list.readToken() && list.readElementEnd();
            Response.check(token, "Connection", connection, "a list of tokens");
            tokens.add(list.token());
        }
        return tokens;
    }

    private static boolean remove(String option, List<String> options) {
        return !options.isEmpty() && options.removeIf(option::equalsIgnoreCase);
    }

    /** 204 has no length, 205 has 0 (RFC 9110 §8.6, §15.3.6). */
    private static String ownLength(Response response) {
        return response.status() == 204 ? null : Long.toString(response.bodyLength());
    }

    private static byte[] render(StringBuilder lines, String length) {
        int end = lines.length();
        if (length != null) append(lines, "Content-Length", length);
        byte[] head = lines.toString().getBytes(StandardCharsets.ISO_8859_1);
        lines.setLength(end);
        return head;
    }

    private static void append(StringBuilder lines, String name, String value) {
        lines.append(name).append(": ").append(value).append("\r\n");
    }

    /** What is sent in answer to HEAD, or to another method. */
    byte[] bytes(boolean forHead) { return forHead ? bytesForHead : bytes; }
}
