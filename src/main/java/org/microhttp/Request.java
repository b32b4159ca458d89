package org.microhttp;

import static org.microhttp.Syntax.*;

import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.*;
import java.util.concurrent.Flow;
import java.util.regex.*;

/**
 * A complete request. Safe to share between threads, and to keep: it refers to its connection only until its
 * answer has been sent or dropped. The body is the array itself, so a change to it is seen by all readers.
 */
public final class Request {

    final RequestHead head;
    private final byte[] body;
    private final SocketAddress remoteAddress;
    private final Flow.Subscriber<? super List<ByteBuffer>> receiver;

    /** Built at the first call. A race builds it twice; such a list is safe to publish without a lock. */
    private List<Header> headers;

    /**
     * Makes a request as the parser would, so that a handler can be tested alone, or be given another
     * request by a handler around it. Such a request is never abandoned, and has no remote address. Checks
     * for null only.
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
                Objects.requireNonNull(version, "version")), Objects.requireNonNull(body, "body"), null,
                null);
        this.headers = List.copyOf(Objects.requireNonNull(headers, "headers"));
    }

    /** For the parser. */
    Request(RequestHead head, byte[] body, SocketAddress client,
            Flow.Subscriber<? super List<ByteBuffer>> receiver) {
        this.head = head;
        this.body = body;
        this.receiver = receiver;
        remoteAddress = client;
    }

    /** As far as it is known, for {@link ErrorHeaders}. */
    Request(RequestHead head, SocketAddress client) {
        this(head.method == null ? new RequestHead("", "", "") : head, new byte[0], client, null);
    }

    /**
     * Returns the subscriber that has received the body, which is then not in memory. For example, a handler
     * that had an upload written to a file:
     * <pre>{@code
     *   var upload = (HttpResponse.BodySubscriber<Path>) request.receiver();
     *   upload.getBody().thenAccept(file -> callback.accept(Response.text(201, "stored")));
     * }</pre>
     *
     * @return what {@link Handler#receiver} has returned; null if the body is in memory
     */
    public Flow.Subscriber<? super List<ByteBuffer>> receiver() { return receiver; }

    /** {@return the method, as sent: case matters (RFC 9110 §9.1)} */
    public String method() { return head.method; }

    /** {@return the request target exactly as sent, in origin, absolute or asterisk form (RFC 9112 §3.2)} */
    public String uri() { return head.target; }

    /**
     * {@return the path as sent, not decoded, without the query. Of a target in absolute form, what follows
     * the authority, which ends at "/", "?" or "#"; a "/" is put first if there is none. So both forms look
     * the same to a handler (RFC 9112 §3.2.1)}
     */
    public String path() {
        String path = uri().split("\\?", 2)[0];
        if (path.startsWith("/")) return path;
        return matcher(RequestTarget.ABSOLUTE, path).replaceFirst("/");
    }

    /** {@return what follows the first question mark, as sent, not decoded; null if there is none} */
    public String query() {
        int mark = uri().indexOf('?');
        return mark < 0 ? null : uri().substring(mark + 1);
    }

    /**
     * Returns the host that the request is for, with its port if that was sent: the authority of a target in
     * absolute form, whatever Host says, else the value of Host (RFC 9112 §3.2.2, RFC 9110 §7.2). For
     * example, to serve two sites, at any port:
     * <pre>{@code
     *   Handler sites = (request, callback) -> {
     *       String name = ("" + request.host()).replaceFirst(":[0-9]*$", "");
     *       Handler site = name.equalsIgnoreCase("www.example.com") ? main : other;
     *       site.handle(request, callback);
     *   };
     * }</pre>
     *
     * @return the host as sent; null if there is no Host, which is so in HTTP/1.0, and for {@link
     *         ErrorHeaders} also where the fields are not known
     */
    public String host() {
        Matcher absolute = matcher(RequestTarget.ABSOLUTE, uri());
        return absolute.lookingAt() ? absolute.group(1) : header("Host");
    }

    /** {@return the version as sent, {@code "HTTP/1.1"} for most (RFC 9112 §2.3)} */
    public String version() { return head.version; }

    /** {@return the fields in the order received, names in the case received; unmodifiable} */
    public List<Header> headers() {
        List<Header> known = headers;
        if (known == null) {
            known = head.fields == null ? List.of() : parse(head.fields);
            headers = known;
        }
        return known;
    }

    /** Splits field lines that were validated before: name ":" OWS value OWS CRLF (RFC 9112 §5). */
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
    public String header(String name) { return Header.find(headers(), name); }

    /**
     * Returns all values of a field, in the order received; lists are not split. For example:
     * <pre>{@code
     *   String allCookies = String.join("; ", request.values("Cookie"));
     * }</pre>
     *
     * @param name its name, in any case
     * @return the values, unmodifiable; empty if there is no field of that name
     */
    public List<String> values(String name) {
        return headers().stream().filter(header -> header.isNamed(name)).map(Header::value).toList();
    }

    /**
     * Says whether there is a field with exactly this value; lists are not split.
     *
     * @param name  its name, in any case
     * @param value its value, in any case
     * @return true if one of the fields of that name has that value
     */
    public boolean hasHeader(String name, String value) {
        return values(name).stream().anyMatch(own -> own.equalsIgnoreCase(value));
    }

    /** Whether fields that are lists (RFC 9110 §5.6.1) have an element, in any case. */
    boolean lists(String name, String element) {
        // no object is made of an element
        Pattern list = Pattern.compile("(?is)(.*,)?[ \t]*+" + Pattern.quote(element) + "[ \t]*+(,.*)?");
        return values(name).stream().anyMatch(own -> list.matcher(own).matches());
    }

    /**
     * Says whether nobody is known to wait for the answer any more, so that work on it may stop: the server
     * noticed that the client has reset the connection or does not read earlier answers, {@code
     * handlerTimeout} has passed, the body of an earlier answer has failed, another failure has ended the
     * connection, or the server has ended. A client that just closes its connection has, as far as TCP shows,
     * only ended its side, and may still read; a test resets one by {@code setSoLinger(true, 0)}. False
     * if a response was given before, and always for a request made by the public constructor. Cheap, and
     * callable from any thread.
     *
     * @return true once that is known
     */
    public boolean isAbandoned() { return head.isAbandoned(); }

    /**
     * Has something done as soon as {@link #isAbandoned} is true, so that work for nobody ends: once, on the
     * loop's thread, and never after the server has taken a response. All that is given to several calls is
     * done, the last first. What it throws then is logged as {@code handler_error}. If it is true already,
     * that is done at once, on the calling thread. For example:
     * <pre>{@code
     *   Handler handler = (request, callback) -> {
     *       var work = CompletableFuture.supplyAsync(() -> answer(request), executor);
     *       request.onAbandoned(() -> work.cancel(true));
     *       work.exceptionally(Response::failed).thenAccept(callback);
     *   };
     * }</pre>
     * The callback is called here in any case. For an abandoned request that sends nothing, but the request
     * no longer counts for {@link Options#withMaxPendingRequests}; otherwise it does until {@code
     * handlerTimeout}.
     * Never done for a request made by the public constructor.
     *
     * @param action what to do; must not block, nor leave the thread's interrupt flag set
     * @throws NullPointerException if it is null
     */
    public void onAbandoned(Runnable action) {
        Objects.requireNonNull(action, "action");
        if (!head.note((RequestHead.Listener) exchange -> action.run())) action.run();
    }

    /** {@return method, target and version} */
    @Override
    public String toString() { return head.toString(); }
}
