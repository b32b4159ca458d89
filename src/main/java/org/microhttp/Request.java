package org.microhttp;

import static org.microhttp.protocol.Syntax.*;

import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.*;
import java.util.concurrent.Flow;
import java.util.regex.Matcher;
import java.util.stream.Stream;
import org.microhttp.protocol.*;

/**
 * A complete request. For example, a handler that answers with a part of what it got:
 * <pre>{@code
 *   Handler handler = Handler.of(request -> request.method().equals("POST")
 *           ? Response.of(200, "text/plain", request.body())
 *           : Response.of(405).withHeader("Allow", "POST"));
 * }</pre>
 * A request is safe to share between threads, and to keep: it refers to its connection only until its answer
 * has been sent or dropped. The body is the array itself, so all readers see a change to it.
 */
public final class Request {

    final RequestHead head;

    final Abandonment abandonment;
    private final byte[] body;
    private final SocketAddress remoteAddress;
    private final Additions additions;

    /** What few requests have: the subscriber that has received the body, and what handlers add in copies. */
    private record Additions(Flow.Subscriber<? super List<ByteBuffer>> receiver, String target,
            Map<Class<?>, Object> attributes) {

        static final Additions NONE = new Additions(null, null, Map.of());
    }

    /** Parsed at the first call. A race parses them twice; the list is safe to publish unlocked. */
    private List<Header> headers;

    /**
     * Makes a request, to test a handler alone. It is never abandoned, and has no remote address; so a
     * wrapping handler should pass on a copy, see {@link #withTarget}, {@link #withHeader} and
     * {@link #withAttribute}. Only null is refused. For example:
     * <pre>{@code
     *   var request = new Request("GET", "/a?b=c", "HTTP/1.1", List.of(), new byte[0]);
     *   handler.handle(request, response -> assertEquals(200, response.status()));
     * }</pre>
     *
     * @param method  the method, as in {@code "GET"}
     * @param target  the request target, as in {@code "/index.html?a=1"}
     * @param version the version, as in {@code "HTTP/1.1"}
     * @param headers the headers in order; copied
     * @param body    the body, empty if there is none; not copied
     * @throws NullPointerException if an argument or a header is null
     */
    public Request(String method, String target, String version, List<Header> headers, byte[] body) {
        this(new RequestHead(Objects.requireNonNull(method, "method"),
                Objects.requireNonNull(target, "target"), Objects.requireNonNull(version, "version")),
                Objects.requireNonNull(body, "body"), null, new Abandonment(), null);
        this.headers = List.copyOf(Objects.requireNonNull(headers, "headers"));
    }

    /** Makes the request that the parser has read, or a head whose body a subscriber receives. */
    Request(RequestHead head, byte[] body, SocketAddress client, Abandonment abandonment,
            Flow.Subscriber<? super List<ByteBuffer>> receiver) {
        this.head = head;
        this.abandonment = abandonment;
        this.body = body;
        remoteAddress = client;
        additions = receiver == null ? Additions.NONE : new Additions(receiver, null, Map.of());
    }

    private Request(Request of, List<Header> headers, Additions additions) {
        head = of.head;
        abandonment = of.abandonment;
        body = of.body;
        remoteAddress = of.remoteAddress;
        this.headers = headers;
        this.additions = additions;
    }

    /** Returns the subscriber that has received the body; null if the body is in memory. */
    Flow.Subscriber<? super List<ByteBuffer>> receiver() { return additions.receiver; }

    /** {@return the method, as sent: case matters (RFC 9110 §9.1)} */
    public String method() { return head.method; }

    /** {@return the request target exactly as sent, in origin, absolute or asterisk form (RFC 9112 §3.2)} */
    public String target() { return additions.target == null ? head.target : additions.target; }

    /**
     * {@return the path as sent, not decoded, without the query. In absolute form the path follows the
     * authority, which ends at "/", "?" or "#", and gets a "/" if it has none. So both forms look the same to
     * a handler (RFC 9112 §3.2.1)}
     */
    public String path() {
        String path = target().split("\\?", 2)[0];
        if (path.startsWith("/")) return path;
        return matcher(RequestTarget.ABSOLUTE, path).replaceFirst("/");
    }

    /**
     * Returns the query, as sent, not decoded. For example, to decode a parameter:
     * <pre>{@code
     *   Matcher name = Pattern.compile("(?:^|&)name=([^&]*)").matcher("" + request.query());
     *   String value = name.find() ? URLDecoder.decode(name.group(1), StandardCharsets.UTF_8) : "";
     * }</pre>
     *
     * @return the text after the first question mark; null if there is none
     */
    public String query() {
        int mark = target().indexOf('?');
        return mark < 0 ? null : target().substring(mark + 1);
    }

    /**
     * Returns the host that the request is for, with its port if that was sent: the authority of a target in
     * absolute form, otherwise the value of Host (RFC 9112 §3.2.2, RFC 9110 §7.2). For example, to serve two
     * sites, at any port:
     * <pre>{@code
     *   Handler sites = (request, callback) -> {
     *       String name = ("" + request.host()).replaceFirst(":[0-9]*$", "");
     *       Handler site = name.equalsIgnoreCase("www.example.com") ? main : other;
     *       site.handle(request, callback);
     *   };
     * }</pre>
     *
     * @return the host as sent; null if there is no Host, which HTTP/1.0 allows, or if the headers are not
     *         known, as they may be for {@link ErrorHandler}
     */
    public String host() {
        Matcher absolute = matcher(RequestTarget.ABSOLUTE, target());
        return absolute.lookingAt() ? absolute.group(1) : header("Host");
    }

    /** {@return the version as sent, as in {@code "HTTP/1.1"} (RFC 9112 §2.3)} */
    public String version() { return head.version; }

    /** {@return the headers in the order received, names in the case received; unmodifiable} */
    public List<Header> headers() {
        List<Header> known = headers;
        if (known == null) {
            known = head.fields() == null ? List.of() : parse(head.fields());
            headers = known;
        }
        return known;
    }

    /** Splits field lines that were validated before: name ":" OWS value OWS CRLF (RFC 9112 §5). */
    static List<Header> parse(byte[] lines) {
        var headers = new ArrayList<Header>();
        int from = 0;
        while (from < lines.length) {
            int colon = endOf(TOKEN, lines, from, lines.length);
            int end = endOf(TEXT, lines, colon, lines.length);
            headers.add(new Header(lines, from, colon, end));
            from = end + 2;
        }
        return List.copyOf(headers);
    }

    /**
     * {@return the body without its framing, the array itself; never null, and empty if there is none, or if
     * a subscriber has received it, see {@link Handler#receiving}}
     */
    public byte[] body() { return body; }

    /**
     * {@return the address of the client, or of the proxy in between; null if this request was made by the
     * public constructor}
     */
    public SocketAddress remoteAddress() { return remoteAddress; }

    /**
     * Returns the value of a header. For example:
     * <pre>{@code
     *   boolean json = "application/json".equals(request.header("Content-Type"));
     * }</pre>
     *
     * @param name the name, case-insensitive
     * @return the value of the first header of that name, or null if there is none
     */
    public String header(String name) { return Header.find(headers(), name); }

    /**
     * Returns all values of a header, in the order received; lists are not split. For example:
     * <pre>{@code
     *   String allCookies = String.join("; ", request.values("Cookie"));
     * }</pre>
     *
     * @param name the name, case-insensitive
     * @return the values, unmodifiable; empty if there is no header of that name
     */
    public List<String> values(String name) {
        return headers().stream().filter(header -> header.isNamed(name)).map(Header::value).toList();
    }

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
    public boolean hasHeader(String name, String value) { return Header.has(headers(), name, value); }

    /** Says whether a header that is a list (RFC 9110 §5.6.1) has an element, case-insensitive. */
    boolean lists(String name, String element) {
        return values(name).stream().anyMatch(list -> ListReader.has(list, element));
    }

    /**
     * Says whether it is known that no client waits for the answer any more, so that work on it may stop. For
     * example:
     * <pre>{@code
     *   for (Row row : rows) {
     *       if (request.isAbandoned()) return Response.text(503, "");
     *       add(row);
     *   }
     * }</pre>
     * It is true once
     * <ul>
     * <li>the server has noticed that the client has reset the connection or does not read earlier answers
     * <li>{@code handlerTimeout} has passed
     * <li>the server has refused the request after {@link Handler#receiver} saw its head
     * <li>the body of an earlier answer has failed, or another failure has ended the connection
     * <li>the server has ended
     * </ul>
     * A client that just closes its connection has, as far as TCP shows, only ended its side, and may still
     * read; a test resets a connection by {@code setSoLinger(true, 0)}. It is false if a response was given
     * before, and always for a request made by the public constructor. Any thread may call it, at little
     * cost.
     *
     * @return true once no client waits
     */
    public boolean isAbandoned() { return abandonment.isKnown(); }

    /**
     * Adds an action that runs as soon as {@link #isAbandoned} is true: once, on the loop's thread, and never
     * after the server has taken a response. Earlier actions stay, and run after it. If the request is
     * abandoned already, the action runs at once, on the calling thread. What an action throws on the loop's
     * thread is logged as {@code handler_error}. For example:
     * <pre>{@code
     *   Handler handler = Handler.async(request -> {
     *       var work = CompletableFuture.supplyAsync(() -> answer(request), executor);
     *       request.onAbandoned(() -> work.cancel(true));
     *       return work;
     *   });
     * }</pre>
     * Here the callback is called after a cancellation, too, which is not logged as a failure. For an
     * abandoned request the callback sends nothing, but the request then no longer counts for
     * {@link Options#withMaxPendingRequests}; without the call it counts until {@code handlerTimeout}. The
     * action never runs for a request made by the public constructor.
     *
     * @param action runs once; it must not block
     * @throws NullPointerException if the action is null
     */
    public void onAbandoned(Runnable action) {
        Objects.requireNonNull(action, "action");
        if (!abandonment.note((Runnable) action::run)) action.run();
    }

    /**
     * Copies the request with another target, so that a router can strip a prefix for example:
     * <pre>{@code
     *   Handler api = (request, callback) ->
     *           notes.handle(request.withTarget(request.target().substring("/api".length())), callback);
     * }</pre>
     * A copy shares everything else with its original: also the body, the address of the client, and whether
     * the request is abandoned. The log has the target as sent.
     *
     * @param target the target, in a form that the server accepts for this method
     * @return the copy
     * @throws IllegalArgumentException if the server would refuse the target
     * @throws NullPointerException     if the target is null
     */
    public Request withTarget(String target) {
        boolean visible = !target.isEmpty() && isAll(VISIBLE, target);
        Check.that(visible && RequestTarget.isValid(method(), target), "target", target,
                "visible ASCII in a form that " + method() + " allows");
        return new Request(this, headers, new Additions(receiver(), target, additions.attributes));
    }

    /**
     * Copies the request with this header instead of all headers of its name. A copy shares the rest with
     * its original, see {@link #withTarget}.
     *
     * @param name  the name of the header
     * @param value its value
     * @return the copy; the header is the last
     * @throws IllegalArgumentException if {@link Header} refuses the header
     * @throws NullPointerException     if an argument is null
     */
    public Request withHeader(String name, String value) {
        var added = new Header(name, value);
        Stream<Header> others = headers().stream().filter(header -> !header.isNamed(name));
        return new Request(this, Stream.concat(others, Stream.of(added)).toList(), additions);
    }

    /**
     * Copies the request with an object for the handlers that get the copy, instead of an earlier object of
     * the type. For example, a filter passes on the user that it has found:
     * <pre>{@code
     *   Handler filter = (request, callback) ->
     *           handler.handle(request.withAttribute(User.class, userOf(request)), callback);
     * }</pre>
     * A copy shares the rest with its original, see {@link #withTarget}.
     *
     * @param type  the class by which {@link #attribute} finds it; to be safe, one of your own
     * @param value the object
     * @param <T>   the type
     * @return the copy
     * @throws ClassCastException   if the object is not of the type
     * @throws NullPointerException if an argument is null
     */
    public <T> Request withAttribute(Class<T> type, T value) {
        var more = new HashMap<>(additions.attributes);
        more.put(type, type.cast(Objects.requireNonNull(value, "value")));
        return new Request(this, headers, new Additions(receiver(), additions.target, Map.copyOf(more)));
    }

    /**
     * Returns the object that {@link #withAttribute} has given to this copy, or to a request that it was
     * copied from:
     * <pre>{@code
     *   User user = request.attribute(User.class);
     * }</pre>
     *
     * @param type the class that the object was given with; subclasses do not count
     * @param <T>  the type
     * @return the object; null if there is none
     * @throws NullPointerException if the type is null
     */
    public <T> T attribute(Class<T> type) { return type.cast(additions.attributes.get(type)); }

    /** {@return method, target and version} */
    @Override
    public String toString() { return method() + " " + target() + " " + version(); }
}
