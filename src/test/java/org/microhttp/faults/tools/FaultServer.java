package org.microhttp.faults.tools;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.microhttp.EventLoop;
import org.microhttp.Handler;
import org.microhttp.NoopLogger;
import org.microhttp.Occupancy;
import org.microhttp.Options;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.Stats;
import org.microhttp.testing.Heap;
import org.microhttp.testing.InputCommands;
import org.microhttp.testing.RecordingLogger;
import org.microhttp.testing.TestServer;

/**
 * The server of tests and programs of faults, for {@code ServerProcess}. Its handler fails where the target
 * asks for it, and else answers with the request's body, or with its target if it has none, so that an answer
 * can be told from another. Bodies to /all, /one and /none are received as they come, and dropped: all is
 * requested, or one list at a time, or nothing until the order "answer". The properties of the JVM set
 * options; {@code -Dlog=true} keeps events. It understands the orders of {@link #obey}.
 */
public final class FaultServer implements Handler {

    /** The name of the server's program. */
    public static final String MAIN = FaultServer.class.getName();

    /** Targets at which the handler fails, each in a way of its own. */
    public static final List<String> FAILING = List.of("/throw", "/error", "/null", "/twice", "/never",
            "/stall");

    /** As many threads as are stalled at most by what one load sends, so that no queue of them is kept. */
    private static final int STALLED = 64;

    private static final long STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** Also loads the class that makes other answers, while there are descriptors. */
    private final Response medium = TestServer.ok("m".repeat(1_000));
    private final Response large = new Response(200, "OK", List.of(), new byte[8 << 20]);
    private final Queue<Consumer<Response>> waiting = new ConcurrentLinkedQueue<>();
    private final Queue<Flow.Subscription> unrequested = new ConcurrentLinkedQueue<>();
    private final RecordingLogger log = new RecordingLogger();
    private final Handler stalling;
    private final EventLoop loop;
    private final Occupancy occupied;

    private FaultServer() throws IOException, ReflectiveOperationException {
        var threads = Executors.newFixedThreadPool(STALLED);
        stalling = Handler.blocking(threads, request -> {
            LockSupport.parkNanos(STALL_NANOS);
            return TestServer.ok("late");
        });
        var options = new Options().withHost("127.0.0.1").withPort(0);
        for (String name : System.getProperties().stringPropertyNames()) {
            options = with(options, name, System.getProperty(name));
        }
        loop = new EventLoop(options, Boolean.getBoolean("log") ? log : new NoopLogger(), this);
        occupied = new Occupancy(loop);
    }

    /** Drops what it gets. */
    private final class Dropping implements Flow.Subscriber<List<ByteBuffer>> {

        private final String target;
        private Flow.Subscription subscription;

        Dropping(String target) {
            this.target = target;
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
            switch (target) {
                case "/all" -> subscription.request(Long.MAX_VALUE);
                case "/one" -> subscription.request(1);
                default -> unrequested.add(subscription);
            }
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
            if (target.equals("/one")) subscription.request(1);
        }

        @Override
        public void onError(Throwable cause) {
            unrequested.remove(subscription);
        }

        @Override
        public void onComplete() {
            unrequested.remove(subscription);
        }
    }

    @Override
    public Flow.Subscriber<? super List<ByteBuffer>> receiver(Request request) {
        return request.target().matches("/all|/one|/none") ? new Dropping(request.target()) : null;
    }

    private static Options with(Options options, String name, String value) {
        return switch (name) {
            case "host" -> options.withHost(value);
            case "unixSocket" -> options.withUnixSocket(Path.of(value));
            case "proxyProtocol" -> options.withProxyProtocol(Boolean.parseBoolean(value));
            case "acceptLength" -> options.withAcceptLength(Integer.parseInt(value));
            case "sendBufferSize" -> options.withSendBufferSize(Integer.parseInt(value));
            case "maxRequestSize" -> options.withMaxRequestSize(Integer.parseInt(value));
            case "maxBufferedBytes" -> options.withMaxBufferedBytes(Long.parseLong(value));
            case "socketTimeout" -> options.withSocketTimeout(Duration.parse(value));
            case "requestTimeout" -> options.withRequestTimeout(Duration.parse(value));
            case "handlerTimeout" -> options.withHandlerTimeout(Duration.parse(value));
            default -> options;
        };
    }

    public static void main(String[] arguments) throws Exception {
        var server = new FaultServer();
        System.out.println(server.loop.getPort());
        InputCommands.answer(server::obey);
        server.loop.start();
    }

    @Override
    public void handle(Request request, Consumer<Response> callback) {
        switch (request.target().split("\\?")[0]) {
            case "/medium" -> callback.accept(medium);
            case "/large" -> callback.accept(large);
            case "/pending" -> waiting.add(callback);
            case "/throw" -> throw new IllegalStateException("on purpose");
            case "/error" -> throw new StackOverflowError("on purpose");
            case "/null" -> callback.accept(null);
            case "/never" -> { }
            case "/stall" -> stalling.handle(request, callback);
            case "/twice" -> {
                TestServer.echoTarget(request, callback);
                TestServer.echoTarget(request, callback);
            }
            default -> {
                if (request.body().length > 0) {
                    TestServer.echoBody(request, callback);
                } else {
                    TestServer.echoTarget(request, callback);
                }
            }
        }
    }

    /**
     * "counts" is for {@link ServerCounts}; "heap" is what is live, "collected" what one collection left,
     * "direct" what direct buffers have. "answer" answers the requests to /pending, and
     * requests what bodies to /none have. "await NAME" awaits an
     * event and prints its cause; any other line is the name of an event, and prints how many there were.
     */
    private Object obey(String line) {
        return switch (line.split(" ")[0]) {
            case "counts" -> counts();
            case "heap" -> Heap.live();
            case "collected" -> collected();
            case "direct" -> Heap.direct();
            case "answer" -> answer();
            case "await" -> cause(log.await(line.split(" ")[1]).cause());
            default -> log.count(line);
        };
    }

    private static String cause(Throwable cause) {
        return cause == null ? "none" : cause.getClass().getSimpleName();
    }

    private int answer() {
        for (Flow.Subscription one; (one = unrequested.poll()) != null; ) {
            one.request(Long.MAX_VALUE);
        }
        int count = 0;
        for (Consumer<Response> callback; (callback = waiting.poll()) != null; count++) {
            callback.accept(TestServer.ok("ok"));
        }
        return count;
    }

    private String counts() {
        Stats stats = loop.stats();
        long refused = stats.refusals().values().stream().mapToLong(n -> n).sum();
        return stats.connections() + " " + stats.accepted() + " " + occupied.bytes() + " " + stats.bytesIn()
                + " " + refused;
    }

    /** What one full collection left, whatever was allocated since; the collector must compact each time. */
    private static long collected() {
        System.gc();
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .mapToLong(pool -> pool.getCollectionUsage().getUsed()).sum();
    }
}
