package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.KeptExchange.End;
import org.microhttp.KeptExchange.Kept;
import org.microhttp.testing.*;

/**
 * What a program keeps of an exchange that is over keeps nothing else alive: from a callback no connection,
 * request or answer can be reached, from a request or an answer nothing of the server, and from a server that
 * has ended nothing of its clients. Looked for in two ways: what the collector does not take, and the way to
 * it from what is kept.
 */
@Tier.Gate
@Timeout(value = 40, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ReachabilityTest {

    private static final int COLLECTIONS = 20;

    /** How much of what is kept a failure tells. */
    private static final int SHOWN = 20;

    private final List<KeptExchange> exchanges = new ArrayList<>();
    private final Queue<WeakReference<Object>> connections = new ConcurrentLinkedQueue<>();
    private final MovedClock clock = new MovedClock();
    private TestServer server;

    /** A server that counts its pending requests and logs all; or one that does neither. */
    enum Setting {

        COUNTED, SILENT;

        private TestServer serve(Options options, ErrorHandler hook, Handler handler) throws IOException {
            Options all = options.withErrorHandler(hook).withHandlerTimeout(Duration.ofMinutes(1))
                    .withSendBufferSize(4096);
            return switch (this) {
                case COUNTED -> new TestServer(ServerKind.GROUP, all.withMaxPendingRequests(1_000), handler);
                case SILENT -> new TestServer(all, new NoopLogger(), handler);
            };
        }
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private void handle(Request request, Consumer<Response> callback) {
        if (request.target().equals("/plain")) {
            callback.accept(TestServer.ok("plain"));
            return;
        }
        noteConnections();
        exchange(request).handle(request, callback);
    }

    /** What is refused behind one of them is no exchange of the test. */
    private Response replace(ServerError error) {
        if (error.code().equals("bad_request_line")) return error.response();
        return exchange(error.request()).replace(error);
    }

    private KeptExchange exchange(Request request) {
        return exchanges.get(Integer.parseInt(request.target().substring(1)));
    }

    /** Those of the loop that calls. */
    private void noteConnections() {
        try {
            for (EventLoop loop : server.loops()) {
                if (!Inside.of(loop, LoopContext.class).tasks.isLoopThread()) continue;
                for (SelectionKey key : Inside.of(loop, Selector.class).keys()) {
                    if (key.attachment() instanceof Connection connection) note(connection);
                }
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private void note(Connection connection) {
        if (connections.stream().noneMatch(known -> known.refersTo(connection))) {
            connections.add(new WeakReference<>(connection));
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatIsKeptKeepsNothingElse(Setting setting) throws Exception {
        server = setting.serve(clock.in(TestServer.options()), this::replace, this::handle);
        forEach(End.INLINE, End.UNREAD_RESET, this::exchange);
        assertNothingIsKept(false);
        forEach(End.NEVER, End.LATE, exchange -> server.connect().send(request(exchange)));
        forEach(End.NEVER, End.LATE, ReachabilityTest::awaitHandler);
        clock.pass(server.itself, Duration.ofHours(1));
        forEach(End.LATE, End.LATE, ReachabilityTest::answer);
        awaitClosed();
        assertNothingIsKept(true);
        forEach(End.STOPPED, End.STOPPED_UNREAD, this::exchange);
        server.stop();
        forEach(End.STOPPED_LATE, End.STOPPED_LATE, ReachabilityTest::answer);
        assertNothingIsKept(true);
    }

    /** One exchange of each kind after the other. */
    private interface Each {
        void run(KeptExchange exchange) throws Exception;
    }

    private void forEach(End first, End last, Each each) throws Exception {
        for (End end : EnumSet.range(first, last)) {
            if (exchanges.stream().noneMatch(exchange -> exchange.end == end)) {
                for (Kept kept : Kept.values()) {
                    exchanges.add(new KeptExchange(end, kept, false));
                    exchanges.add(new KeptExchange(end, kept, true));
                }
            }
        }
        for (KeptExchange exchange : List.copyOf(exchanges)) {
            if (exchange.end.compareTo(first) >= 0 && exchange.end.compareTo(last) <= 0) each.run(exchange);
        }
    }

    private String request(KeptExchange exchange) {
        return exchange.request(exchanges.indexOf(exchange));
    }

    private void exchange(KeptExchange exchange) throws Exception {
        RawClient client = server.connect(4096).send(request(exchange));
        switch (exchange.end) {
            case INLINE, TWICE, NULL, FAILED, THREW, THREW_AFTER, REJECTED, DROPPED -> client.response();
            case TO_HEAD -> client.response(true);
            case PIPELINED -> {
                client.get("/plain").get("/plain");
                client.response();
                client.expectOk("plain").expectOk("plain");
            }
            case ELSEWHERE, ELSEWHERE_TWICE, ELSEWHERE_NULL -> {
                answer(exchange);
                client.response();
            }
            case HALF_CLOSED -> {
                client.halfClose();
                answer(exchange);
                client.response();
                client.expectEnd();
            }
            case SPOILED -> {
                client.send("wrong\r\n\r\n");
                answer(exchange);
                client.response();
                client.expectRefusal(400, "bad_request_line");
            }
            case RESET, RESET_LATE -> {
                awaitHandler(exchange);
                reset(client);
                if (exchange.end == End.RESET_LATE) answer(exchange);
                exchange.pending.clear();
            }
            case UNREAD_RESET -> {
                client.read(1);
                reset(client);
            }
            case STOPPED_UNREAD -> client.read(1);
            case STOPPED, STOPPED_LATE -> awaitHandler(exchange);
            case NEVER, LATE -> throw new IllegalArgumentException("done by many at once");
        }
        if (exchange.end == End.STOPPED) exchange.pending.clear();
    }

    private static void awaitHandler(KeptExchange exchange) throws InterruptedException {
        Consumer<Response> callback = exchange.pending.poll(30, TimeUnit.SECONDS);
        if (callback == null) throw new AssertionError(exchange + " was not handed over");
        if (exchange.end != End.NEVER) exchange.pending.add(callback);
    }

    /** By another thread. */
    private static void answer(KeptExchange exchange) throws InterruptedException {
        Consumer<Response> callback = exchange.pending.poll(30, TimeUnit.SECONDS);
        ConnectionFixture.elsewhere(() -> {
            switch (exchange.end) {
                case ELSEWHERE_TWICE -> exchange.answerTwice(callback);
                case ELSEWHERE_NULL -> callback.accept(null);
                default -> callback.accept(exchange.answer());
            }
        });
    }

    /** Returns when the server has noticed. */
    private void reset(RawClient client) throws Exception {
        long closed = server.itself.stats().closed();
        client.reset();
        while (server.itself.stats().closed() == closed) {
            clock.pass(server.itself, Duration.ZERO);
        }
    }

    /** Returns when also those are closed whose client might still send. */
    private void awaitClosed() throws Exception {
        while (server.itself.stats().connections() > 0) {
            clock.pass(server.itself, Duration.ofHours(1));
        }
    }

    /** @param closed whether no connection is open any more */
    private void assertNothingIsKept(boolean closed) throws Exception {
        if (server.thread.isAlive()) clock.pass(server.itself, Duration.ZERO);
        var kept = new ArrayList<String>();
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            kept.clear();
            exchanges.forEach(exchange -> kept.addAll(exchange.alive(closed)));
            if (closed) kept.addAll(openConnections());
            if (kept.isEmpty()) break;
        }
        exchanges.forEach(exchange -> kept.addAll(exchange.foreign(closed)));
        String some = String.join("\n", kept.subList(0, Math.min(SHOWN, kept.size())));
        assertTrue(kept.isEmpty(), () -> kept.size() + " are kept:\n" + some);
    }

    /** Those that are alive, and how they are reached from the server. */
    private List<String> openConnections() throws ReflectiveOperationException {
        var alive = new ArrayList<String>();
        for (WeakReference<Object> reference : connections) {
            Object connection = reference.get();
            if (connection == null) continue;
            alive.add("a connection is kept" + paths(object -> object == connection));
        }
        return alive;
    }

    private List<String> paths(Predicate<Object> wanted) throws ReflectiveOperationException {
        return server.loops().stream().map(loop -> ObjectGraph.path(loop, KeptExchange::isOpen, wanted))
                .filter(Objects::nonNull).toList();
    }
}
