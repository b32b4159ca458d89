package routing;

import java.util.List;
import java.util.function.Consumer;
import org.microhttp.Handler;
import org.microhttp.Header;
import org.microhttp.Request;
import org.microhttp.Response;

/**
 * Has a handler serve below a prefix, as {@code /static}, what it would serve at the root: it gets targets
 * without the prefix, and where it redirects to a path, the prefix is put before it. The prefix alone is
 * redirected to the prefix with a slash, so that relative links lead below it.
 * <p>
 * The handler gets a copy of the request, which has no remote address and is never abandoned, and all bodies
 * in memory. Safe for any number of loops if the handler is.
 */
public final class Prefixed implements Handler {

    private final String prefix;
    private final Handler handler;

    /**
     * Makes one.
     *
     * @param prefix begins with a slash and ends without one; compared with paths as they are sent
     * @throws IllegalArgumentException if it does not
     */
    public Prefixed(String prefix, Handler handler) {
        if (!prefix.matches("(/[A-Za-z0-9._~-]+)+")) {
            throw new IllegalArgumentException("a prefix is \"" + prefix + "\"; allowed: one such as /static,"
                    + " of letters, digits and any of . _ ~ -");
        }
        this.prefix = prefix;
        this.handler = handler;
    }

    /** Says whether a path is the prefix, or below it. */
    public boolean has(String path) {
        return path.equals(prefix) || path.startsWith(prefix + "/");
    }

    /** Answers a request whose path {@linkplain #has is below the prefix}. */
    @Override
    public void handle(Request request, Consumer<Response> callback) {
        String query = request.query() == null ? "" : "?" + request.query();
        String path = request.path().substring(prefix.length());
        if (path.isEmpty()) {
            List<Header> fields = List.of(new Header("Location", prefix + "/" + query));
            callback.accept(new Response(308, fields, new byte[0]));
            return;
        }
        var below = new Request(request.method(), path + query, request.version(), request.headers(),
                request.body());
        handler.handle(below, response -> callback.accept(moved(response)));
    }

    private Response moved(Response response) {
        String location = response == null ? null : response.header("Location");
        // "//" begins another host (RFC 3986 §4.2)
        boolean path = location != null && location.startsWith("/") && !location.startsWith("//");
        return path ? response.withHeader("Location", prefix + location) : response;
    }
}
