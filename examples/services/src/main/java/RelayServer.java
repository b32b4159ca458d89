import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.microhttp.Body;
import org.microhttp.EventLoop;
import org.microhttp.Handler;
import org.microhttp.Header;
import org.microhttp.NoopLogger;
import org.microhttp.Options;
import org.microhttp.Request;
import org.microhttp.Response;

/**
 * Relays requests to another server with the JDK's client. Bodies are streamed in both directions: only as
 * fast as the side that gets them reads, and never whole in memory; what is cut on one side is cut on the
 * other. It takes itself for the first proxy: X-Forwarded-For is the address of its client, whatever that
 * sends. {@link Flattened} and {@link Upload} are classes to copy.
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

    /** Passes on what a server receives of a body, when a client wants to send it. */
    private static final class Upload
            implements Flow.Subscriber<List<ByteBuffer>>, Flow.Publisher<List<ByteBuffer>> {

        private final CompletableFuture<Flow.Subscriber<? super List<ByteBuffer>>> onward =
                new CompletableFuture<>();
        private CompletableFuture<Response> response;
        private Flow.Subscription subscription;

        /** Before the other side is there nothing is requested, but the body may fail. */
        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
            onward.thenAccept(subscriber -> subscriber.onSubscribe(given));
            // it may have failed; an answer comes only when the JDK's client has sent the body
            response.whenComplete((answer, failure) -> given.cancel());
        }

        /** The JDK's client sends a GET again if a kept connection has ended; its body has gone by then. */
        @Override
        public void subscribe(Flow.Subscriber<? super List<ByteBuffer>> subscriber) {
            if (!onward.complete(subscriber)) {
                subscriber.onSubscribe(new Nothing());
                subscriber.onError(new IOException("a body is sent once"));
            }
        }

        private record Nothing() implements Flow.Subscription {

            @Override
            public void request(long count) {
            }

            @Override
            public void cancel() {
            }
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
            onward.join().onNext(buffers);
        }

        @Override
        public void onComplete() {
            onward.thenAccept(Flow.Subscriber::onComplete);
        }

        /** The other server must not take for complete what is cut. */
        @Override
        public void onError(Throwable cause) {
            onward.thenAccept(subscriber -> subscriber.onError(cause));
            response.cancel(true);
        }
    }

    /** What is between two neighbours, and what the JDK's client sets itself. */
    private static final Set<String> OWN = Set.of("connection", "keep-alive", "proxy-authenticate",
            "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
            "content-length", "expect", "host");

    /** What a client says of itself that only a proxy knows; some servers take "_" for "-". */
    private static final Pattern CLAIMED =
            Pattern.compile("forwarded|x[-_]forwarded[-_].*|x[-_]real[-_]ip", Pattern.CASE_INSENSITIVE);

    /** How many fields Connection may name. */
    private static final int MAX_NAMED = 20;

    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5)).build();
    private final String origin;

    private RelayServer(String origin) {
        this.origin = origin;
    }

    private Upload receiver(Request request) {
        var upload = new Upload();
        String length = request.header("Content-Length");
        var body = new Flattened(upload);
        upload.response = send(request, length == null ? BodyPublishers.fromPublisher(body)
                : BodyPublishers.fromPublisher(body, Long.parseLong(length)));
        return upload;
    }

    private void handle(Request request, Upload upload, Consumer<Response> callback) {
        CompletableFuture<Response> response =
                upload == null ? send(request, BodyPublishers.noBody()) : upload.response;
        request.onAbandoned(() -> response.cancel(true));
        response.thenAccept(callback);
    }

    private CompletableFuture<Response> send(Request request, HttpRequest.BodyPublisher body) {
        HttpRequest onward;
        try {
            // one with a host of its own would be another server's, and the JDK sends no fragment
            if (!request.target().matches("/[^#]*")) {
                throw new IllegalArgumentException("a target that would be another one");
            }
            HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(origin + request.target()));
            builder.method(request.method(), body);
            fields(request).forEach(field -> builder.header(field.name(), field.value()));
            onward = builder.build();
        } catch (IllegalArgumentException e) {
            // the JDK is stricter than HTTP
            return CompletableFuture.completedFuture(Response.text(400, "this request cannot be relayed\n"));
        }
        var sent = new CompletableFuture<Future<?>>();
        var answer = client.sendAsync(onward, head -> body(head, sent));
        sent.complete(answer);
        return answer.thenApply(RelayServer::response)
                .exceptionally(failure -> Response.text(502, "the other server gave no answer to relay\n"));
    }

    /**
     * Looks at the head of an answer. Of one that cannot be relayed the JDK would keep the connection, unless
     * it is cancelled. If the JDK cannot read a head itself, as one with the status 20x, it keeps the
     * connection until the other server ends it, which a program cannot change.
     */
    private static BodySubscriber<Flow.Publisher<List<ByteBuffer>>> body(ResponseInfo head,
            CompletableFuture<Future<?>> sent) {
        try {
            length(head.headers());
            new Response(head.statusCode(), fields(head.headers()), new byte[0]);
        } catch (IllegalArgumentException e) {
            sent.join().cancel(true);
        }
        return BodySubscribers.ofPublisher();
    }

    private static List<Header> fields(Request request) {
        List<Header> fields = passed(request.headers(), request.version());
        fields.removeIf(field -> CLAIMED.matcher(field.name()).matches());
        if (request.remoteAddress() instanceof InetSocketAddress client) {
            fields.add(new Header("X-Forwarded-For", client.getAddress().getHostAddress()));
        }
        return fields;
    }

    /**
     * Without fields that are for the next neighbour alone, as far as it says so in Connection, too; and with
     * Via, which says that this was relayed (RFC 9110 §7.6.1, §7.6.3).
     */
    private static List<Header> passed(List<Header> all, String version) {
        String named = joined(all, "Connection");
        if (named.chars().filter(c -> c == ',').count() >= MAX_NAMED) {
            throw new IllegalArgumentException("Connection names too many fields");
        }
        Set<String> dropped = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        // not split at the white space, too, which would be searched again and again
        Stream.of(named.split(",")).map(String::strip).forEach(dropped::add);
        dropped.addAll(OWN);
        dropped.add("Via");
        List<Header> fields = new ArrayList<>(all);
        fields.removeIf(field -> dropped.contains(field.name()));
        String relayed = version.replace("HTTP/", "") + " relay";
        String before = joined(all, "Via");
        fields.add(new Header("Via", before.isEmpty() ? relayed : before + ", " + relayed));
        return fields;
    }

    private static String joined(List<Header> fields, String name) {
        return fields.stream().filter(field -> field.name().equalsIgnoreCase(name)).map(Header::value)
                .collect(Collectors.joining(", "));
    }

    private static List<Header> fields(HttpHeaders headers) {
        var fields = new ArrayList<Header>();
        headers.map().forEach((name, values) -> values.forEach(value -> fields.add(new Header(name, value))));
        return passed(fields, "HTTP/1.1");
    }

    private static Response response(HttpResponse<Flow.Publisher<List<ByteBuffer>>> answer) {
        // one that is not sent, as to HEAD, is not subscribed to, and would keep its connection
        Body body = Body.of(new Flattened(answer.body()), length(answer.headers()))
                .onReleased(() -> answer.body().subscribe(new Discarding()));
        return new Response(answer.statusCode(), fields(answer.headers()), body);
    }

    /** Below 0 for one that is not known. The JDK takes more for a length than HTTP does. */
    private static long length(HttpHeaders headers) {
        List<String> lengths = headers.allValues("Content-Length");
        boolean chunked = !headers.allValues("Transfer-Encoding").isEmpty();
        if (lengths.isEmpty()) {
            return -1;
        }
        if (lengths.size() > 1 || chunked || !lengths.get(0).matches("[0-9]{1,18}")) {
            throw new IllegalArgumentException("the length of the answer is not clear");
        }
        return Long.parseLong(lengths.get(0));
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
            // the size of a body is the other server's business
            var options = new Options().withPort(port).withMaxStreamedSize(Options.NO_LIMIT);
            var relay = new RelayServer(origin);
            Handler handler = Handler.receiving(relay::receiver, relay::handle);
            var loop = new EventLoop(options, new NoopLogger(), handler);
            System.out.println("listening on port " + loop.getPort());
            loop.start();
        } catch (IllegalArgumentException | IOException e) {
            // no port number, or one that cannot be had; or no address of a server
            System.err.println("RelayServer [PORT [ORIGIN]]: " + e.getMessage());
            System.exit(2);
        }
    }
}
