package org.microhttp.lifecycle;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.*;
import org.microhttp.*;
import org.microhttp.testing.*;

/**
 * Which requests are still answered in a graceful stop: those of clients in the kernel's queue, those that
 * came while the loop was busy, and for a second those that may just be on their way.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class GracefulStopTest {

    private static final Duration LONG = Duration.ofSeconds(40);
    private static final String LAST = "HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s";

    private final HoldingHandler handler = new HoldingHandler();

    /** The answer of a connection that has no other after it, and its end. */
    private static void expectLast(RawClient client, String body) throws IOException {
        client.expect(LAST.formatted(body.length(), body)).expectEnd().close();
    }

    /** A client whose request holds the loop. */
    private RawClient block(TestServer server) throws IOException {
        RawClient client = server.connect().get("/block");
        TestServer.await(handler.blocks);
        return client;
    }

    /** Begins a graceful stop while the loop is held, then lets the loop go on. */
    private PendingStop stopBlocked(TestServer server, Duration grace) {
        PendingStop stopping = server.stopGracefully(grace).awaitWaiting();
        handler.released.countDown();
        return stopping;
    }

    private static List<RawClient> connect(TestServer server, int count) throws IOException {
        var clients = new ArrayList<RawClient>();
        for (int i = 0; i < count; i++) {
            clients.add(server.connect().get("/waiting"));
        }
        return clients;
    }

    /** On Linux the kernel's queue holds one more than it was asked to. */
    @ParameterizedTest
    @CsvSource({
        // acceptLength, maxConnections, clients in the queue
        "0, 0, 200", "1, 0, 2", "5, 0, 6", "2147483647, 0, 6", "0, 1, 20", "0, 10, 40",
    })
    void answersAllInTheKernelsQueue(int length, int limit, int count) throws Exception {
        var options = TestServer.options().withAcceptLength(length)
                .withMaxConnections(limit == 0 ? Options.NO_LIMIT : limit);
        try (var server = new TestServer(options, handler)) {
            RawClient blocking = block(server);
            List<RawClient> waiting = connect(server, count);
            PendingStop stopping = stopBlocked(server, LONG);
            blocking.expectOk("/block").close();
            for (RawClient client : waiting) {
                expectLast(client, "/waiting");
            }
            assertEquals(0, stopping.dropped());
            int open = 0;
            for (var event : server.log.events()) {
                open += event.name().equals("accept") ? 1 : event.name().equals("close") ? -1 : 0;
                assertTrue(limit == 0 || open <= limit, open + " connections at once");
            }
            assertEquals(count + 1, server.log.count("close"));
        }
    }

    /** For each that is accepted another comes: without an end there would be none. A turn accepts 64. */
    @ParameterizedTest
    @ValueSource(ints = {5, 100})
    void acceptsNoMoreThanTheQueueHolds(int length) throws Exception {
        var more = new AtomicInteger(300);
        var late = new ConcurrentLinkedQueue<RawClient>();
        try (var server = new TestServer(TestServer.options().withAcceptLength(length), handler)) {
            server.log.hook = event -> {
                boolean comes = event.equals("accept") && handler.released.getCount() == 0;
                if (comes && more.decrementAndGet() >= 0) late.add(open(server));
            };
            block(server);
            connect(server, 3);
            stopBlocked(server, LONG).dropped();
            server.join();
            int accepted = server.log.count("accept") - 1;
            assertTrue(accepted >= 3 && accepted <= length + 1, accepted + " were accepted");
        }
        for (RawClient client : late) {
            client.close();
        }
    }

    private static RawClient open(TestServer server) {
        try {
            return RawClient.to(server.address());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** At most those of one turn, 64, and the one that holds the loop. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void acceptsNobodyAfterAStopOrWhenItsTimeIsOver(boolean stops) throws Exception {
        try (var server = new TestServer(handler)) {
            block(server);
            connect(server, 400);
            PendingStop stopping = server.stopGracefully(stops ? LONG : Duration.ZERO).awaitWaiting();
            if (stops) server.loop.stop();
            handler.released.countDown();
            stopping.dropped();
            server.join();
            int count = server.log.count("accept");
            assertTrue(count <= 65, count + " were accepted");
            assertEquals(0, server.log.count("accept_error"));
        }
    }

    /** A client that could still connect would be reset: nobody accepts any more. */
    @Test
    void closesThePortBeforeItTurnsToItsConnections() throws Exception {
        try (var server = new TestServer(handler)) {
            RawClient client = server.connect().get("/1").expectOk("/1");
            handler.task = () -> assertThrows(ConnectException.class,
                    () -> RawClient.to(server.address()).close());
            RawClient blocking = block(server);
            // answered in the turn in which the graceful stop begins
            client.get("/run");
            PendingStop stopping = stopBlocked(server, LONG);
            expectLast(client, "/run");
            blocking.expectOk("/block").close();
            assertEquals(0, stopping.dropped());
        }
    }

    /** The read buffer ends where a request does, so that nothing shows but in the socket that more came. */
    @Test
    void answersRequestsThatTheReadBufferHadNoPlaceFor() throws Exception {
        int length = "GET /12345 HTTP/1.1\r\nHost: x\r\n\r\n".length();
        var options = TestServer.options().withReadBufferSize(length);
        try (var server = new TestServer(options, handler)) {
            RawClient client = server.connect().get("/").expectOk("/");
            RawClient blocking = block(server);
            client.get("/00001").get("/00002").get("/00003");
            PendingStop stopping = stopBlocked(server, LONG);
            expectLast(client.expectOk("/00001").expectOk("/00002"), "/00003");
            blocking.expectOk("/block").close();
            assertEquals(0, stopping.dropped());
        }
    }

    @Test
    void zeroGraceStillAnswersCompleteRequests() throws Exception {
        try (var server = new TestServer(handler)) {
            RawClient handled = server.connect().get("/later");
            handler.pending.take();
            RawClient blocking = block(server);
            RawClient waiting = server.connect().get("/waiting");
            PendingStop stopping = stopBlocked(server, Duration.ZERO);
            expectLast(waiting, "/waiting");
            blocking.expectOk("/block").expectEnd();
            handled.expectEnd();
            assertEquals(1, stopping.dropped());
        }
    }

    /** With the default resolution, by which nothing may be late. */
    @ParameterizedTest
    @EnumSource
    void takesNoTimeWhenNothingHappenedForASecond(ServerKind kind) throws Exception {
        long best = Long.MAX_VALUE;
        for (int i = 0; i < 5 && best > 50; i++) {
            var clock = new ManualClock();
            var options = clock.in(new Options().withHost("127.0.0.1").withPort(0));
            try (var server = new TestServer(kind, options, handler)) {
                RawClient used = server.connect().get("/1").expectOk("/1");
                RawClient unused = server.connect();
                server.awaitEvent("accept", 2);
                clock.pass(server.itself, Duration.ZERO);
                // this is the second in which nothing happens
                clock.pass(Duration.ofMillis(1_050));
                long began = System.nanoTime();
                assertEquals(0, server.itself.stop(LONG));
                best = Math.min(best, (System.nanoTime() - began) / 1_000_000);
                used.expectEnd();
                unused.expectEnd();
            }
        }
        assertTrue(best <= 50, best + " ms");
    }

    @Test
    void closesAConnectionASecondAfterItsLastUse() throws Exception {
        var clock = new ManualClock();
        try (var server = new TestServer(clock.in(TestServer.options()), handler)) {
            RawClient client = server.connect().get("/1").expectOk("/1");
            PendingStop stopping = server.beginGracefulStop(LONG);
            clock.pass(server.itself, Duration.ofMillis(900));
            assertEquals(0, server.log.count("close"));
            clock.pass(Duration.ofMillis(150));
            Inside.execute(server.loop, () -> { });
            client.expectEnd();
            assertEquals(0, stopping.dropped());
        }
    }

    @Test
    void readsOnceMoreBeforeItClosesAnIdleConnection() throws Exception {
        var clock = new ManualClock();
        try (var server = new TestServer(clock.in(TestServer.options()), handler)) {
            RawClient client = server.connect().get("/1").expectOk("/1");
            // after a second in which nothing happens it is closed at once
            clock.pass(Duration.ofMillis(1_050));
            RawClient blocking = block(server);
            client.get("/2");
            PendingStop stopping = stopBlocked(server, LONG);
            expectLast(client, "/2");
            blocking.expectOk("/block").close();
            assertEquals(0, stopping.dropped());
        }
    }

    @Test
    void aLoopOfAGroupThatHasEndedDoesNotEndTheOthers() throws Exception {
        try (var server = new TestServer(ServerKind.HANDING_OVER, handler)) {
            RawClient client = server.connect().get("/later");
            Consumer<Response> callback = handler.pending.take();
            // the first loop accepts, and keeps the first connection
            Thread idle = TestServer.threads("microhttp-1").get(0);
            PendingStop stopping = server.stopGracefully(LONG);
            TestServer.join(idle);
            callback.accept(TestServer.ok("late"));
            expectLast(client, "late");
            assertEquals(0, stopping.dropped());
        }
    }
}
