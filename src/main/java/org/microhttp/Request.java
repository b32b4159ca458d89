package org.microhttp;

import java.net.SocketAddress;
import java.util.*;

/**
 * A complete request. Safe to keep and to share between threads: it has no tie to its connection. The body is
 * the array itself, so whoever changes it changes it for all.
 */
public final class Request {

    private final String method, uri, version;
    private final byte[] fields, body;
    private final SocketAddress remoteAddress;

    /**
     * Built when first asked for. A race builds it twice, and {@code List.of} lists may be published by one.
     */
    private List<Header> headers;

    /**
     * Makes a request as the parser would, so that a handler can be tested alone. Nothing is checked but
     * null.
     *
     * @param method  the method, as in {@code "GET"}
     * @param uri     the request target, as in {@code "/index.html?a=1"}
     * @param version the version, as in {@code "HTTP/1.1"}
     * @param headers the fields in order; copied
     * @param body    the body, empty if there is none; not copied
     * @throws NullPointerException if an argument or a header is null
     */
    public Request(String method, String uri, String version, List<Header> headers, byte[] body) {
        this(method, uri, version, (byte[]) null, body, null);
        this.headers = List.copyOf(headers);
    }

    /** Takes the field lines as received and validated, without the empty line that ends them. */
    Request(String method, String uri, String version, byte[] fields, byte[] body, SocketAddress client) {
        this.method = Objects.requireNonNull(method, "method");
        this.uri = Objects.requireNonNull(uri, "uri");
        this.version = Objects.requireNonNull(version, "version");
        this.body = Objects.requireNonNull(body, "body");
        this.fields = fields;
        remoteAddress = client;
    }

    /** {@return the method, as sent: case matters (RFC 9110 §9.1)} */
    public String method() { return method; }

    /** {@return the request target exactly as sent, in origin, absolute or asterisk form (RFC 9112 §3.2)} */
    public String uri() { return uri; }

    /** {@return the version as sent, {@code "HTTP/1.1"} for most (RFC 9112 §2.3)} */
    public String version() { return version; }

    /** {@return the fields in the order received, names in the case received; unmodifiable} */
    public List<Header> headers() {
        List<Header> known = headers;
        if (known == null) {
            known = parse(fields);
            headers = known;
        }
        return known;
    }

    /** Takes field lines apart that were validated before: name ":" OWS value OWS CRLF (RFC 9112 §5). */
    private static List<Header> parse(byte[] lines) {
        var headers = new ArrayList<Header>();
        int from = 0;
        while (from < lines.length) {
            int colon = Syntax.endOf(Syntax.TOKEN, lines, from, lines.length);
            int end = Syntax.endOf(Syntax.TEXT, lines, colon, lines.length);
            String name = Syntax.text(lines, from, colon);
            String value = Syntax.text(lines, colon + 1, end).strip();
            headers.add(new Header(name, value));
            from = end + 2;
        }
        return List.copyOf(headers);
    }

    /** {@return the body without its framing, the array itself; empty if there is none, never null} */
    public byte[] body() { return body; }

    /**
     * {@return the address of the client, or of the proxy in between; null if this request was made by the
     * public constructor}
     */
    public SocketAddress remoteAddress() { return remoteAddress; }

    /**
     * Looks a field up.
     *
     * @param name its name, in any case
     * @return the value of the first field of that name, or null if there is none
     */
    public String header(String name) {
        for (Header header : headers()) {
            if (header.isNamed(name)) return header.value();
        }
        return null;
    }

    /**
     * Says whether there is a field with this whole value; lists are not taken apart.
     *
     * @param name  its name, in any case
     * @param value its value, in any case
     * @return true if one of the fields of that name has that value
     */
    public boolean hasHeader(String name, String value) {
        for (Header header : headers()) {
            if (header.isNamed(name) && header.value().equalsIgnoreCase(value)) return true;
        }
        return false;
    }

    /** The message without chunk framing, each octet a character; only of one that the parser made. */
    String message() {
        String lines = Syntax.text(fields, 0, fields.length);
        return this + "\r\n" + lines + "\r\n" + Syntax.text(body, 0, body.length);
    }

    /** {@return method, target and version} */
    @Override
    public String toString() { return method + " " + uri + " " + version; }
}
