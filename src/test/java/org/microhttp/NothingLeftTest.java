package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.*;
import org.microhttp.testing.*;

/**
 * However a server ends, and whatever its clients are at, nothing stays taken of what is limited: no bytes,
 * no connection, no request, no port; and no task waits, nor does an answer given afterwards leave one.
 */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class NothingLeftTest {

    /** How a server that runs may end. */
    enum End { STOP, CLOSE, INTERRUPT, NO_GRACE, SHORT_GRACE, LONG_GRACE }

    private static final Duration SHORT = Duration.ofMillis(100);
    private static final Duration LONG = Duration.ofSeconds(40);

    private static final int LOOPS = 3;
    private static final int CONNECTS = LOOPS + 11;

    private static final String POST = "POST / HTTP/1.1\r\nHost: x\r\n";
    private static final String LATER = "GET /later HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final String KILO = "GET /kilo HTTP/1.1\r\nHost: x\r\n\r\n";

    private final RecordingLogger log = new RecordingLogger();
    private final HoldingHandler handler = new HoldingHandler(this::handle);
    private final BlockingQueue<Consumer<Response>> pending = handler.pending;
    private final Response large = new Response(200, "OK", List.of(), new byte[16 << 20]);
    private final List<RawClient> clients = new ArrayList<>();
    private Thread thread;

    private void handle(Request request, Consumer<Response> callback) {
        switch (request.target()) {
            case "/large" -> callback.accept(large);
            case "/kilo" -> callback.accept(TestServer.ok("k".repeat(1_000)));
            default -> TestServer.echoTarget(request, callback);
        }
    }

    private static Options options() {
        return TestServer.options().withMaxConnections(100).withMaxPendingRequests(1_000)
                .withSendBufferSize(4096);
    }

    @AfterEach
    void closeClients() throws IOException {
        for (RawClient client : clients) {
            client.close();
        }
    }

    private RawClient connect(int port, String text) throws IOException {
        var client = new RawClient(port, 4096);
        clients.add(client);
        return client.send(text);
    }

    /** Clients at all they may be at; returns when each of the loops has taken notice. */
    private void connectAll(int port) throws Exception {
        var probes = new ArrayList<RawClient>();
        for (int i = 0; i < LOOPS; i++) {
            // the emptiest loop gets the next, so each loop gets one
            probes.add(connect(port, "").get("/probe").expectOk("/probe"));
        }
        connect(port, "");
        connect(port, "GET / HT");
        connect(port, POST + "Content-Length: 100000\r\n\r\n" + "b".repeat(50_000));
        connect(port, POST + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n5");
        connect(port, LATER);
        connect(port, LATER + POST + "Content-Length: 5\r\n\r\n");
        connect(port, LATER).halfClose();
        RawClient gone = connect(port, LATER);
        connect(port, "GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
        connect(port, KILO.repeat(300));
        connect(port, "wrong\r\n\r\n");
        log.await("accept", CONNECTS);
        probe(probes);
        gone.reset();
        probe(probes);
        probe(probes);
    }

    /** What has come before is read then: one turn looks at all that are ready. */
    private static void probe(List<RawClient> probes) throws IOException {
        for (RawClient client : probes) {
            client.get("/probe").expectOk("/probe");
        }
    }

    /** Each way to end, of each kind of server. */
    private static Stream<Arguments> ends() {
        return Stream.of(ServerKind.values())
                .flatMap(kind -> Stream.of(End.values()).map(end -> arguments(kind, end)));
    }

    @ParameterizedTest
    @MethodSource("ends")
    void leavesNothing(ServerKind kind, End end) throws Exception {
        Server server = kind.make(options(), log, handler, kind.loops);
        var totals = totals(server);
        thread = new Thread(server::start, "server");
        thread.start();
        connectAll(server.getPort());
        assertTrue(totals.isAllHeld());
        Thread answering = answerSome();
        switch (end) {
            case STOP -> server.stop();
            case CLOSE -> server.close();
            case INTERRUPT -> thread.interrupt();
            case NO_GRACE -> server.stop(Duration.ZERO);
            case SHORT_GRACE -> server.stop(SHORT);
            case LONG_GRACE -> leave(server, kind.loops);
        }
        answering.join();
        TestServer.join(thread);
        totals.assertNothingIsHeld();
        Freed.bind(server.getPort());
        ConnectionFixture.elsewhere(() -> pending.forEach(callback -> callback.accept(TestServer.ok("too late"))));
        totals.assertNothingIsHeld();
    }

    private static Totals totals(Server server) throws ReflectiveOperationException {
        var contexts = new ArrayList<LoopContext>();
        for (EventLoop loop : Inside.loops(server)) {
            contexts.add(Inside.of(loop, LoopContext.class));
        }
        return new Totals(contexts.toArray(LoopContext[]::new));
    }

    /** Two of the four answers come while the server ends, before or after it does. */
    private Thread answerSome() throws InterruptedException {
        List<Consumer<Response>> some = List.of(pending.peek(), List.copyOf(pending).get(2));
        var answering = new Thread(() -> some.forEach(callback -> callback.accept(TestServer.ok("late"))));
        answering.start();
        return answering;
    }

    /** Lets the server end before its grace is over. */
    private void leave(Server server, int loops) throws Exception {
        var stopping = new Stopping(() -> server.stop(LONG));
        log.await("leave", loops);
        closeClients();
        pending.forEach(callback -> callback.accept(TestServer.ok("late")));
        stopping.dropped();
    }

    @ParameterizedTest
    @EnumSource
    void leavesNothingIfItNeverRuns(ServerKind kind) throws Exception {
        List<Consumer<Server>> ends = List.of(Server::close, server -> server.stop(Duration.ZERO),
                server -> server.stop(LONG), server -> {
                    server.stop();
                    server.start();
                });
        for (Consumer<Server> end : ends) {
            Server server = kind.make(options(), log, handler, kind.loops);
            var totals = totals(server);
            connect(server.getPort(), LATER);
            end.accept(server);
            totals.assertNothingIsHeld();
            Freed.bind(server.getPort());
        }
    }
}
