package org.microhttp.lifecycle;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.*;
import org.microhttp.*;
import org.microhttp.testing.*;

/** What is still answered when a server leaves: requests that are here in whatever way. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class LeavingTest {

    private static final Duration LONG = Duration.ofSeconds(40);
    private static final String LAST = "HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s";

    private final HoldingHandler handler = new HoldingHandler(LeavingTest::handle);
    private final BlockingQueue<Consumer<Response>> pending = handler.pending;

    /** Answers with the target, or with what came of a connect that it asks for. */
    private static void handle(Request request, Consumer<Response> callback) {
        String target = request.target();
        boolean connects = target.startsWith("/connect/");
        callback.accept(TestServer.ok(connects ? connect(target.substring(9)) : target));
    }

    /** The answer of a connection that has no other after it, and its end. */
    private static void expectLast(RawClient client, String body) throws IOException {
        client.expect(LAST.formatted(body.length(), body)).expectEnd().close();
    }

    private static String get(String target) {
        return "GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n";
    }

    /** A client whose request holds the loop. */
    private RawClient block(TestServer server) throws IOException {
        RawClient client = server.connect().get("/block");
        TestServer.await(handler.blocks);
        return client;
    }

    /** Lets the loop go on when it has been told to leave. */
    private Stopping leaveBlocked(TestServer server) {
        Stopping stopping = server.leave(LONG).awaitWaiting();
        handler.released.countDown();
        return stopping;
    }

    @ParameterizedTest
    @EnumSource
    void finishesWhatIsInFlightAndSaysThatItIsTheLast(ServerKind kind) throws Exception {
        try (var server = new TestServer(kind, handler)) {
            RawClient client = server.connect().get("/later");
            Consumer<Response> callback = pending.take();
            Stopping stopping = server.beginToLeave(LONG);
            callback.accept(TestServer.ok("late"));
            expectLast(client, "late");
            assertEquals(0, stopping.dropped());
        }
    }

    @ParameterizedTest
    @EnumSource
    void answersEveryRequestThatWaitsBehindTheOneInFlight(ServerKind kind) throws Exception {
        try (var server = new TestServer(kind, handler)) {
            RawClient client = server.connect().send(get("/later") + get("/later") + get("/3"));
            Consumer<Response> first = pending.take();
            Stopping stopping = server.beginToLeave(LONG);
            first.accept(TestServer.ok("1"));
            pending.take().accept(TestServer.ok("2"));
            expectLast(client.expectOk("1").expectOk("2"), "/3");
            assertEquals(0, stopping.dropped());
        }
    }

    /** The read buffer ends where a request does, so that nothing shows but in the socket that more came. */
    @Test
    void answersRequestsThatTheReadBufferHadNoRoomFor() throws Exception {
        var options = TestServer.options().withReadBufferSize(get("/12345").length());
        try (var server = new TestServer(options, handler)) {
            RawClient client = server.connect().get("/").expectOk("/");
            RawClient blocking = block(server);
            client.send(get("/00001") + get("/00002") + get("/00003"));
            Stopping stopping = leaveBlocked(server);
            expectLast(client.expectOk("/00001").expectOk("/00002"), "/00003");
            blocking.expectOk("/block").close();
            assertEquals(0, stopping.dropped());
        }
    }

    @Test
    void letsInThoseWhoWaitInTheQueueOfTheKernel() throws Exception {
        try (var server = new TestServer(handler)) {
            RawClient blocking = block(server);
            List<RawClient> waiting = connect(server, 200);
            Stopping stopping = leaveBlocked(server);
            for (RawClient client : waiting) {
                expectLast(client, "/waiting");
            }
            blocking.expectOk("/block").close();
            assertEquals(0, stopping.dropped());
        }
    }

    /** On Linux one more than it was asked to hold. */
    @ParameterizedTest
    @ValueSource(ints = {1, 5, Integer.MAX_VALUE})
    void letsInAllThatTheQueueOfTheKernelHolds(int length) throws Exception {
        try (var server = new TestServer(TestServer.options().withAcceptLength(length), handler)) {
            RawClient blocking = block(server);
            List<RawClient> waiting = connect(server, Math.min(length, 5) + 1);
            Stopping stopping = leaveBlocked(server);
            for (RawClient client : waiting) {
                expectLast(client, "/waiting");
            }
            blocking.expectOk("/block").close();
            assertEquals(0, stopping.dropped());
        }
    }

    private static List<RawClient> connect(TestServer server, int count) throws IOException {
        var clients = new ArrayList<RawClient>();
        for (int i = 0; i < count; i++) {
            clients.add(server.connect().get("/waiting"));
        }
        return clients;
    }

    @ParameterizedTest
    @CsvSource({"1, 20", "10, 40"})
    void neverHasMoreConnectionsThanItMay(int limit, int count) throws Exception {
        try (var server = new TestServer(TestServer.options().withMaxConnections(limit), handler)) {
            RawClient blocking = block(server);
            List<RawClient> waiting = connect(server, count);
            Stopping stopping = leaveBlocked(server);
            blocking.expectOk("/block").close();
            for (RawClient client : waiting) {
                expectLast(client, "/waiting");
            }
            assertEquals(0, stopping.dropped());
            int open = 0;
            for (var event : server.log.events()) {
                open += event.name().equals("accept") ? 1 : event.name().equals("close") ? -1 : 0;
                assertTrue(open <= limit, open + " connections at once");
            }
            assertEquals(count + 1, server.log.count("close"));
        }
    }

    /** For each that is let in another comes: without an end there would be none. */
    @Test
    void letsInNoMoreThanMayWait() throws Exception {
        var more = new AtomicInteger(300);
        var late = new ConcurrentLinkedQueue<RawClient>();
        try (var server = new TestServer(TestServer.options().withAcceptLength(5), handler)) {
            server.log.hook = event -> {
                boolean comes = event.equals("accept") && handler.released.getCount() == 0;
                if (comes && more.decrementAndGet() >= 0) late.add(open(server.port()));
            };
            block(server);
            connect(server, 3);
            leaveBlocked(server).dropped();
            server.join();
            int letIn = server.log.count("accept") - 1;
            assertTrue(letIn >= 3 && letIn <= 6, letIn + " were let in");
        }
        for (RawClient client : late) {
            client.close();
        }
    }

    private static RawClient open(int port) {
        try {
            return new RawClient(port);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** At most those of one turn, 64, and the one that holds the loop. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void letsNobodyInAfterAStopOrWhenItsTimeIsOver(boolean stops) throws Exception {
        try (var server = new TestServer(handler)) {
            block(server);
            connect(server, 400);
            Stopping stopping = server.leave(stops ? LONG : Duration.ZERO).awaitWaiting();
            if (stops) server.loop.stop();
            handler.released.countDown();
            stopping.dropped();
            server.join();
            int count = server.log.count("accept");
            assertTrue(count <= 65, count + " were let in");
            assertEquals(0, server.log.count("accept_error"));
        }
    }

    @Test
    void takesNobodyInOnceItHasBegun() throws Exception {
        try (var server = new TestServer(handler)) {
            RawClient first = server.connect().get("/later");
            RawClient second = server.connect().get("/1").expectOk("/1");
            Consumer<Response> callback = pending.take();
            Stopping stopping = server.beginToLeave(LONG);
            // this is answered in a later turn
            expectLast(second.get("/2"), "/2");
            assertThrows(ConnectException.class, () -> new RawClient(server.port()).close());
            callback.accept(TestServer.ok("late"));
            expectLast(first, "late");
            assertEquals(0, stopping.dropped());
        }
    }

    /** Also one that has only been accepted, or was used before. */
    @ParameterizedTest
    @EnumSource
    void waitsForARequestAndForTheRestOfOne(ServerKind kind) throws Exception {
        for (String before : List.of("", "used",
                "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhe")) {
            try (var server = new TestServer(kind, handler)) {
                RawClient client = server.connect();
                server.awaitEvent("accept");
                if (before.equals("used")) {
                    client.get("/1").expectOk("/1");
                } else {
                    client.send(before);
                }
                if (before.startsWith("POST")) server.awaitEvent("read_bytes");
                Stopping stopping = server.beginToLeave(LONG);
                expectLast(client.send(before.startsWith("POST") ? "llo" : RawClient.GET), "/");
                assertEquals(0, stopping.dropped());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void sendsALargeAnswerToItsEnd(ServerKind kind) throws Exception {
        int size = 16 << 20;
        var large = new Response(200, "OK", List.of(), new byte[size]);
        try (var server = new TestServer(kind, (request, callback) -> callback.accept(large))) {
            RawClient client = server.connect(4096).get("/");
            server.awaitEvent("write");
            Stopping stopping = server.beginToLeave(LONG);
            assertEquals(size, client.response().body().length);
            client.close();
            assertEquals(0, stopping.dropped());
        }
    }

    @Test
    void closesAConnectionJustUsedWhenNothingComesOnItForASecond() throws Exception {
        var clock = new MovedClock();
        try (var server = new TestServer(clock.in(TestServer.options()), handler)) {
            RawClient client = server.connect().get("/1").expectOk("/1");
            Stopping stopping = server.beginToLeave(LONG);
            clock.pass(server.itself, Duration.ofMillis(900));
            assertEquals(0, server.log.count("close"));
            clock.pass(Duration.ofMillis(150));
            Inside.execute(server.loop, () -> { });
            client.expectEnd();
            assertEquals(0, stopping.dropped());
        }
    }

    @Test
    void looksOnceMoreBeforeItClosesWhatIsIdle() throws Exception {
        var clock = new MovedClock();
        try (var server = new TestServer(clock.in(TestServer.options()), handler)) {
            RawClient client = server.connect().get("/1").expectOk("/1");
            // after a second in which nothing happens it is closed at once
            clock.pass(Duration.ofMillis(1_050));
            RawClient blocking = block(server);
            client.get("/2");
            Stopping stopping = leaveBlocked(server);
            expectLast(client, "/2");
            blocking.expectOk("/block").close();
            assertEquals(0, stopping.dropped());
        }
    }

    /** A client that could still connect would be reset: nobody accepts any more. */
    @Test
    void isClosedToOthersBeforeItTurnsToItsConnections() throws Exception {
        try (var server = new TestServer(handler)) {
            RawClient client = server.connect().get("/1").expectOk("/1");
            RawClient blocking = block(server);
            client.get("/connect/" + server.port());
            Stopping stopping = leaveBlocked(server);
            expectLast(client, "refused");
            blocking.expectOk("/block").close();
            assertEquals(0, stopping.dropped());
        }
    }

    /** What the loop's own thread, in the turn in which it begins to leave, gets for an answer. */
    private static String connect(String port) {
        try {
            new RawClient(Integer.parseInt(port)).close();
            return "connected";
        } catch (IOException e) {
            return e instanceof ConnectException ? "refused" : e.toString();
        }
    }
}
