package org.microhttp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.microhttp.Options;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.tools.HoldingHandler;
import org.microhttp.tools.RawClient;
import org.microhttp.tools.RecordingLogger;
import org.microhttp.tools.Stopping;
import org.microhttp.tools.TestServer;

/** What is still answered when a loop leaves: requests that are here in whatever way. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class LeavingTest {

    private static final Duration LONG = Duration.ofSeconds(40);
    private static final String LAST = "HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s";

    private final HoldingHandler handler = new HoldingHandler(LeavingTest::handle);
    private final BlockingQueue<Consumer<Response>> pending = handler.pending;
    private final CountDownLatch blocks = handler.blocks;
    private final CountDownLatch released = handler.released;

    /** Answers with the target, or with what came of a connect that it asks for. */
    private static void handle(Request request, Consumer<Response> callback) {
        String target = request.uri();
        boolean connects = target.startsWith("/connect/");
        callback.accept(TestServer.ok(connects ? connect(target.substring(9)) : target));
    }

    private TestServer serve() throws IOException {
        return serve(TestServer.options());
    }

    private TestServer serve(Options options) throws IOException {
        return new TestServer(options, handler);
    }

    /** The answer of a connection that has no other after it, and its end. */
    private static void expectLast(RawClient client, String body) throws IOException {
        client.expect(LAST.formatted(body.length(), body)).expectEnd().close();
    }

    private static String get(String target) {
        return "GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n";
    }

    @Test
    void finishesWhatIsInFlightAndSaysThatItIsTheLast() throws Exception {
        try (var server = serve()) {
            RawClient client = server.connect().get("/later");
            Consumer<Response> callback = pending.take();
            var stopping = new Stopping(server.loop, LONG);
            server.awaitEvent("leave");
            callback.accept(TestServer.ok("late"));
            expectLast(client, "late");
            assertEquals(0, stopping.dropped());
        }
    }

    @Test
    void answersEveryRequestThatWaitsBehindTheOneInFlight() throws Exception {
        try (var server = serve()) {
            RawClient client = server.connect().send(get("/later") + get("/later") + get("/3"));
            Consumer<Response> first = pending.take();
            var stopping = new Stopping(server.loop, LONG);
            server.awaitEvent("leave");
            first.accept(TestServer.ok("1"));
            pending.take().accept(TestServer.ok("2"));
            expectLast(client.expectOk("1").expectOk("2"), "/3");
            assertEquals(0, stopping.dropped());
        }
    }

    /** The read buffer ends where a request does, so that nothing shows but in the socket that more came. */
    @Test
    void answersRequestsThatTheReadBufferHadNoRoomFor() throws Exception {
        try (var server = serve(TestServer.options().withReadBufferSize(get("/12345").length()))) {
            RawClient client = server.connect().get("/").expectOk("/");
            RawClient blocking = server.connect().get("/block");
            blocks.await();
            client.send(get("/00001") + get("/00002") + get("/00003"));
            var stopping = new Stopping(server.loop, LONG).awaitWaiting();
            released.countDown();
            expectLast(client.expectOk("/00001").expectOk("/00002"), "/00003");
            blocking.expectOk("/block").close();
            assertEquals(0, stopping.dropped());
        }
    }

    @Test
    void letsInThoseWhoWaitInTheQueueOfTheKernel() throws Exception {
        try (var server = serve()) {
            RawClient blocking = server.connect().get("/block");
            blocks.await();
            List<RawClient> waiting = connect(server, 200);
            var stopping = new Stopping(server.loop, LONG).awaitWaiting();
            released.countDown();
            for (RawClient client : waiting) {
                expectLast(client, "/waiting");
            }
            blocking.expectOk("/block").close();
            assertEquals(0, stopping.dropped());
        }
    }

    @Test
    void letsThemInAsTheLimitOfConnectionsAllows() throws Exception {
        try (var server = serve(TestServer.options().withMaxConnections(1))) {
            RawClient blocking = server.connect().get("/block");
            blocks.await();
            List<RawClient> waiting = connect(server, 20);
            var stopping = new Stopping(server.loop, LONG).awaitWaiting();
            released.countDown();
            blocking.expectOk("/block").close();
            for (RawClient client : waiting) {
                expectLast(client, "/waiting");
                client.close();
            }
            assertEquals(0, stopping.dropped());
            List<String> comingAndGoing = server.log.events().stream().map(RecordingLogger.Event::name)
                    .filter(name -> name.equals("accept") || name.equals("close")).toList();
            assertEquals(Collections.nCopies(21, List.of("accept", "close")).stream()
                    .flatMap(List::stream).toList(), comingAndGoing);
        }
    }

    private static List<RawClient> connect(TestServer server, int count) throws IOException {
        var clients = new ArrayList<RawClient>();
        for (int i = 0; i < count; i++) {
            clients.add(server.connect().get("/waiting"));
        }
        return clients;
    }

    @Test
    void takesNobodyInOnceItHasBegun() throws Exception {
        try (var server = serve()) {
            RawClient first = server.connect().get("/later");
            RawClient second = server.connect().get("/1").expectOk("/1");
            Consumer<Response> callback = pending.take();
            var stopping = new Stopping(server.loop, LONG);
            server.awaitEvent("leave");
            // this is answered in a later turn
            expectLast(second.get("/2"), "/2");
            assertThrows(ConnectException.class, () -> new RawClient(server.port()).close());
            callback.accept(TestServer.ok("late"));
            expectLast(first, "late");
            assertEquals(0, stopping.dropped());
        }
    }

    @Test
    void waitsForTheRestOfARequest() throws Exception {
        try (var server = serve()) {
            RawClient client = server.connect().send("POST / HTTP/1.1\r\nHost: x\r\n")
                    .send("Content-Length: 5\r\n\r\nhe");
            server.awaitEvent("read_bytes");
            var stopping = new Stopping(server.loop, LONG);
            server.awaitEvent("leave");
            client.send("llo");
            expectLast(client, "/");
            assertEquals(0, stopping.dropped());
        }
    }

    @Test
    void sendsALargeAnswerToItsEnd() throws Exception {
        int size = 16 << 20;
        var large = new Response(200, "OK", List.of(), new byte[size]);
        try (var server = new TestServer((request, callback) -> callback.accept(large))) {
            RawClient client = server.connect(4096).get("/");
            server.awaitEvent("write");
            var stopping = new Stopping(server.loop, LONG);
            server.awaitEvent("leave");
            assertEquals(size, client.response().body().length);
            client.close();
            assertEquals(0, stopping.dropped());
        }
    }

    @Test
    void keepsAConnectionJustUsedForItsNextRequest() throws Exception {
        try (var server = serve()) {
            RawClient client = server.connect().get("/1").expectOk("/1");
            var stopping = new Stopping(server.loop, LONG);
            server.awaitEvent("leave");
            client.get("/2");
            expectLast(client, "/2");
            assertEquals(0, stopping.dropped());
        }
    }

    @Test
    void keepsAConnectionJustMadeForItsFirstRequest() throws Exception {
        try (var server = serve()) {
            RawClient client = server.connect();
            server.awaitEvent("accept");
            var stopping = new Stopping(server.loop, LONG);
            server.awaitEvent("leave");
            client.get("/1");
            expectLast(client, "/1");
            assertEquals(0, stopping.dropped());
        }
    }

    @Test
    void closesAConnectionJustUsedWhenNothingComesOnIt() throws Exception {
        try (var server = serve()) {
            RawClient client = server.connect().get("/1").expectOk("/1");
            long began = System.nanoTime();
            var stopping = new Stopping(server.loop, LONG);
            client.expectEnd();
            assertEquals(0, stopping.dropped());
            long millis = (System.nanoTime() - began) / 1_000_000;
            assertTrue(millis >= 900 && millis < 20_000, "after " + millis + " ms");
        }
    }

    @Test
    void looksOnceMoreBeforeItClosesWhatIsIdle() throws Exception {
        try (var server = serve()) {
            RawClient client = server.connect().get("/1").expectOk("/1");
            // after a second in which nothing happens it is closed at once
            TimeUnit.MILLISECONDS.sleep(1_050);
            RawClient blocking = server.connect().get("/block");
            blocks.await();
            client.get("/2");
            var stopping = new Stopping(server.loop, LONG).awaitWaiting();
            released.countDown();
            expectLast(client, "/2");
            blocking.expectOk("/block").close();
            assertEquals(0, stopping.dropped());
        }
    }

    /** Who could still connect would be reset: nobody accepts any more. */
    @Test
    void isClosedToOthersBeforeItTurnsToItsConnections() throws Exception {
        try (var server = serve()) {
            RawClient client = server.connect().get("/1").expectOk("/1");
            RawClient blocking = server.connect().get("/block");
            blocks.await();
            client.get("/connect/" + server.port());
            var stopping = new Stopping(server.loop, LONG).awaitWaiting();
            released.countDown();
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
