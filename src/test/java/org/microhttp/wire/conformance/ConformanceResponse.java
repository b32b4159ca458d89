package org.microhttp.wire.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.microhttp.Header;

/** A response taken from a connection, one character a byte; incomplete only if the connection ended. */
record ConformanceResponse(int status, List<Header> headers, String body, Framing framing, boolean complete,
                           int length) {

    /** How the body's end is found. */
    enum Framing { NONE, LENGTH, CHUNKED, CLOSE }

    /** What came is no HTTP response. */
    static final class Garbage extends Exception {

        private static final long serialVersionUID = 1;
    }

    private static final Pattern STATUS_LINE = Pattern.compile("HTTP/\\d\\.\\d (\\d{3})(?: .*)?");

    /** Takes the first response of a text, or null when more is needed. */
    static ConformanceResponse parse(String text, String method, boolean ended) throws Garbage {
        if (!"HTTP/".startsWith(text.substring(0, Math.min(text.length(), 5)))) {
            throw new Garbage();
        }
        int end = text.indexOf("\r\n\r\n");
        if (end < 0) {
            return null;
        }
        String[] lines = text.substring(0, end).split("\r\n");
        Matcher statusLine = STATUS_LINE.matcher(lines[0]);
        if (!statusLine.matches()) {
            throw new Garbage();
        }
        var headers = new ArrayList<Header>();
        for (int i = 1; i < lines.length; i++) {
            int colon = (lines[i] + ":").indexOf(':');
            headers.add(new Header(lines[i].substring(0, colon), lines[i].substring(colon + 1).strip()));
        }
        int status = Integer.parseInt(statusLine.group(1));
        var head = new ConformanceResponse(status, headers, "", Framing.NONE, true, end + 4);
        return head.withBody(text, method, ended);
    }

    private ConformanceResponse withBody(String text, String method, boolean ended) throws Garbage {
        String size = header("Content-Length");
        String coding = header("Transfer-Encoding");
        if (status < 200 || status == 204 || status == 304 || method.equals("HEAD")) {
            return this;
        } else if (coding != null && coding.toLowerCase(Locale.ROOT).contains("chunked")) {
            return withChunks(text, ended);
        } else if (size == null) {
            return ended ? with(Framing.CLOSE, text.substring(length), true, text.length()) : null;
        } else if (!size.matches("\\d{1,9}")) {
            throw new Garbage();
        }
        int end = length + Integer.parseInt(size);
        if (end <= text.length()) {
            return with(Framing.LENGTH, text.substring(length, end), true, end);
        }
        return ended ? with(Framing.LENGTH, text.substring(length), false, text.length()) : null;
    }

    private ConformanceResponse withChunks(String text, boolean ended) throws Garbage {
        var body = new StringBuilder();
        int at = length;
        for (int line; (line = text.indexOf("\r\n", at)) >= 0; ) {
            String size = text.substring(at, line).replaceFirst(";.*", "").strip();
            if (!size.matches("[0-9A-Fa-f]{1,7}")) {
                throw new Garbage();
            }
            int end = line + 2 + Integer.parseInt(size, 16);
            if (end == line + 2) {
                int last = text.startsWith("\r\n", end) ? end : text.indexOf("\r\n\r\n", end) + 2;
                return last < end ? cut(body, text, ended)
                        : with(Framing.CHUNKED, body.toString(), true, last + 2);
            }
            if (end + 2 > text.length()) {
                break;
            }
            body.append(text, line + 2, end);
            at = end + 2;
        }
        return cut(body, text, ended);
    }

    private ConformanceResponse cut(CharSequence body, String text, boolean ended) {
        return ended ? with(Framing.CHUNKED, body.toString(), false, text.length()) : null;
    }

    private ConformanceResponse with(Framing framing, String body, boolean complete, int length) {
        return new ConformanceResponse(status, headers, body, framing, complete, length);
    }

    /** All values of the fields of that name, as a list, or null. */
    String header(String name) {
        List<String> values = headers.stream().filter(header -> header.name().equalsIgnoreCase(name))
                .map(Header::value).toList();
        return values.isEmpty() ? null : String.join(", ", values);
    }

    boolean isInterim() {
        return status >= 100 && status < 200 && status != 101;
    }

}
