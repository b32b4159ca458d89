import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.microhttp.Body;
import org.microhttp.EventLoop;
import org.microhttp.Header;
import org.microhttp.NoopLogger;
import org.microhttp.Options;
import org.microhttp.Request;
import org.microhttp.Response;

/**
 * Relays GET requests to another server with the JDK's client, and streams what that answers: only as fast as
 * the client reads, and never whole in memory. {@link Flattened} is a class to copy.
 */
public final class RelayServer {

    /** The buffers of lists, one by one, as a body wants them: the JDK's client publishes lists. */
    record Flattened(Flow.Publisher<List<ByteBuffer>> lists) implements Flow.Publisher<ByteBuffer> {

        @Override
        public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
            lists.subscribe(new Flattening(subscriber));
        }
    }

    /** One subscription to both sides. A list is requested when the one before it is given away. */
    private static final class Flattening implements Flow.Subscriber<List<ByteBuffer>>, Flow.Subscription {

        private final Flow.Subscriber<? super ByteBuffer> subscriber;
        private final Deque<ByteBuffer> waiting = new ArrayDeque<>();
        private Flow.Subscription lists;
        private long requested;
        private boolean listRequested, ended, signalling;

        Flattening(Flow.Subscriber<? super ByteBuffer> subscriber) {
            this.subscriber = subscriber;
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            lists = subscription;
            subscriber.onSubscribe(this);
        }

        @Override
        public synchronized void onNext(List<ByteBuffer> list) {
            listRequested = false;
            waiting.addAll(list);
            signal();
        }

        @Override
        public void onError(Throwable cause) {
            subscriber.onError(cause);
        }

        @Override
        public synchronized void onComplete() {
            ended = true;
            signal();
        }

        @Override
        public synchronized void request(long count) {
            requested += count;
            signal();
        }

        @Override
        public void cancel() {
            lists.cancel();
        }

        /** Gives what is here, and asks for more. What is signalled meanwhile is given by the outer call. */
        private void signal() {
            if (signalling) {
                return;
            }
            signalling = true;
            while (requested > 0 && !waiting.isEmpty() || mayAsk()) {
                if (waiting.isEmpty()) {
                    listRequested = true;
                    lists.request(1);
                } else {
                    requested--;
                    subscriber.onNext(waiting.remove());
                }
            }
            signalling = false;
            if (ended && waiting.isEmpty()) {
                ended = false;
                subscriber.onComplete();
            }
        }

        private boolean mayAsk() {
            return requested > 0 && waiting.isEmpty() && !listRequested && !ended;
        }
    }

    private final HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private final String origin;

    private RelayServer(String origin) {
        this.origin = origin;
    }

    private void handle(Request request, Consumer<Response> callback) {
        if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
            Response refused = Response.text(405, "GET and HEAD are relayed\n");
            callback.accept(refused.withHeader("Allow", "GET, HEAD"));
            return;
        }
        HttpRequest onward;
        try {
            if (!request.uri().startsWith("/")) {
                throw new IllegalArgumentException("one with a host of its own would be another server's");
            }
            onward = HttpRequest.newBuilder(URI.create(origin + request.uri())).build();
        } catch (IllegalArgumentException e) {
            // the JDK is stricter than HTTP
            callback.accept(Response.text(400, "the target cannot be relayed\n"));
            return;
        }
        client.sendAsync(onward, HttpResponse.BodyHandlers.ofPublisher())
                .thenApply(RelayServer::response)
                .exceptionally(failure -> Response.text(502, failure.getMessage() + "\n"))
                .thenAccept(callback);
    }

    private static Response response(HttpResponse<Flow.Publisher<List<ByteBuffer>>> answer) {
        List<Header> fields = answer.headers().firstValue("Content-Type")
                .map(type -> List.of(new Header("Content-Type", type))).orElse(List.of());
        long length = answer.headers().firstValueAsLong("Content-Length").orElse(-1);
        Body body = Body.of(new Flattened(answer.body()), length);
        // one that is not sent, as to HEAD, is not subscribed to, and would keep its connection
        body.onReleased(() -> answer.body().subscribe(new Discarding()));
        return new Response(answer.statusCode(), fields, body);
    }

    /** Cancels; of a publisher that has a subscriber already, it hears so, and nothing else. */
    private static final class Discarding implements Flow.Subscriber<List<ByteBuffer>> {

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.cancel();
        }

        @Override
        public void onNext(List<ByteBuffer> list) {
        }

        @Override
        public void onError(Throwable cause) {
        }

        @Override
        public void onComplete() {
        }
    }

    public static void main(String[] args) {
        try {
            int port = args.length == 0 ? 8080 : Integer.parseInt(args[0]);
            String origin = args.length < 2 ? "http://localhost:8081" : args[1];
            if (!origin.matches("https?://[^/?#@]+")) {
                throw new IllegalArgumentException(origin + ": allowed is one as http://localhost:8081");
            }
            var options = new Options().withPort(port);
            var loop = new EventLoop(options, new NoopLogger(), new RelayServer(origin)::handle);
            System.out.println("listening on port " + loop.getPort());
            loop.start();
        } catch (IllegalArgumentException | IOException e) {
            // no port number, or one that cannot be had; or no address of a server
            System.err.println("RelayServer [PORT [ORIGIN]]: " + e.getMessage());
            System.exit(2);
        }
    }
}
