package org.microhttp.extras.metrics;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.microhttp.Handler;
import org.microhttp.Header;
import org.microhttp.Request;
import org.microhttp.Response;

/**
 * Answers at one path whether this server is to get more requests, and hands all others on. Ready is 200.
 * From {@link #leave} on it is 503, while requests are served as before: call it first, give balancers the
 * time to ask, and only then stop the loops. Nothing is looked at, so an answer also says that the loop
 * turns; what a server depends on does not belong here, for then all of them would be unready at once.
 */
public final class HealthHandler implements Handler {

    /** A cache in between would tell of yesterday (RFC 9111 §5.2.2.5). */
    private static final Header NO_STORE = new Header("Cache-Control", "no-store");

    private static final Response READY = answer(200, "OK", "ready");
    private static final Response NOT_READY = answer(503, "Service Unavailable", "leaving");

    /** RFC 9110 §15.5.6 */
    private static final Response NOT_ALLOWED =
            answer(405, "Method Not Allowed", "GET or HEAD", new Header("Allow", "GET, HEAD"));

    private final String path;
    private final Handler next;
    private volatile boolean leaving;

    /**
     * Makes one that is ready.
     *
     * @param path as {@code /health}, compared as sent
     * @param next gets the requests for other paths
     */
    public HealthHandler(String path, Handler next) {
        this.path = path;
        this.next = next;
    }

    /** Says from now on that it is not ready; from any thread. */
    public void leave() {
        leaving = true;
    }

    @Override
    public Flow.Subscriber<? super List<ByteBuffer>> receiver(Request request) {
        return next.receiver(request);
    }

    @Override
    public void handle(Request request, Consumer<Response> callback) {
        if (!request.path().equals(path)) {
            next.handle(request, callback);
        } else if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
            callback.accept(NOT_ALLOWED);
        } else {
            callback.accept(leaving ? NOT_READY : READY);
        }
    }

    private static Response answer(int status, String reason, String text, Header... more) {
        var fields = new ArrayList<>(List.of(more));
        fields.add(NO_STORE);
        fields.add(new Header("Content-Type", "text/plain"));
        return new Response(status, reason, fields, (text + "\n").getBytes(StandardCharsets.US_ASCII));
    }
}
