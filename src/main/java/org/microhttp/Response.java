package org.microhttp;

import java.nio.ByteBuffer;
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
    final Body content;
    final ResponseHead head;

    /** Of the {@link Refusal} that it tells; null if it is the handler's. */
    String code;

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
        this(status, reason, headers, new Body.Buffer(ByteBuffer.wrap(Objects.requireNonNull(body, "body"))));
    }

    /**
     * Makes a response whose body is a buffer or a file, and checks all that will reach the wire.
     *
     * @param status  200 to 599
     * @param reason  the reason phrase, as above
     * @param headers the fields, as above
     * @param body    the body
     * @throws IllegalArgumentException if one of them breaks these rules, as above
     * @throws NullPointerException     if an argument or a header is null
     */
    public Response(int status, String reason, List<Header> headers, Body body) {
        this.status = status;
        this.reason = Objects.requireNonNull(reason, "reason");
        this.headers = List.copyOf(Objects.requireNonNull(headers, "headers"));
        content = Objects.requireNonNull(body, "body");
        check(status >= 200 && status <= 599, "status", status, "200 to 599");
        checkText("reason", reason);
        head = new ResponseHead(this);
    }

    /** Above 0xFF is refused too: a cast of U+010D U+010A to bytes would be a line break. */
    static void checkText(String what, String text) {
        check(text.equals(text.strip()) && Syntax.isAll(Syntax.TEXT, text), what, text,
                "tab, 0x20 to 0x7E and 0x80 to 0xFF, without white space at its ends");
    }

    static void check(boolean valid, String what, Object given, String allowed) {
        if (!valid) throw new IllegalArgumentException(what + " is \"" + given + "\"; allowed: " + allowed);
    }

    /** {@return the status code} */
    public int status() { return status; }

    /** {@return the reason phrase} */
    public String reason() { return reason; }

    /** {@return the fields as given, unmodifiable} */
    public List<Header> headers() { return headers; }

    /**
     * Gives the body as given, the array itself.
     *
     * @return the array
     * @throws IllegalStateException if it was given as a {@link Body}
     */
    public byte[] body() {
        if (content instanceof Body.Buffer buffer && buffer.octets.hasArray()) return buffer.octets.array();
        throw new IllegalStateException("the body is no array");
    }

    /**
     * Says whether the fields given have one of this name.
     *
     * @param name a field name, in any case
     * @return true if there is one
     */
    public boolean hasHeader(String name) {
        for (Header header : headers) {
            if (header.isNamed(name)) return true;
        }
        return false;
    }

    /** {@return status and reason phrase, as they are sent} */
    @Override
    public String toString() { return status + " " + reason; }

    /** How many octets of the body are sent. */
    long bodyLength() { return status == 204 || status == 205 || status == 304 ? 0 : content.length; }
}
