package org.microhttp.extras.routing;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.microhttp.Handler;
import org.microhttp.Header;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.extras.representation.UrlDecoding;

/**
 * Has a handler serve below a prefix, such as {@code /static}, what it would serve at the root. The handler
 * gets targets without the prefix, and a path in its {@code Location} gets the prefix back. The prefix alone
 * is redirected to the prefix with a slash, so that relative links lead below it.
 * <p>
 * No path leads out of the prefix, because each segment is a {@linkplain UrlDecoding#isName name}; only the
 * last may be empty. Case matters, and a semicolon is an ordinary character. The handler must read paths in
 * the same way.
 * <p>
 * The handler gets a {@linkplain Request#withTarget copy} of the request, for the same {@linkplain
 * Request#host host}. Safe for any number of loops if the handler is.
 */
public final class Prefixed implements Handler {

    private final String prefix;
    private final List<String> segments;
    private final Handler handler;

    /**
     * Makes a handler for a prefix.
     *
     * @param prefix begins with a slash and ends without one
     * @param handler answers the requests, and gets paths without the prefix
     * @throws IllegalArgumentException if it does not, has an empty segment or a dot segment, or other
     *                                  characters than letters, digits and any of {@code . _ ~ -}
     */
    public Prefixed(String prefix, Handler handler) {
        if (!prefix.matches("(/(?!\\.\\.?(/|$))[A-Za-z0-9._~-]+)+")) {
            throw new IllegalArgumentException("a prefix is \"" + prefix + "\"; allowed: one such as /static,"
                    + " of letters, digits and any of . _ ~ -");
        }
        this.prefix = prefix;
        segments = UrlDecoding.segments(prefix);
        this.handler = handler;
    }

    /**
     * Says whether a path is the prefix, or below it.
     *
     * @param path its {@linkplain UrlDecoding#segments decoded segments}
     * @return whether it is
     */
    public boolean has(List<String> path) {
        int last = path.size() - 1;
        return path.size() >= segments.size() && path.subList(0, segments.size()).equals(segments)
                && path.subList(0, last).stream().allMatch(UrlDecoding::isName)
                && (path.get(last).isEmpty() || UrlDecoding.isName(path.get(last)));
    }

    /** {@return the path without the prefix} Counts slashes, because the prefix may be percent-encoded. */
    private String below(String path) {
        int end = 0;
        for (int i = 0; i < segments.size() && end >= 0; i++) {
            end = path.indexOf('/', end + 1);
        }
        return end < 0 ? "" : path.substring(end);
    }

    /** Answers a request whose path {@linkplain #has is below the prefix}. */
    @Override
    public void handle(Request request, Consumer<Response> callback) {
        String path = below(request.path());
        if (path.isEmpty()) {
            List<Header> fields = List.of(new Header("Location", prefix + "/" + query(request)));
            callback.accept(new Response(308, fields, new byte[0]));
            return;
        }
        handler.handle(at(path, request), response -> callback.accept(moved(response)));
    }

    /** Has the handler choose, for the path without the prefix. */
    @Override
    public Flow.Subscriber<? super List<ByteBuffer>> receiver(Request request) {
        String path = below(request.path());
        return path.isEmpty() ? null : handler.receiver(at(path, request));
    }

    /** {@return the request with another path; an absolute target stays absolute, and names the host} */
    private static Request at(String path, Request request) {
        String target = request.target();
        String origin = target.startsWith("/") ? ""
                : target.substring(0, target.indexOf("://") + "://".length()) + request.host();
        return request.withTarget(origin + path + query(request));
    }

    private static String query(Request request) {
        return request.query() == null ? "" : "?" + request.query();
    }

    private Response moved(Response response) {
        String location = response == null ? null : response.header("Location");
        // "//" begins another host (RFC 3986 §4.2)
        boolean path = location != null && location.startsWith("/") && !location.startsWith("//");
        return path ? response.withHeader("Location", prefix + location) : response;
    }
}
