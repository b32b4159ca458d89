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
 * Lets pages of other origins use another handler, as a {@link CorsPolicy} says: {@code new
 * CorsHandler(handler, CorsPolicy.of("https://app.example.com"))}.
 * <p>
 * A preflight, which is an OPTIONS with Origin and Access-Control-Request-Method, is answered here with a
 * 204, and the handler does not see it. If its origin, its method or one of its fields is not allowed, the
 * 204 has no field that allows something, so the browser does not send the request.
 * <p>
 * Other requests go to the handler, whatever their Origin. If that is allowed, their responses get the fields
 * that let a page read them. Each gets {@code Vary: Origin}, and loses the fields of this kind that the
 * handler has set. Two fields Origin, or one that is no origin, are not allowed.
 * <p>
 * So this protects nothing: it tells browsers what a page may read, and a request without a preflight, such
 * as a form, is handled in any case. To refuse requests, use a {@link CrossSiteGuard} or a {@link
 * HostGuard}, and cookies with {@code SameSite}. Requests to private networks from public pages
 * (Access-Control-Request-Private-Network) are never allowed by a field: browsers differ in that, and do not
 * require it.
 * <p>
 * A client can hold nothing here: nothing is kept between requests, and lists are as long as the server's
 * {@code maxHeaderSize} allows. Safe for any number of loops.
 */
public final class CorsHandler implements Handler {

    private final Handler next;
    private final Handler allowing;

    /** What is allowed. */
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

    /** A preflight has no body that matters; one that has is kept in memory, as far as the server allows. */
    @Override
    public Flow.Subscriber<? super List<ByteBuffer>> receiver(Request request) {
        return CorsPolicy.isPreflight(request) ? null : next.receiver(request);
    }
}
