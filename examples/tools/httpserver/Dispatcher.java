package httpserver;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.microhttp.Handler;
import org.microhttp.Header;
import org.microhttp.Request;
import org.microhttp.Response;

/**
 * The handler that the library knows: makes an exchange of each request, and starts it on a thread of its own.
 * A small body is in memory by then. Of a larger one, or one in chunks, the exchange begins with the head, and
 * its response is taken when the body has ended or was given up. On the loop's thread.
 */
final class Dispatcher implements Handler {

    /** Up to so many bytes a body costs less in memory than on its way to a stream. */
    private static final long SMALL = 64 * 1024;

    private final Serving serving;

    Dispatcher(Serving serving) {
        this.serving = serving;
    }

    /** Gives up a body, so that its request is refused at once. */
    private record Refused(Response response) implements Flow.Subscriber<List<ByteBuffer>> {

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.cancel();
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
        }

        @Override
        public void onError(Throwable cause) {
        }

        @Override
        public void onComplete() {
        }
    }

    @Override
    public Flow.Subscriber<? super List<ByteBuffer>> receiver(Request request) {
        String length = request.header("Content-Length");
        if (length != null && Long.parseLong(length) <= SMALL) {
            return null;
        }
        URI uri = uri(request);
        Context context = context(uri);
        Response refusal = refusal(uri, context);
        if (refusal != null) {
            return new Refused(refusal);
        }
        boolean waits = request.header("Expect") != null;
        long left = length == null ? 0 : Long.parseLong(length);
        var body = new RequestStream(serving.drainAmount(), left, waits);
        var exchange = new Exchange(request, uri, context, serving, body);
        body.onBegin(exchange::start);
        request.onAbandoned(exchange::onAbandoned);
        return body;
    }

    @Override
    public void handle(Request request, Consumer<Response> callback) {
        if (request.receiver() instanceof Refused refused) {
            callback.accept(refused.response());
        } else if (request.receiver() instanceof RequestStream body) {
            body.exchange().answer().to(callback);
        } else {
            handleWhole(request, callback);
        }
    }

    private void handleWhole(Request request, Consumer<Response> callback) {
        URI uri = uri(request);
        Context context = context(uri);
        Response refusal = refusal(uri, context);
        if (refusal != null) {
            callback.accept(refusal);
            return;
        }
        var exchange = new Exchange(request, uri, context, serving, new RequestStream(request.body()));
        exchange.answer().to(callback);
        exchange.start();
    }

    /** Null if the target is none that the JDK has a URI for. */
    private static URI uri(Request request) {
        try {
            return new URI(request.uri());
        } catch (URISyntaxException e) {
            return null;
        }
    }

    private Context context(URI uri) {
        return uri == null || uri.getPath() == null ? null : serving.contexts().find(uri.getPath());
    }

    /** What the JDK's server answers in these cases; null if there is a handler. */
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
