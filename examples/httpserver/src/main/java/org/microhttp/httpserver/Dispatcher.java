package org.microhttp.httpserver;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.microhttp.Handler;
import org.microhttp.Header;
import org.microhttp.Request;
import org.microhttp.Response;

/**
 * Makes an exchange of each request that the library passes to {@link #handler}, and starts it on another
 * thread. A small body is in memory by then. With a larger body, or one in chunks, the exchange begins after
 * the head, and its response is taken when the body has ended or was given up. On the loop's thread.
 */
final class Dispatcher {

    /** Up to this many bytes, a body costs less in memory than as a stream. */
    private static final long SMALL = 64 * 1024;

    private final Serving serving;

    Dispatcher(Serving serving) {
        this.serving = serving;
    }

    /** Returns the handler that the library calls. */
    Handler handler() {
        return Handler.receiving(this::receiver, this::handle);
    }

    private RequestStream receiver(Request request) {
        String length = request.header("Content-Length");
        long least = length == null ? 0 : Long.parseLong(length);
        if (length != null && least <= SMALL) {
            return null;
        }
        boolean waits = request.hasHeader("Expect");
        var body = new RequestStream(serving.drainAmount(), least, waits);
        URI uri = uri(request);
        Context context = context(request, uri);
        if (refusal(uri, context) == null) {
            var exchange = new Exchange(request, uri, context, serving, body);
            request.onAbandoned(exchange::onAbandoned);
        }
        return body;
    }

    private void handle(Request request, RequestStream received, Consumer<Response> callback) {
        if (received != null && received.exchange() != null) {
            received.exchange().answer().to(callback);
            return;
        }
        URI uri = uri(request);
        Context context = context(request, uri);
        // a context that was added after the head does not get a body that was given up
        Response refusal = refusal(uri, received == null ? context : null);
        if (refusal != null) {
            callback.accept(refusal);
            return;
        }
        var exchange = new Exchange(request, uri, context, serving, new RequestStream(request.body()));
        exchange.answer().to(callback);
        exchange.start();
    }

    /** Null if the JDK has no URI for the target. */
    private static URI uri(Request request) {
        try {
            return new URI(request.target());
        } catch (URISyntaxException e) {
            return null;
        }
    }

    private Context context(Request request, URI uri) {
        String path = uri == null ? null : uri.getPath();
        // after two slashes a URI has a host, which a proxy takes for a part of the path (RFC 9112 §3.2.1)
        if (path == null || request.target().startsWith("//")) {
            return null;
        }
        // http://x is http://x/ (RFC 9110 §4.2.3)
        return serving.contexts().find(path.isEmpty() ? "/" : path);
    }

    /** The JDK's response to a request without a handler; null if there is one. */
    private static Response refusal(URI uri, Context context) {
        if (uri == null) {
            return page(400, "400 Bad Request", "URISyntaxException thrown");
        } else if (context == null) {
            return page(404, "404 Not Found", "No context found for request");
        } else if (context.getHandler() == null) {
            return page(500, "500 Internal Server Error", "No handler for context");
        }
        return null;
    }

    private static Response page(int status, String title, String text) {
        byte[] body = ("<h1>" + title + "</h1>" + text).getBytes(StandardCharsets.US_ASCII);
        return new Response(status, List.of(new Header("Content-Type", "text/html")), body);
    }
}
