package org.microhttp.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.Consumer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.*;
import org.microhttp.faults.tools.Visitor;
import org.microhttp.testing.*;

/**
 * Nothing that only a client does is logged above DEBUG by {@link SystemLogger}: each kind of response, asked
 * for by each kind of request, of a client that then leaves or is silent in each way.
 */
@Tier.Gate
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ClientsAloneTest {

    /** How clients reach the server. */
    private enum Door {

        PORT, UNIX, PROXY,

        /** A port of a server whose limits the clients reach. */
        LIMITED;

        Options options(Path folder) {
            return switch (this) {
                case PORT -> TestServer.options();
                case UNIX -> new Options().withUnixSocket(folder.resolve("s"));
                case PROXY -> TestServer.options().withProxyProtocol(true);
                case LIMITED -> TestServer.options().withMaxPendingRequests(20).withMaxRequestSize(60_000)
                        .withMaxStreamedSize(60_000).withMaxBufferedBytes(600_000).withMaxConnections(200)
                        .withMinSendRate(100).withMaxRequestsPerConnection(2);
            };
        }
    }

    /** What the client does after its request. */
    private enum Act {

        STAYS, READS, ENDS, CLOSES, RESETS, ENDS_AND_RESETS, SENDS_MORE;

        void of(Visitor client) throws IOException {
            switch (this) {
                case STAYS -> { }
                case READS -> client.goOn();
                case ENDS -> client.halfClose();
                case CLOSES -> client.close();
                case RESETS -> client.reset();
                case ENDS_AND_RESETS -> client.halfClose().reset();
                case SENDS_MORE -> client.send("\0".repeat(100_000));
            }
        }
    }

    private static final String HOST = " HTTP/1.1\r\nHost: x\r\n";
    private static final String ASKS = "Connection: upgrade\r\nUpgrade: echo\r\n";

    /** Requests, with the target instead of @. */
    private static final List<String> REQUESTS = List.of("GET @" + HOST + "\r\n",
            "HEAD @" + HOST + "\r\n", "GET @ HTTP/1.0\r\n\r\n", "GET @" + HOST + "Connection: close\r\n\r\n",
            "GET @" + HOST + ASKS + "\r\n", "GET @" + HOST + ASKS + "\r\nahead",
            "HEAD @" + HOST + ASKS + "\r\n", "GET @ HTTP/1.0\r\n" + ASKS + "\r\n",
            "GET @" + HOST + "Upgrade: echo\r\n\r\n", "GET @" + HOST + "Connection: upgrade\r\n\r\n",
            "POST @" + HOST + ASKS + "Content-Length: 5\r\n\r\nhello",
            "POST @" + HOST + ASKS + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
            "POST @" + HOST + "Content-Length: 5\r\n\r\nhello",
            "POST @" + HOST + "Content-Length: 5\r\n\r\nhe",
            "POST @" + HOST + "Content-Length: 50000\r\n\r\n" + "x".repeat(49_999),
            "POST @" + HOST + "Content-Length: 5000000\r\nExpect: 100-continue\r\n\r\n",
            "POST @" + HOST + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
            "POST @" + HOST + "Transfer-Encoding: chunked\r\n\r\n5\r\nhel",
            "POST @" + HOST + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nz\r\n",
            ("GET @" + HOST + "\r\n").repeat(3), "GET @" + HOST + "\r\n" + "GET @ HTT",
            "GET @" + HOST + "\r\n" + "wrong\r\n\r\n", "GET @" + HOST + "Host");

    private static final byte[] LARGE = new byte[3_000_000];

    /** A publisher that signals so many buffers as they are requested, and then is silent, or ends. */
    private record Buffers(int count, boolean ends) implements Flow.Publisher<ByteBuffer> {

        @Override
        public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
            subscriber.onSubscribe(new Flow.Subscription() {

                private int left = count;

                @Override
                public void request(long requested) {
                    for (long i = 0; i < requested && left > 0; i++) {
                        left--;
                        subscriber.onNext(ByteBuffer.allocate(10_000));
                        if (left == 0 && ends) subscriber.onComplete();
                    }
                }

                @Override
                public void cancel() {
                    left = 0;
                }
            });
        }
    }

    /** A subscriber that takes all, nothing, or refuses. */
    private record Taking(Consumer<Flow.Subscription> begin) implements Flow.Subscriber<List<ByteBuffer>> {

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            begin.accept(subscription);
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) { }

        @Override
        public void onError(Throwable cause) { }

        @Override
        public void onComplete() { }
    }

    @TempDir
    private Path folder;

    private final Queue<String> warnings = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> late = new ConcurrentLinkedQueue<>();

    /** Of other protocols, which may have bytes to read before the client's end. */
    private final Queue<Flow.Subscription> paused = new ConcurrentLinkedQueue<>();
    private final Map<String, Handler> handlers = new TreeMap<>();
    private final ManualClock clock = new ManualClock();

    /** Passes all events on to the system's logger. */
    private final class Log extends RecordingLogger {

        private final SystemLogger system = new SystemLogger(new Warnings());

        @Override
        public void log(Throwable cause, LogEntry... entries) {
            super.log(cause, entries);
            if (!entries[0].value().equals("exchange")) system.log(cause, entries);
        }
    }

    /** Keeps what is logged above DEBUG. */
    private final class Warnings extends PlatformLogger {

        @Override
        public void log(Level level, ResourceBundle bundle, String text, Throwable thrown) {
            if (level.getSeverity() > Level.DEBUG.getSeverity()) warnings.add(text + "  " + thrown);
        }
    }

    private static Response streamed(Flow.Publisher<ByteBuffer> publisher) {
        return new Response(200, List.of(), Body.of(publisher));
    }

    private void addHandlers(FileChannel file) {
        answering("/text", request -> TestServer.ok("text"));
        answering("/large", request -> new Response(200, List.of(), LARGE));
        answering("/file", request -> new Response(200, List.of(), Body.of(file, 0, LARGE.length)));
        answering("/silent", request -> streamed(new Buffers(0, false)));
        answering("/events", request ->
                new Response(200, List.of(), Body.of(new Buffers(1, false)).withHeadAtOnce()));
        answering("/stream", request -> streamed(new Buffers(100, true)));
        answering("/endless", request -> streamed(new Buffers(Integer.MAX_VALUE, false)));
        answering("/upgrade", request -> upgrade(new Buffers(0, false), Long.MAX_VALUE));
        answering("/upgrade-paused", request -> upgrade(new Buffers(1, false), 1));
        answering("/upgrade-endless", request -> upgrade(new Buffers(Integer.MAX_VALUE, false), 1));
        answering("/upgrade-short", request -> upgrade(new Buffers(1, true), Long.MAX_VALUE));
        handlers.put("/later", (request, callback) -> late.add(() -> callback.accept(TestServer.ok("late"))));
        handlers.put("/later-stream", (request, callback) ->
                late.add(() -> callback.accept(streamed(new Buffers(100, true)))));
        handlers.put("/later-upgrade", (request, callback) ->
                late.add(() -> callback.accept(upgrade(new Buffers(0, false), Long.MAX_VALUE))));
        // the example of onAbandoned
        handlers.put("/abandoned", (request, callback) -> {
            var work = CompletableFuture.supplyAsync(() -> TestServer.ok("late"), late::add);
            request.onAbandoned(() -> work.cancel(true));
            work.exceptionally(Response::failed).thenAccept(callback);
        });
        Handler blocking = Handler.blocking(late::add, request -> TestServer.ok("late"));
        handlers.put("/blocking", blocking);
        handlers.put("/blocking-changed", blocking.andThen((request, response) ->
                response.withHeader("A", "b")));
        // the thread of an abandoned request is interrupted
        handlers.put("/interrupted", Handler.blocking(late::add, request -> {
            if (!request.isAbandoned()) return TestServer.ok("late");
            throw new IllegalStateException(new InterruptedException());
        }));
    }

    private void answering(String path, java.util.function.Function<Request, Response> function) {
        handlers.put(path, (request, callback) -> callback.accept(function.apply(request)));
    }

    private Response upgrade(Flow.Publisher<ByteBuffer> outgoing, long requested) {
        return Response.upgrade("echo", List.of(), outgoing, new Taking(subscription -> {
            subscription.request(requested);
            paused.add(subscription);
        }));
    }

    /** Keeps bodies in memory, receives them, wants none of them yet, or refuses them. */
    private final class Choosing implements Handler {

        @Override
        public void handle(Request request, Consumer<Response> callback) {
            handlers.get(request.path()).handle(request, callback);
        }

        @Override
        public Flow.Subscriber<? super List<ByteBuffer>> receiver(Request request) {
            return switch ("" + request.query()) {
                case "receive" -> HttpResponse.BodySubscribers.ofByteArray();
                case "pause" -> new Taking(subscription -> { });
                case "refuse" -> new Taking(Flow.Subscription::cancel);
                default -> null;
            };
        }
    }

    /** A request, and what its client does after it. */
    private record Visit(String request, Act act, Visitor client) { }

    @ParameterizedTest
    @EnumSource
    void areNeverLoggedAboveDebug(Door door) throws Exception {
        Path path = Files.write(folder.resolve("file"), LARGE);
        Options options = door.options(folder).withSendBufferSize(20_000);
        String preface = door == Door.PROXY ? ProxyHeaders.LINE : "";
        var log = new Log();
        var found = new TreeMap<String, String>();
        try (var file = FileChannel.open(path)) {
            addHandlers(file);
            var targets = new ArrayList<>(handlers.keySet());
            for (String how : List.of("receive", "pause", "refuse")) {
                targets.addAll(List.of("/text?" + how, "/events?" + how, "/later?" + how, "/upgrade?" + how));
            }
            try (var server = new TestServer(clock.in(options), log, new Choosing())) {
                for (String target : targets) {
                    visit(server, log, preface, target, found);
                }
                long overloads = log.count("overload");
                assertEquals(log.count("read_request"), server.itself.stats().served() + overloads);
            }
        }
        assertEquals(Map.of(), found);
        assertTrue(log.count("response_late") > 0, "late answers");
        assertTruth(log);
    }

    @ParameterizedTest
    @EnumSource
    void areNeverLoggedAboveDebugIfTheyLeaveBeforeAccept(Door door) throws Exception {
        var log = new Log();
        handlers.put("/", TestServer::echoTarget);
        Options options = clock.in(door.options(folder));
        try (var server = new TestServer(options, log, new Choosing())) {
            CountDownLatch held = server.hold();
            for (String text : List.of("", RawClient.GET, "GET", "wrong\r\n")) {
                for (Act act : Act.values()) {
                    Visitor client = new Visitor(server.address()).send(text);
                    act.of(client);
                    client.reset();
                }
            }
            held.countDown();
            pass(server, 0);
            pass(server, 80);
            log.await("close", 4 * Act.values().length);
        }
        assertEquals(List.of(), List.copyOf(warnings));
    }

    /** What failed is what the event says. */
    private static void assertTruth(Log log) {
        for (RecordingLogger.Event event : log.events()) {
            boolean read = event.name().equals("read_error");
            if (!read && !event.name().equals("write_error")) continue;
            List<String> steps = Arrays.stream(event.cause().getStackTrace())
                    .map(StackTraceElement::getMethodName).toList();
            assertTrue(steps.contains(read ? "read" : "write") || read && steps.contains("look")
                    || steps.contains("endOutput"), event + " at " + steps);
        }
    }

    /** All clients at once, because time passes for all. */
    private void visit(TestServer server, Log log, String preface, String target,
            Map<String, String> found) throws Exception {
        var visits = new ArrayList<Visit>();
        int before = log.count("accept");
        for (String request : REQUESTS) {
            for (Act act : Act.values()) {
                String text = request.replace("@", target);
                visits.add(new Visit(text, act, new Visitor(server.address()).send(preface + text)));
                // they get their numbers in this order
                log.await("accept", before + visits.size());
            }
        }
        pass(server, 0);
        for (Visit visit : visits) {
            visit.act.of(visit.client);
        }
        pass(server, 0);
        while (!late.isEmpty()) {
            for (Runnable task = late.poll(); task != null; task = late.poll()) {
                task.run();
            }
            // a pipelined request comes to its handler now
            pass(server, 0);
        }
        pass(server, 80);
        pass(server, 1);
        // beyond streamTimeout: if nobody has upgraded, publisher or subscriber would be to blame
        if (target.contains("upgrade") && !target.endsWith("?pause")) pass(server, 600);
        for (String warning : warnings) {
            int id = Integer.parseInt(warning.replaceFirst(".* id=(\\d+) .*", "$1"));
            Visit visit = visits.get(id - before);
            found.putIfAbsent(warning.replaceAll(" (id|peer)=\\S*", ""),
                    visit.act + " after " + visit.request.replaceAll("x{9,}", "x..."));
        }
        for (Visit visit : visits) {
            visit.client.reset();
        }
        paused.forEach(subscription -> subscription.request(Long.MAX_VALUE));
        // what the server notices only now has its time from now on
        pass(server, 0);
        pass(server, 600);
        pass(server, 600);
        log.await("close", log.count("accept"));
        paused.clear();
        late.clear();
        warnings.clear();
    }

    private void pass(TestServer server, int seconds) throws Exception {
        clock.pass(server.itself, Duration.ofSeconds(seconds));
        // what came of it
        clock.pass(server.itself, Duration.ZERO);
    }
}
