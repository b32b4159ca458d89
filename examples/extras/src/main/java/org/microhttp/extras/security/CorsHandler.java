package org.microhttp.extras.security;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.microhttp.Handler;
import org.microhttp.Request;
import org.microhttp.Response;

/**
 * Lets pages of other origins use a handler, as a {@link CorsPolicy} allows: {@code new
 * CorsHandler(handler, CorsPolicy.of("https://app.example.com"))}.
 * <p>
 * A preflight, which is an OPTIONS with Origin and Access-Control-Request-Method, gets a 204, and does not
 * reach the handler. If its origin, its method or one of its fields is not allowed, the 204 has no field that
 * allows anything, so the browser does not send the request.
 * <p>
 * Other requests go to the handler, whatever their Origin. If the Origin is allowed, the response gets the
 * fields that let a page read it. Every response gets {@code Vary: Origin}, and loses such fields that the
 * handler has set. A repeated or invalid Origin is not allowed.
 * <p>
 * So this class protects nothing: it only tells browsers what a page may read. A request without a preflight,
 * such as a form, is always handled. To refuse requests, use a {@link CrossSiteGuard} or a {@link HostGuard},
 * and cookies with {@code SameSite}. No response allows requests from public pages to private networks
 * (Access-Control-Request-Private-Network): browsers differ in this, and do not require it.
 * <p>
 * Nothing is kept between requests, and the server's {@code maxHeaderSize} limits the lists in fields. Safe
 * for any number of loops.
 */
public final class CorsHandler implements Handler {

    private final Handler next;
    private final Handler allowing;
    private final CorsPolicy policy;

    /**
     * Makes a handler.
     *
     * @param next   gets all requests but preflights
     * @param policy says what is allowed
     * @throws NullPointerException if an argument is null
     */
    public CorsHandler(Handler next, CorsPolicy policy) {
        this.next = Objects.requireNonNull(next, "next");
        this.policy = Objects.requireNonNull(policy, "policy");
        allowing = next.andThen((request, response) ->
                response == null ? null : policy.allow(request, response));
    }

    @Override
    public void handle(Request request, Consumer<Response> callback) {
        if (CorsPolicy.isPreflight(request)) {
            callback.accept(policy.preflight(request));
        } else {
            allowing.handle(request, callback);
        }
    }

    /** A preflight's body does not matter; the server keeps it in memory, up to its limit. */
    @Override
    public Flow.Subscriber<? super List<ByteBuffer>> receiver(Request request) {
        return CorsPolicy.isPreflight(request) ? null : next.receiver(request);
    }
}
