package org.microhttp.tools;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** A response as it came over the wire: its head up to and with the empty line, and its body. */
public record RawResponse(String head, byte[] body) {

    private static final Pattern DATE = Pattern.compile("Date: (?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-3][0-9] "
            + "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) 2[0-9]{3} "
            + "[0-2][0-9]:[0-5][0-9]:[0-6][0-9] GMT\r\n");

    public int status() {
        assertTrue(head.matches("(?s)HTTP/1\\.1 [1-5][0-9]{2} [^\r\n]*\r\n.*"), head);
        return Integer.parseInt(head.substring(9, 12));
    }

    /** The value of the first field of that name, or null. */
    public String header(String name) {
        var matcher = Pattern.compile("(?i)\r\n" + Pattern.quote(name) + ":[ \t]*([^\r\n]*?)[ \t]*\r\n")
                .matcher(head);
        return matcher.find() ? matcher.group(1) : null;
    }

    public String text() {
        return new String(body, StandardCharsets.ISO_8859_1);
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
