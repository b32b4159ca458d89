package org.microhttp;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.*;

/**
 * A complete response. Immutable but for the body array, which is not copied and must not be changed
 * afterwards. One response may be sent any number of times and by several loops: status line and fields are
 * rendered once, here.
 * <p>
 * The server adds {@code Date} unless one is given, {@code Content-Length}, and {@code Connection} where it
 * is needed. Of the fields given it drops {@code Transfer-Encoding}; it replaces {@code Content-Length} by
 * the body's length, except where no body is sent that could be measured: in answers to HEAD, and in 304. In
 * {@code Connection}, "close" closes the connection after this response, and "keep-alive" means nothing. The
 * answers to HEAD, 204, 205 and 304 have no body, whatever is given here (RFC 9110 §9.3.2, §15.3.5, §15.3.6,
 * §15.4.5).
 */
public final class Response {

    private final int status;
    private final String reason;
    private final List<Header> headers;
    private final byte[] body, head, headForHead;

    /** Whether the handler asks for the connection to be closed after this, and whether it gave a Date. */
    final boolean closing, dated;

    /**
     * Makes a response and checks all that will reach the wire.
     *
     * @param status  200 to 599
     * @param reason  the reason phrase, possibly empty: tab, 0x20 to 0x7E, 0x80 to 0xFF, no white space at
     *                its ends
     * @param headers the fields in order; copied. Names are tokens (RFC 9110 §5.6.2), values are as the
     *                reason
     * @param body    the body, empty for none; not copied
     * @throws IllegalArgumentException if one of them breaks these rules, a Content-Length is not 1 to 18
     *                                  digits, or Connection not a list of tokens
     * @throws NullPointerException     if an argument or a header is null
     */
    public Response(int status, String reason, List<Header> headers, byte[] body) {
        this.status = status; this.reason = Objects.requireNonNull(reason, "reason");
        this.headers = List.copyOf(headers);
        this.body = Objects.requireNonNull(body, "body");
        check(status >= 200 && status <= 599, "status", status, "200 to 599");
        checkText("reason", reason);
        var lines = new StringBuilder(128);
        lines.append("HTTP/1.1 ").append(status).append(' ').append(reason).append("\r\n");
        var options = new ArrayList<String>();
        String length = null;
        for (Header header : this.headers) {
            check(header);
            String value = header.value();
            if (header.isNamed("Content-Length")) length = length == null ? value : length;
            else if (header.isNamed("Connection")) addOptions(options, value);
            else if (!header.isNamed("Transfer-Encoding"))
                lines.append(header.name()).append(": ").append(value).append("\r\n");
        }
        closing = options.removeIf("close"::equalsIgnoreCase);
        options.removeIf("keep-alive"::equalsIgnoreCase);
        if (!options.isEmpty()) lines.append("Connection: " + String.join(", ", options) + "\r\n");
        dated = hasHeader("Date");
        head = render(lines, status == 304 ? length : ownLength());
        headForHead = length == null || status == 204 || status == 205 ? head : render(lines, length);
    }

    /** Connection = #connection-option, connection-option = token (RFC 9110 §7.6.1) */
    private static void addOptions(List<String> options, String value) {
        byte[] bytes = value.getBytes(StandardCharsets.ISO_8859_1);
        var list = new FieldList(bytes, 0, bytes.length);
        while (list.next()) {
            check(list.readToken() && list.readElementEnd(), "Connection", value, "a list of tokens");
            options.add(list.token());
        }
    }

    /** 204 has no length, 205 has 0 (RFC 9110 §8.6, §15.3.6). */
    private String ownLength() { return status == 204 ? null : status == 205 ? "0" : "" + body.length; }

    private static byte[] render(StringBuilder lines, String length) {
        int end = lines.length();
        if (length != null) lines.append("Content-Length: ").append(length).append("\r\n");
        byte[] head = lines.toString().getBytes(StandardCharsets.ISO_8859_1);
        lines.setLength(end);
        return head;
    }

    private static void check(Header header) {
        boolean token = !header.name().isEmpty() && Syntax.isAll(Syntax.TOKEN, header.name());
        check(token, "field name", header.name(), "a token");
        checkText(header.name(), header.value());
        boolean number = !header.isNamed("Content-Length") || header.value().matches("[0-9]{1,18}");
        check(number, "Content-Length", header.value(), "1 to 18 digits");
    }

    /** Above 0xFF is refused too: a cast of U+010D U+010A to bytes would be a line break. */
    private static void checkText(String what, String text) {
        check(text.equals(text.strip()) && Syntax.isAll(Syntax.TEXT, text), what, text,
                "tab, 0x20 to 0x7E and 0x80 to 0xFF, without white space at its ends");
    }

    private static void check(boolean valid, String what, Object given, String allowed) {
        if (!valid) throw new IllegalArgumentException(what + " is \"" + given + "\"; allowed: " + allowed);
    }

    /** {@return the status code} */
    public int status() { return status; }

    /** {@return the reason phrase} */
    public String reason() { return reason; }

    /** {@return the fields as given, unmodifiable} */
    public List<Header> headers() { return headers; }

    /** {@return the body as given, the array itself} */
    public byte[] body() { return body; }

    /**
     * Says whether the fields given have one of this name.
     *
     * @param name a field name, in any case
     * @return true if there is one
     */
    public boolean hasHeader(String name) { return headers.stream().anyMatch(h -> h.isNamed(name)); }

    /** {@return status and reason phrase} */
    @Override public String toString() { return status + " " + reason; }

    /** Status line and fields with Content-Length, without the fields of each sending and the empty line. */
    byte[] head(boolean forHead) { return forHead ? headForHead : head; }

    /** How many bytes {@link #writeBody} has to write. */
    long bodyLength() { return status == 204 || status == 205 || status == 304 ? 0 : body.length; }

    /** Puts what fits of the body into the buffer, from an offset, and says how much that was. */
    int writeBody(ByteBuffer target, long from) { return Exchange.put(body, from, target); }
}
