package org.microhttp.faults.chaos;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Locale;

/** A response as a client got it: its head up to and with the empty line, and its body. */
public record ChaosResponse(String head, byte[] body) {

    public int status() {
        boolean valid = head.matches("(?s)HTTP/1\\.1 [1-5][0-9]{2} [^\r\n]*\r\n.*");
        return valid ? Integer.parseInt(head.substring(9, 12)) : 0;
    }

    /** The value of the first field of that name, or null. */
    String header(String name) {
        String wanted = "\r\n" + name.toLowerCase(Locale.ROOT) + ": ";
        int at = head.toLowerCase(Locale.ROOT).indexOf(wanted);
        int from = at + wanted.length();
        return at < 0 ? null : head.substring(from, head.indexOf("\r\n", from));
    }

    boolean closes() {
        return "close".equals(header("Connection"));
    }

    /** The code of a refusal; empty where there is none. */
    String code() {
        String text = new String(body, ISO_8859_1);
        return text.matches("(?s)[a-z_0-9]+: .*") ? text.substring(0, text.indexOf(':')) : "";
    }

    @Override
    public String toString() {
        return head.substring(0, Math.max(0, head.indexOf("\r\n"))) + ", id " + header("Id") + ", "
                + body.length + " bytes" + (closes() ? ", closes " : " ") + code();
    }
}
