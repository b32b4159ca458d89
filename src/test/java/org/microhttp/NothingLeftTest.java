package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.tools.Freed;
import org.microhttp.tools.HoldingHandler;
import org.microhttp.tools.RawClient;
import org.microhttp.tools.RecordingLogger;
import org.microhttp.tools.Stopping;
import org.microhttp.tools.TestGroup;
import org.microhttp.tools.TestServer;

/**
 * However a server ends, and whatever its clients are at, nothing stays taken of what is limited: no bytes,
 * no connection, no request, no port; and no task waits, nor does an answer given afterwards leave one.
 */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class NothingLeftTest {

    /** How a server that runs may end. */
    enum End { STOP, CLOSE, INTERRUPT, NO_GRACE, SHORT_GRACE, LONG_GRACE }

    /** How one may end that does not run. */
    enum Never { CLOSE, STOP_AND_START, NO_GRACE, LONG_GRACE }

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
        switch (request.uri()) {
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

    @ParameterizedTest
    @EnumSource
    void aLoopLeavesNothing(End end) throws Exception {
        var loop = new EventLoop(options(), log, handler);
        var totals = Totals.of(loop);
        run(loop::start, loop.getPort());
        assertTrue(totals.isAllHeld());
        Thread answering = answerSome();
        switch (end) {
            case STOP -> loop.stop();
            case CLOSE -> loop.close();
            case INTERRUPT -> thread.interrupt();
            case NO_GRACE -> loop.stop(Duration.ZERO);
            case SHORT_GRACE -> loop.stop(SHORT);
            case LONG_GRACE -> leave(new Stopping(loop, LONG), 1);
        }
        answering.join();
        assertNothingIsLeft(totals, loop.getPort());
    }

    @ParameterizedTest
    @EnumSource
    void aGroupLeavesNothing(End end) throws Exception {
        var group = new EventLoopGroup(options(), log, handler, LOOPS);
        var totals = totals(group);
        run(group::start, group.getPort());
        assertTrue(totals.isAllHeld());
        Thread answering = answerSome();
        switch (end) {
            case STOP -> group.stop();
            case CLOSE -> group.close();
            case INTERRUPT -> thread.interrupt();
            case NO_GRACE -> group.stop(Duration.ZERO);
            case SHORT_GRACE -> group.stop(SHORT);
            case LONG_GRACE -> leave(new Stopping(group, LONG), LOOPS);
        }
        answering.join();
        assertNothingIsLeft(totals, group.getPort());
    }

    private static Totals totals(EventLoopGroup group) throws ReflectiveOperationException {
        return new Totals(Inside.context(group, 0), Inside.context(group, 1), Inside.context(group, 2));
    }

    private void run(Runnable start, int port) throws Exception {
        thread = new Thread(start, "server");
        thread.start();
        connectAll(port);
    }

    /** Two of the four answers come while the server ends, before or after it does. */
    private Thread answerSome() throws InterruptedException {
        List<Consumer<Response>> some = List.of(pending.peek(), List.copyOf(pending).get(2));
        var answering = new Thread(() -> some.forEach(callback -> callback.accept(TestServer.ok("late"))));
        answering.start();
        return answering;
    }

    /** Lets the server end before its grace is over. */
    private void leave(Stopping stopping, int loops) throws Exception {
        log.await("leave", loops);
        closeClients();
        pending.forEach(callback -> callback.accept(TestServer.ok("late")));
        stopping.dropped();
    }

    private void assertNothingIsLeft(Totals totals, int port) throws Exception {
        TestGroup.join(thread);
        totals.assertNothingIsHeld();
        Freed.bind(port);
        ScriptedLoop.elsewhere(() -> pending.forEach(callback -> callback.accept(TestServer.ok("too late"))));
        totals.assertNothingIsHeld();
    }

    @ParameterizedTest
    @EnumSource
    void aLoopThatNeverRunsLeavesNothing(Never end) throws Exception {
        var loop = new EventLoop(options(), log, handler);
        var totals = Totals.of(loop);
        connect(loop.getPort(), LATER);
        end(end, loop::close, loop::stop, loop::start, grace -> loop.stop(Duration.ofSeconds(grace)));
        totals.assertNothingIsHeld();
        Freed.bind(loop.getPort());
    }

    @ParameterizedTest
    @EnumSource
    void aGroupThatNeverRunsLeavesNothing(Never end) throws Exception {
        var group = new EventLoopGroup(options(), log, handler, LOOPS);
        var totals = totals(group);
        connect(group.getPort(), LATER);
        end(end, group::close, group::stop, group::start, grace -> group.stop(Duration.ofSeconds(grace)));
        totals.assertNothingIsHeld();
        Freed.bind(group.getPort());
    }

    private static void end(Never end, Runnable close, Runnable stop, Runnable start, IntConsumer leave) {
        switch (end) {
            case CLOSE -> close.run();
            case STOP_AND_START -> {
                stop.run();
                start.run();
            }
            case NO_GRACE -> leave.accept(0);
            case LONG_GRACE -> leave.accept(40);
        }
    }
}
