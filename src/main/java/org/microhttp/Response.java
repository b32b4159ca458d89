package org.microhttp;

import static org.microhttp.protocol.Syntax.*;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.concurrent.*;
import org.microhttp.protocol.ListReader;
import org.microhttp.protocol.Refusal;

/**
 * A response. It is immutable except for the body array, which is not copied: do not change it afterwards. A
 * response may be sent any number of times and by several loops; its constructor renders the headers once.
 * <p>
 * The server adds {@code Date} unless you give one, {@code Content-Length} (or chunks if the length is not
 * known), and {@code Connection} where it is needed. It drops your {@code Transfer-Encoding}, and replaces
 * your {@code Content-Length} by the length of the body, except in answers to HEAD and in 304. In {@code
 * Connection}, "close" closes the connection after this response, and "keep-alive" has no effect. Answers to
 * HEAD, and with 204, 205 and 304, have no body (RFC 9110 §15).
 */
public final class Response {

    /** The reason phrases of the registry of status codes (RFC 9110 §16.2.1). */
    private static final String REASONS = "101 Switching Protocols, 200 OK, 201 Created, 202 Accepted, "
            + "203 Non-Authoritative Information, 204 No Content, 205 Reset Content, 206 Partial Content, "
            + "207 Multi-Status, 208 Already Reported, 226 IM Used, 300 Multiple Choices, "
            + "301 Moved Permanently, 302 Found, 303 See Other, 304 Not Modified, 305 Use Proxy, "
            + "307 Temporary Redirect, 308 Permanent Redirect, 400 Bad Request, 401 Unauthorized, "
            + "402 Payment Required, 403 Forbidden, 404 Not Found, 405 Method Not Allowed, "
            + "406 Not Acceptable, 407 Proxy Authentication Required, 408 Request Timeout, 409 Conflict, "
            + "410 Gone, 411 Length Required, 412 Precondition Failed, 413 Content Too Large, "
            + "414 URI Too Long, 415 Unsupported Media Type, 416 Range Not Satisfiable, "
            + "417 Expectation Failed, 421 Misdirected Request, 422 Unprocessable Content, 423 Locked, "
            + "424 Failed Dependency, 425 Too Early, 426 Upgrade Required, 428 Precondition Required, "
            + "429 Too Many Requests, 431 Request Header Fields Too Large, "
            + "451 Unavailable For Legal Reasons, 500 Internal Server Error, 501 Not Implemented, "
            + "502 Bad Gateway, 503 Service Unavailable, 504 Gateway Timeout, "
            + "505 HTTP Version Not Supported, 506 Variant Also Negotiates, 507 Insufficient Storage, "
            + "508 Loop Detected, 511 Network Authentication Required,";

    /** The interim response to a client that waits before it sends a body (RFC 9110 §15.2.1). */
    static final Response CONTINUE = new Response(100, bytes("HTTP/1.1 100 Continue\r\n"),
            Body.of(ByteBuffer.allocate(0)), false, true);

    /** The response to a request whose handler failed. */
    static final Response FAILED = refusing(Refusal.HANDLER_ERROR, 0);

    private final int status;
    private final String reason;
    private final List<Header> headers;
    final Body body;

    /**
     * The status line and the headers as bytes, without the empty line and what {@link ResponseTail} adds at
     * each sending. {@code headForHead} is for answers to HEAD: it keeps the handler's Content-Length.
     */
    final byte[] head, headForHead;

    /** Whether the handler wants the connection closed after this, and whether it gave a Date. */
    final boolean closing, dated;

    /**
     * Code and rule of the {@link Refusal} that this states; null if the response is the handler's. If only
     * the rule is null, an {@link ErrorHandler} was asked already.
     */
    String code, rule;
    private Throwable failure;

    /** Whether the body, or one that it has replaced, keeps a file open until the release. */
    final boolean file;

    /**
     * Makes a response, and checks what a {@link Header} does not check itself.
     *
     * @param status  200 to 599
     * @param reason  the reason phrase, possibly empty: tab, 0x20 to 0x7E, 0x80 to 0xFF, no white space at
     *                its ends
     * @param headers the headers in order; copied. Each has checked itself ({@link Header})
     * @param body    the body, empty for none; not copied
     * @throws IllegalArgumentException if an argument breaks these rules, a Content-Length is not 1 to 18
     *                                  digits, or Connection is not a list of tokens
     * @throws NullPointerException     if an argument or a header is null
     */
    public Response(int status, String reason, List<Header> headers, byte[] body) {
        this(status, reason, headers, new Body.Buffer(ByteBuffer.wrap(Objects.requireNonNull(body, "body"))));
    }

    /**
     * Makes a response with a body of any kind, by the rules of the first constructor.
     *
     * @param status  200 to 599
     * @param reason  the reason phrase
     * @param headers the headers
     * @param body    the body
     */
    public Response(int status, String reason, List<Header> headers, Body body) {
        boolean upgrade = body instanceof Body.Streamed other && other.incoming != null;
        this.status = Check.within("status", status, upgrade ? 101 : 200, upgrade ? 101 : 599);
        this.reason = Objects.requireNonNull(reason, "reason");
        this.headers = List.copyOf(Objects.requireNonNull(headers, "headers"));
        this.body = Objects.requireNonNull(body, "body");
        file = body.keepsFile();
        Check.text("reason", reason);
        var options = new ArrayList<String>();
        StringBuilder lines = render(options);
        closing = options.removeIf(option -> option.equalsIgnoreCase("close"));
        if (upgrade) options.add("upgrade");
        if (!options.isEmpty()) lines.append("Connection: " + String.join(", ", options) + "\r\n");
        dated = hasHeader("Date");
        // 204 has no length, 205 has 0 (RFC 9110 §8.6, §15.3.6)
        String given = status == 204 || status == 205 ? null : header("Content-Length");
        String own = status == 204 || bodyLength() < 0 ? null : "" + bodyLength();
        head = complete(lines, status == 304 ? given : own);
        headForHead = given == null ? head : complete(lines, given);
    }

    /**
     * Makes a response with the reason phrase of the registry of status codes, or an empty one.
     *
     * @param status  200 to 599
     * @param headers the headers
     * @param body    the body
     */
    public Response(int status, List<Header> headers, byte[] body) {
        this(status, reason(status), headers, body);
    }

    /**
     * Makes a response with the reason phrase of the registry and a body of any kind.
     *
     * @param status  200 to 599
     * @param headers the headers
     * @param body    the body
     */
    public Response(int status, List<Header> headers, Body body) {
        this(status, reason(status), headers, body);
    }

    /**
     * Makes a response without headers and body.
     *
     * @param status 200 to 599
     * @return the response
     * @throws IllegalArgumentException if the status is out of its range
     */
    public static Response of(int status) { return new Response(status, List.of(), new byte[0]); }

    /**
     * Makes a response with the header Content-Type and a body.
     *
     * @param status 200 to 599
     * @param type   the value of Content-Type
     * @param body   the body; not copied
     * @return the response
     * @throws IllegalArgumentException if the status is out of range, or the type is no valid header value
     * @throws NullPointerException     if an argument is null
     */
    public static Response of(int status, String type, byte[] body) {
        return new Response(status, List.of(new Header("Content-Type", type)), body);
    }

    /**
     * Makes a response with the header Content-Type and a body of any kind. For example, a file:
     * <pre>{@code
     *   Handler handler = Handler.blocking(request ->
     *           Response.of(200, "application/pdf", Body.of(Path.of("report.pdf"))));
     * }</pre>
     *
     * @param status 200 to 599
     * @param type   the value of Content-Type
     * @param body   the body
     * @return the response
     * @throws IllegalArgumentException if the status is out of range, or the type is no valid header value;
     *                                  the body is released then, so that no file stays open
     * @throws NullPointerException     if an argument is null
     */
    public static Response of(int status, String type, Body body) {
        try {
            return new Response(status, List.of(new Header("Content-Type", type)), body);
        } catch (Throwable t) {
            if (body != null) run(body.releases.iterator());
            throw t;
        }
    }

    /**
     * Makes a response with the header Content-Type and a text. The text is sent in UTF-8, so say that in the
     * type, unless UTF-8 is its default: {@code Response.of(200, "text/html; charset=utf-8", page)}.
     *
     * @param status 200 to 599
     * @param type   the value of Content-Type
     * @param text   the body
     * @return the response
     * @throws IllegalArgumentException if the status is out of range, or the type is no valid header value
     * @throws NullPointerException     if an argument is null
     */
    public static Response of(int status, String type, String text) {
        return of(status, type, text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Makes a response with a plain text in UTF-8.
     *
     * @param status 200 to 599
     * @param text   the body
     * @return the response, with {@code Content-Type: text/plain; charset=utf-8}
     * @throws IllegalArgumentException if the status is out of its range
     * @throws NullPointerException     if the text is null
     */
    public static Response text(int status, String text) {
        return of(status, "text/plain; charset=utf-8", text);
    }

    /**
     * Makes a response with a text in JSON, which is sent in UTF-8 (RFC 8259 §8.1).
     *
     * @param status 200 to 599
     * @param json   the body; not checked
     * @return the response, with {@code Content-Type: application/json}
     * @throws IllegalArgumentException if the status is out of its range
     * @throws NullPointerException     if the text is null
     */
    public static Response json(int status, String json) { return of(status, "application/json", json); }

    /**
     * Makes a response that sends the client elsewhere. For example, after a form: the browser gets the page,
     * and a reload does not send the form again:
     * <pre>{@code
     *   return Response.redirect(303, "/orders/17");
     * }</pre>
     *
     * @param status   301, 302, 303, 307 or 308 (RFC 9110 §15.4)
     * @param location a URI reference, possibly relative; checked only to be a valid header value. Encode
     *                 what a client has chosen, and begin with your own path or host
     * @return the response, with the header Location and no body
     * @throws IllegalArgumentException if the status is another, or the location is no valid header value
     * @throws NullPointerException     if the location is null
     */
    public static Response redirect(int status, String location) {
        List<Integer> allowed = List.of(301, 302, 303, 307, 308);
        Check.that(allowed.contains(status), "status", status, allowed.toString());
        return of(status).withHeader("Location", location);
    }

    /**
     * Makes the response that switches the connection to another protocol (RFC 9110 §7.8). When its head is
     * sent, the connection belongs to that protocol: the publisher's buffers are sent as they are, and the
     * subscriber gets what the client sends, as with streamed bodies ({@link Body#of(Flow.Publisher)},
     * {@link Handler#receiver}). The client must have asked for the protocol, by the headers Upgrade
     * and Connection of an HTTP/1.1 request without a body and not with the method HEAD. Otherwise the client
     * gets a 400 with the code {@code bad_upgrade}. If a wrapping handler removes the header Upgrade, the
     * client gets a 500, and {@code handler_error} is logged.
     * <p>
     * The subscriber also gets what the client has sent ahead; then {@code onComplete} when the client ends
     * its side, or {@code onError} when the connection ends otherwise. After a cancel, input is dropped. The
     * end of the publisher ends the connection when everything is sent. The connection is reset if the
     * publisher or the subscriber fails; before the publisher's {@code onSubscribe} the client gets a 500
     * instead. It is also reset if neither side sends anything for {@link Options#withStreamTimeout}; what
     * the subscriber does not request does not count as sent. At a Unix domain socket a client cannot tell a
     * reset from an end, so there the protocol needs an end of its own.
     *
     * @param protocol the protocol, as in {@code "websocket"}, with its version if it has one
     * @param headers  other headers
     * @param outgoing signals what is sent; its subscription comes after that of {@code incoming}
     * @param incoming gets what the client sends
     * @return the response, with the status 101 and the headers Upgrade and Connection
     * @throws IllegalArgumentException if the protocol is no valid header value
     * @throws NullPointerException     if an argument is null
     */
    public static Response upgrade(String protocol, List<Header> headers,
            Flow.Publisher<? extends ByteBuffer> outgoing,
            Flow.Subscriber<? super List<ByteBuffer>> incoming) {
        var body = new Body.Streamed(Objects.requireNonNull(outgoing, "outgoing"),
                Objects.requireNonNull(incoming, "incoming"));
        return new Response(101, headers, body).withAddedHeader("Upgrade", protocol);
    }

    /**
     * Makes the response of a handler that fails after {@link Handler#handle} has returned: a 500 and the
     * event {@code handler_error}, as if it had thrown there. For example:
     * <pre>{@code
     *   Handler handler = (request, callback) -> orders.findAsync(request.query())
     *           .thenApply(order -> Response.text(200, order.toString()))
     *           .exceptionally(Response::failed)
     *           .thenAccept(callback);
     * }</pre>
     * A wrapping handler may pass on a copy with other headers. If it passes on a new response instead, the
     * cause is not logged, unless it is a failure of {@link Handler#blocking(Responder)}.
     *
     * @param cause the failure; of a {@link CompletionException} its own cause is taken
     * @return the response
     * @throws NullPointerException if the cause is null
     */
    public static Response failed(Throwable cause) {
        Response failed = refusing(Refusal.HANDLER_ERROR, 0);
        Throwable inner = cause instanceof CompletionException ? cause.getCause() : null;
        failed.failure = inner == null ? Objects.requireNonNull(cause, "cause") : inner;
        return failed;
    }

    /** Makes the response to a refused request. */
    static Response refusing(Refusal why, long limit) {
        Response response = stating(why.status, why.code, why.rule(limit));
        return why == Refusal.OVERLOAD ? response.withHeader("Retry-After", "1") : response;
    }

    /** Makes a response of the server's own: a line of text with code and rule. */
    static Response stating(int status, String code, String rule) {
        Response response = text(status, code + ": " + rule + "\n");
        response.code = Objects.requireNonNull(code, "code");
        response.rule = Objects.requireNonNull(rule, "rule");
        return response;
    }

    /**
     * Returns why the handler failed, so that a wrapping handler can respond with a 502 to a {@code
     * ConnectException}, for example. The server logs only the cause of the response that it gets.
     *
     * @return the cause of a response made by {@link #failed}, and of its copies; else null
     */
    public Throwable failure() { return failure; }

    private static String reason(int status) {
        int begin = REASONS.indexOf(status + " ");
        return begin < 0 ? "" : REASONS.substring(begin + 4, REASONS.indexOf(',', begin));
    }

    /** Makes the interim response, or a response whose body is streamed. */
    private Response(int status, byte[] head, Body body, boolean closing, boolean dated) {
        this.status = status;
        this.head = head;
        this.body = body;
        this.closing = closing;
        this.dated = dated;
        file = body.keepsFile();
        reason = "";
        headers = List.of();
        headForHead = head;
    }

    /** Copies the response with another head, and with a stream as its body. */
    Response streaming(byte[] own, Body stream) {
        var copy = new Response(status, own, stream, closing, dated);
        copy.code = code;
        return copy;
    }

    /** Returns a response whose release also releases the body of another, which its own body may read. */
    Response insteadOf(Response other) {
        Body both = body.insteadOf(other.body);
        return both == body ? this : with(headers, both);
    }

    /**
     * Renders the status line and the headers without Content-Length and Connection; adds the options of
     * Connection that have an effect to the list. To add a header such as Server to every response, append it
     * here unless the handler gives one; add a header whose value changes in {@link ResponseTail}.
     */
    private StringBuilder render(List<String> options) {
        var lines = new StringBuilder(128).append("HTTP/1.1 ").append(this).append("\r\n");
        for (Header header : headers) {
            String name = header.name();
            String value = header.value();
            if (header.isNamed("Content-Length")) {
                Check.that(value.matches("[0-9]{1,18}"), "Content-Length", value, "1 to 18 digits");
            } else if (header.isNamed("Connection")) {
                // Connection = #connection-option, connection-option = token (RFC 9110 §7.6.1)
                var elements = new ListReader(value);
                while (elements.next()) {
                    String option = elements.readElement();
                    Check.that(isAll(TOKEN, option), "Connection", option, "a list of tokens");
                    if (!option.equalsIgnoreCase("keep-alive")) options.add(option);
                }
            } else if (!header.isNamed("Transfer-Encoding")) {
                lines.append(name).append(": ").append(value).append("\r\n");
            }
        }
        return lines;
    }

    private static byte[] complete(StringBuilder lines, String length) {
        return bytes(lines + (length == null ? "" : "Content-Length: " + length + "\r\n"));
    }

    /** {@return the status code} */
    public int status() { return status; }

    /** {@return the reason phrase} */
    public String reason() { return reason; }

    /** {@return the headers as given, unmodifiable} */
    public List<Header> headers() { return headers; }

    /** {@return the body; {@link Body#bytes} or {@link Body#read} gives its bytes} */
    public Body body() { return body; }

    /**
     * Releases the body of a response if neither the response nor a copy is given to a callback: runs the
     * actions of {@link Body#onReleased}, also those of bodies that it has replaced in
     * {@link Handler#andThen} or {@link #withBody}. Each call runs them again, so call it once. A wrapping
     * handler calls it before it responds with a 304 of its own, for example; {@code andThen} does that
     * itself. The server releases responses given to a callback. If actions throw, the first failure is
     * thrown when all have run, with the others {@linkplain Throwable#addSuppressed suppressed}.
     */
    public void release() { run(body.releases.iterator()); }

    boolean hasReleases() { return !body.releases.isEmpty(); }

    private static void run(Iterator<Body.Release> releases) {
        try {
            while (releases.hasNext()) {
                releases.next().action.run();
            }
        } catch (Throwable t) {
            try {
                run(releases);
            } catch (Throwable other) {
                if (other != t) t.addSuppressed(other);
            }
            throw t;
        }
    }

    /**
     * Copies the response with this header instead of all headers of its name. Both have the same body, so
     * give only one of them to a callback. {@link Handler#andThen} shows an example.
     *
     * @param name  its name, a token
     * @param value its value, as {@link Header} allows
     * @return the copy; the header is the last
     * @throws IllegalArgumentException if {@link Header} or the constructor refuses the header
     * @throws NullPointerException     if an argument is null
     */
    public Response withHeader(String name, String value) {
        var all = new ArrayList<>(headers);
        all.removeIf(header -> header.isNamed(name));
        all.add(new Header(name, value));
        return with(all);
    }

    /**
     * Copies the response with one more header, as {@link #withHeader} does, but keeps others of its name, as
     * cookies need it: {@code response.withAddedHeader("Set-Cookie", "theme=dark; HttpOnly")}.
     *
     * @param name  its name, a token
     * @param value its value, as {@link Header} allows
     * @return the copy, with the same body; the header is the last
     */
    public Response withAddedHeader(String name, String value) {
        var more = new ArrayList<>(headers);
        more.add(new Header(name, value));
        return with(more);
    }

    /**
     * Copies the response without the headers of a name.
     *
     * @param name the name, case-insensitive
     * @return the copy, with the same body
     * @throws NullPointerException if the name is null
     */
    public Response withoutHeader(String name) {
        Objects.requireNonNull(name, "name");
        return with(headers.stream().filter(header -> !header.isNamed(name)).toList());
    }

    /**
     * Returns what to send if an {@link ErrorHandler} gives a response instead of this; throws if that breaks
     * a rule.
     */
    Response replacedBy(Response given) throws Throwable {
        if (given == this) return this;
        Objects.requireNonNull(given, "the response of the error handler");
        if (given.failure != null && given.failure != failure) throw given.failure;
        Check.that(given.status == status, "status", given.status, "only " + status);
        boolean inHeap = given.body instanceof Body.Buffer buffer && !buffer.bytes.isDirect();
        boolean allowed = inHeap || given.body == body;
        Check.that(allowed, "body", "not in the heap",
                "an array, a buffer that is not direct, or the default body");
        for (Header header : given.headers) {
            boolean framing = header.name().matches("(?i)Connection|Content-Length|Transfer-Encoding");
            Check.that(!framing || headers.contains(header), "header", header,
                    "any but Connection, Content-Length and Transfer-Encoding");
        }
        Response copy = given.with(given.headers);
        copy.code = code;
        copy.rule = null;
        return copy.insteadOf(this);
    }

    /**
     * Copies the response with another body, whose release also releases the body of this one. For example, a
     * wrapping handler that compresses what {@link Body#read} reads, and removes a Content-Length, which
     * would be wrong:
     * <pre>{@code
     *   Handler smaller = handler.andThen((request, response) -> response
     *           .withBody(compressed(response.body()))
     *           .withoutHeader("Content-Length").withHeader("Content-Encoding", "gzip"));
     * }</pre>
     *
     * @param other the body of the copy, which may read the body of this response until it is released
     * @return the copy
     * @throws IllegalArgumentException if either this is a response of {@link #upgrade} or the body is of one
     * @throws NullPointerException     if the body is null
     */
    public Response withBody(Body other) { return with(headers, other.insteadOf(body)); }

    private Response with(List<Header> others) { return with(others, body); }

    private Response with(List<Header> others, Body other) {
        var copy = new Response(status, reason, others, other);
        copy.code = code;
        copy.rule = rule;
        copy.failure = failure;
        return copy;
    }

    /**
     * Returns the value of a header that was given.
     *
     * @param name the name, case-insensitive
     * @return the value of the first header of that name, or null if there is none
     */
    public String header(String name) { return Header.find(headers, name); }

    /**
     * Says whether there is a header of this name.
     *
     * @param name the name, case-insensitive
     * @return true if there is one
     */
    public boolean hasHeader(String name) { return header(name) != null; }

    /**
     * Says whether there is a header with exactly this value; lists are not split.
     *
     * @param name  the name, case-insensitive
     * @param value the value, case-insensitive
     * @return true if a header of that name has that value
     */
    public boolean hasHeader(String name, String value) { return Header.has(headers, name, value); }

    /** {@return status and reason phrase, as they are sent} */
    @Override
    public String toString() { return status + " " + reason; }

    /** Returns how many bytes of the body are sent; negative if that is not known. */
    long bodyLength() { return hasBody() ? body.length : 0; }
    boolean isUpgrade() { return status == 101; }
    boolean hasBody() { return status != 204 && status != 205 && status != 304; }
}
