package org.microhttp;

import static org.microhttp.Syntax.*;

import java.net.SocketAddress;
import java.util.*;

/**
 * A complete request. Safe to keep and to share between threads: it has no tie to its connection. The body is
 * the array itself, so whoever changes it changes it for all.
 */
public final class Request {

    final RequestHead head;
    private final byte[] body;
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
        this(new RequestHead(Objects.requireNonNull(method, "method"), Objects.requireNonNull(uri, "uri"),
                Objects.requireNonNull(version, "version")), Objects.requireNonNull(body, "body"), null);
        this.headers = List.copyOf(Objects.requireNonNull(headers, "headers"));
    }

    /** Takes what the parser has read of it. */
    Request(RequestHead head, byte[] body, SocketAddress client) {
        this.head = head;
        this.body = body;
        remoteAddress = client;
    }

    /** {@return the method, as sent: case matters (RFC 9110 §9.1)} */
    public String method() { return head.method; }

    /** {@return the request target exactly as sent, in origin, absolute or asterisk form (RFC 9112 §3.2)} */
    public String uri() { return head.target; }

    /**
     * {@return the path as sent, not decoded, without the query; of the absolute form what comes after the
     * authority, which "/", "?" or "#" ends, after a "/" if it has none: both forms are the same to a handler
     * (RFC 9112 §3.2.1)}
     */
    public String path() {
        String path = uri().split("\\?", 2)[0];
        if (path.startsWith("/")) return path;
        return matcher(RequestTarget.ABSOLUTE, path).replaceFirst("/");
    }

    /** {@return what stands behind the first question mark, as sent, not decoded; null if there is none} */
    public String query() {
        int mark = uri().indexOf('?');
        return mark < 0 ? null : uri().substring(mark + 1);
    }

    /** {@return the version as sent, {@code "HTTP/1.1"} for most (RFC 9112 §2.3)} */
    public String version() { return head.version; }

    /** {@return the fields in the order received, names in the case received; unmodifiable} */
    public List<Header> headers() {
        List<Header> known = headers;
        if (known == null) {
            known = parse(head.fields);
            headers = known;
        }
        return known;
    }

    /** Takes field lines apart that were validated before: name ":" OWS value OWS CRLF (RFC 9112 §5). */
    private static List<Header> parse(byte[] lines) {
        var headers = new ArrayList<Header>();
        int from = 0;
        while (from < lines.length) {
            int colon = endOf(TOKEN, lines, from, lines.length);
            int end = endOf(TEXT, lines, colon, lines.length);
            headers.add(new Header(text(lines, from, colon), text(lines, colon + 1, end).strip()));
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

    /**
     * Says whether it is known that nobody waits for the answer any more, so that work on it may stop: the
     * client has reset its connection while it was read, or {@code handlerTimeout} is over, or the body of an
     * earlier answer has failed, or the server has ended. A client that just closes has, as far as TCP tells,
     * only ended its side, and may still read. Cheap, and from any thread; of a request made by the public
     * constructor always false.
     *
     * @return true from then on
     */
    public boolean isAbandoned() { return head.abandoned; }

    /** The message without chunk framing, each octet a character; only of one that the parser made. */
    String message() {
        return this + "\r\n" + head.lines() + "\r\n" + text(body);
    }

    /** {@return method, target and version} */
    @Override
    public String toString() { return head.toString(); }
}
