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
 * Refuses requests that a page of another site has a browser send, with the cookies or the login of its user
 * (CSRF). No token in forms is needed, since browsers say where a request comes from:
 * <pre>{@code
 *   Handler guarded = new CrossSiteGuard(router, "https://app.example.com");
 * }</pre>
 * A request passes if one of these holds, in this order:
 * <ul>
 * <li>Its method is GET, HEAD or OPTIONS. So let none of these change anything. The handshake of a WebSocket
 *     is a GET, too: {@link org.microhttp.extras.websocket.WebSocketOptions#withOrigins} is for these.
 * <li>It has an Origin that is trusted, as browsers send with other methods.
 * <li>Its Sec-Fetch-Site is {@code same-origin}, or {@code none}, for what the user does without a page.
 *     Browsers since 2023 send this field, to sites with TLS and to localhost.
 * <li>It has no Sec-Fetch-Site, and its Origin has the {@linkplain Request#host host} and the port of the
 *     request, without regard to case; a missing port is that which the scheme has by default. The schemes
 *     are not compared, because a server behind a proxy with TLS does not know its own; use
 *     Strict-Transport-Security. Such a proxy must pass on the host.
 * <li>It has neither field, so it does not come from a browser of our time.
 * </ul>
 * Any other gets a 403 with a line of text, and the next handler sees nothing of it. Its body is not
 * received, so its connection closes if it has one. If a field is repeated, each value must be as above. An
 * Origin {@code null}, of a sandboxed frame for example, is never trusted.
 * <p>
 * {@link HostGuard} is against other attacks; use both on a server that only this machine reaches. A client
 * can hold nothing here. Safe for any number of loops.
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
     * @param trusted which other pages may send any request, as a browser sends their origin, such as {@code
     *                https://app.example.com}; none is allowed
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
