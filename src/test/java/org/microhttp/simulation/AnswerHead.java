package org.microhttp.simulation;

import java.nio.charset.StandardCharsets;
import java.util.*;

/**
 * The head of an answer as the server sends it.
 *
 * @param fields the first of each name, by their names in lower case
 * @param lines  of all fields but those that the server adds itself, in their order
 */
record AnswerHead(int status, String reason, Map<String, String> fields, List<String> lines) {

    private static final Set<String> OWN = Set.of("connection", "content-length", "date");

    /** Reads it strictly: CRLF, one space behind a colon, no field twice that the server adds. */
    static AnswerHead parse(byte[] head, int length) {
        String text = new String(head, 0, length, StandardCharsets.ISO_8859_1);
        String[] lines = text.substring(0, length - 4).split("\r\n", -1);
        if (!lines[0].startsWith("HTTP/1.1 ") || lines[0].length() < 13 || lines[0].charAt(12) != ' ') {
            throw new Broken("no status line: " + lines[0]);
        }
        var fields = new HashMap<String, String>();
        var others = new ArrayList<String>(4);
        for (int i = 1; i < lines.length; i++) {
            int colon = lines[i].indexOf(": ");
            if (colon < 1) throw new Broken("no field: " + lines[i]);
            String name = lines[i].substring(0, colon).toLowerCase(Locale.ROOT);
            boolean known = fields.putIfAbsent(name, lines[i].substring(colon + 2)) != null;
            if (!OWN.contains(name)) {
                others.add(lines[i]);
            } else if (known) {
                throw new Broken("twice: " + name);
            }
        }
        int status = Integer.parseInt(lines[0].substring(9, 12));
        return new AnswerHead(status, lines[0].substring(13), fields, others);
    }

    boolean isClosing() {
        return "close".equals(fields.get("connection"));
    }

    boolean isInterim() {
        return status == 100;
    }

    /** The length that it states; -1 for none. */
    long length() {
        String length = fields.get("content-length");
        return length == null ? -1 : Long.parseLong(length);
    }
}
