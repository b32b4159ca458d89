package org.microhttp.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.regex.Pattern;

/** A response as it came over the wire: its head up to and with the empty line, and its body. */
public record RawResponse(String head, byte[] body) {

    private static final Pattern DATE = Pattern.compile("Date: (?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-3][0-9] "
            + "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) 2[0-9]{3} "
            + "[0-2][0-9]:[0-5][0-9]:[0-6][0-9] GMT\r\n");

    /** The first response of a text, of which its length says where it ends; null where more is needed. */
    public static RawResponse first(String text, boolean toHead) {
        int end = text.indexOf("\r\n\r\n") + 4;
        if (end < 4) {
            assertTrue("HTTP/1.1 ".startsWith(text.substring(0, Math.min(text.length(), 9))), text);
            return null;
        }
        var response = new RawResponse(text.substring(0, end), new byte[0]);
        if (response.hasNoBody(toHead)) {
            return response;
        }
        String length = response.header("Content-Length");
        assertTrue(length != null && length.matches("[0-9]{1,9}"), response.head);
        int total = end + Integer.parseInt(length);
        return total > text.length() ? null
                : new RawResponse(response.head, text.substring(end, total).getBytes(ISO_8859_1));
    }

    /** Whether it ends with its head (RFC 9112 §6.3). */
    public boolean hasNoBody(boolean toHead) {
        int status = status();
        return toHead || status < 200 || status == 204 || status == 304;
    }

    public int length() {
        return head.length() + body.length;
    }

    public int status() {
        if (!head.matches("(?s)HTTP/1\\.1 [1-5][0-9]{2} [^\r\n]*\r\n.*")) {
            throw new AssertionError("not a status line: " + head);
        }
        return Integer.parseInt(head.substring(9, 12));
    }

    /** The value of the first field of that name, or null. */
    public String header(String name) {
        var matcher = Pattern.compile("(?i)\r\n" + Pattern.quote(name) + ":[ \t]*([^\r\n]*?)[ \t]*\r\n")
                .matcher(head);
        return matcher.find() ? matcher.group(1) : null;
    }

    public boolean closes() {
        return "close".equals(header("Connection"));
    }

    /** The code of a refusal; empty where there is none. */
    public String code() {
        return text().matches("(?s)[a-z_0-9]+: .*") ? text().substring(0, text().indexOf(':')) : "";
    }

    public String text() {
        return new String(body, ISO_8859_1);
    }

    @Override
    public String toString() {
        return head + body.length + " bytes " + code();
    }

    /** The whole response; its date, which has to be there and valid, is left out. */
    public String undated() {
        assertTrue(DATE.matcher(head).find(), "no valid date in " + head);
        return undated(head) + text();
    }

    /** Text without the dates in it. */
    public static String undated(String text) {
        return DATE.matcher(text).replaceAll("");
    }
}
