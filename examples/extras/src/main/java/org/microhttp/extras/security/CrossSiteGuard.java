package org.microhttp.extras.security;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.microhttp.Handler;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.extras.routing.RequestException;
import org.microhttp.extras.routing.Route;

/**
 * Refuses requests that a page of another site makes a browser send, with its user's cookies or login (CSRF).
 * Forms need no token, because browsers say where a request comes from:
 * <pre>{@code
 *   Handler guarded = new CrossSiteGuard(router, "https://app.example.com");
 * }</pre>
 * A request passes if one of these holds, in this order:
 * <ul>
 * <li>Its method is GET, HEAD or OPTIONS. So these methods must not change anything. A WebSocket handshake is
 *     a GET, too: {@link org.microhttp.extras.websocket.WebSocketOptions#withOrigins} checks handshakes.
 * <li>Its Origin, which browsers send with other methods, is trusted.
 * <li>Its Sec-Fetch-Site is {@code same-origin}, or {@code none}, for a user's action without a page.
 *     Browsers since 2023 send this field to localhost and to sites with TLS.
 * <li>It has no Sec-Fetch-Site, and its Origin has the {@linkplain Request#host host} and the port of the
 *     request. Case does not matter, and a missing port is the default of the Origin's scheme. The schemes
 *     are not compared, because a server behind a TLS proxy does not know its own: use
 *     Strict-Transport-Security. Such a proxy must pass on the host.
 * <li>It has neither field, so it comes from no current browser.
 * </ul>
 * Any other request gets a 403 with a line of text, and does not reach the next handler. A body is not
 * received, so the connection of a request with a body closes. If a field is repeated, each value must be as
 * above. An Origin {@code null}, for example of a sandboxed frame, is never trusted.
 * <p>
 * {@link HostGuard} stops other attacks; use both on a server that only this machine reaches. Nothing is kept
 * between requests. Safe for any number of loops.
 */
public final class CrossSiteGuard implements Handler {

    private static final Set<String> SAFE_METHODS = Set.of("GET", "HEAD", "OPTIONS");
    private static final Set<String> OWN_SITE = Set.of("same-origin", "none");

    private final Set<String> trusted;
    private final Handler guarded;

    /**
     * Makes a guard.
     *
     * @param next    gets the requests that are not refused
     * @param trusted origins of other pages that may send any request, as a browser sends them, such as
     *                {@code https://app.example.com}; may be empty
     * @throws IllegalArgumentException if an origin is not as above
     * @throws NullPointerException     if an argument is null
     */
    public CrossSiteGuard(Handler next, String... trusted) {
        Objects.requireNonNull(next, "next");
        this.trusted = Set.copyOf(List.of(trusted));
        this.trusted.forEach(Origin::check);
        // a route refuses a body before it comes
        guarded = Route.of(Handler.receiving(
                request -> next.receiver(checked(request)),
                (request, received, callback) -> next.handle(checked(request), callback)));
    }

    @Override
    public void handle(Request request, Consumer<Response> callback) {
        guarded.handle(request, callback);
    }

    @Override
    public Flow.Subscriber<? super List<ByteBuffer>> receiver(Request request) {
        return guarded.receiver(request);
    }

    private Request checked(Request request) {
        if (!SAFE_METHODS.contains(request.method()) && !isOfThisSite(request)) {
            throw new RequestException(403, "forbidden: a page of another site may not send this request");
        }
        return request;
    }

    private boolean isOfThisSite(Request request) {
        List<String> origins = request.values("Origin");
        if (!origins.isEmpty() && trusted.containsAll(origins)) {
            return true;
        }
        List<String> sites = request.values("Sec-Fetch-Site");
        return sites.isEmpty()
                ? origins.stream().allMatch(origin ->
                        trusted.contains(origin) || Origin.isOf(origin, request.host()))
                : OWN_SITE.containsAll(sites);
    }
}
