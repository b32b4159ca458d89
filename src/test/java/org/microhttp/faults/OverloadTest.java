package org.microhttp.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.Stats;
import org.microhttp.testing.RawClient;
import org.microhttp.testing.RawResponse;
import org.microhttp.testing.ServerKind;
import org.microhttp.testing.TestServer;

/** What comes while as many requests are pending as may be is turned away, and told when to return. */
class OverloadTest {

    private static final String BODY =
            "overload: already [0-9]+ requests are pending \\(RFC 9110 §15.6.4\\)\n";

    /** The callbacks of requests to /wait, in order of their arrival; everything else is answered at once. */
    private final BlockingQueue<Consumer<Response>> waiting = new ArrayBlockingQueue<>(1000);

    private void handle(Request request, Consumer<Response> callback) {
        switch (request.target()) {
            case "/wait" -> waiting.add(callback);
            case "/throw" -> throw new IllegalStateException("on purpose");
            default -> callback.accept(TestServer.ok(request.target()));
        }
    }

    private TestServer server(int most) throws IOException {
        return new TestServer(TestServer.options().withMaxPendingRequests(most), this::handle);
    }

    private Consumer<Response> next() throws InterruptedException {
        Consumer<Response> callback = waiting.poll(30, TimeUnit.SECONDS);
        assertTrue(callback != null, "no request came");
        return callback;
    }

    private static void assertOverload(RawClient client) throws IOException {
        RawResponse response = client.response();
        assertEquals(503, response.status(), response::text);
        assertEquals("1", response.header("Retry-After"));
        assertEquals(null, response.header("Connection"));
        String text = new String(response.body(), java.nio.charset.StandardCharsets.UTF_8);
        assertTrue(text.matches(BODY), text);
    }

    @Test
    void turnsAwayWhatIsBeyondItAndKeepsTheConnection() throws Exception {
        try (var server = server(2)) {
            RawClient one = server.connect().get("/wait");
            RawClient two = server.connect().get("/wait");
            server.awaitEvent("read_request", 2);
            RawClient three = server.connect();
            for (int i = 1; i <= 3; i++) {
                assertOverload(three.get("/three"));
                assertEquals("2", server.awaitEvent("overload", i).value("id"));
            }
            next().accept(TestServer.ok("one"));
            one.expectOk("one");
            three.get("/three").expectOk("/three");
            next().accept(TestServer.ok("two"));
            two.expectOk("two");
            assertEquals(3, server.log.count("overload"));
            assertEquals(0, server.log.count("refuse"));
        }
    }

    @Test
    void countsThemAsRequestsAndAnswersThatTheHandlerDidNotSee() throws Exception {
        try (var server = server(1)) {
            RawClient one = server.connect().get("/wait");
            server.awaitEvent("read_request");
            RawClient two = server.connect();
            for (int i = 0; i < 5; i++) {
                assertOverload(two.get("/wait"));
            }
            assertEquals(1, waiting.size());
            next().accept(TestServer.ok("one"));
            one.expectOk("one");
            server.stop();
            Stats stats = server.loop.stats();
            assertEquals(6, stats.requests());
            assertEquals(Map.of(2, 1L, 3, 0L, 4, 0L, 5, 5L), stats.responses());
            assertEquals(Map.of("overload", 5L), stats.refusals());
        }
    }

    @Test
    void leavesAloneWhatIsAnsweredAtOnce() throws Exception {
        try (var server = server(1)) {
            RawClient client = server.connect().send(RawClient.GET.repeat(300));
            for (int i = 0; i < 300; i++) {
                client.expectOk("/");
            }
            assertEquals(0, server.log.count("overload"));
        }
    }

    @Test
    void answersAPipelinedBatchInOrder() throws Exception {
        try (var server = server(1)) {
            RawClient one = server.connect().get("/wait");
            server.awaitEvent("read_request");
            RawClient two = server.connect().send(RawClient.GET.repeat(10));
            for (int i = 0; i < 10; i++) {
                assertOverload(two);
            }
            next().accept(TestServer.ok("one"));
            one.expectOk("one");
        }
    }

    @Test
    void closesTheConnectionOfAClientThatAsksForIt() throws Exception {
        try (var server = server(1)) {
            server.connect().get("/wait");
            server.awaitEvent("read_request");
            for (String method : List.of("GET", "HEAD")) {
                RawClient client = server.connect();
                client.send(method + " / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
                RawResponse response = client.response(method.equals("HEAD"));
                assertEquals(503, response.status());
                assertEquals("close", response.header("Connection"));
                client.expectEnd();
            }
        }
    }

    /** Neither lost nor given back twice: afterwards exactly one request may wait. */
    private void assertOnePlace(TestServer server) throws Exception {
        waiting.clear();
        int read = server.log.count("read_request");
        RawClient one = server.connect().get("/wait");
        server.awaitEvent("read_request", read + 1);
        Consumer<Response> callback = next();
        assertOverload(server.connect().get("/two"));
        callback.accept(TestServer.ok("one"));
        one.expectOk("one");
        server.assertServes();
    }

    @Test
    void givesAPlaceBackWithALateAnswer() throws Exception {
        try (var server = server(1)) {
            for (int i = 0; i < 5; i++) {
                assertOnePlace(server);
            }
        }
    }

    @Test
    void givesAPlaceBackOnceThoughItIsAnsweredTwice() throws Exception {
        try (var server = server(1)) {
            RawClient client = server.connect().get("/wait");
            Consumer<Response> callback = next();
            callback.accept(TestServer.ok("first"));
            callback.accept(TestServer.ok("second"));
            client.expectOk("first");
            server.awaitEvent("response_ignored");
            assertOnePlace(server);
        }
    }

    @Test
    void givesAPlaceBackWhenTheHandlerThrowsOrAnswersNull() throws Exception {
        try (var server = server(1)) {
            RawClient client = server.connect();
            for (int i = 0; i < 5; i++) {
                assertEquals(500, client.get("/throw").response().status());
                client.get("/wait");
                next().accept(null);
                assertEquals(500, client.response().status());
            }
            assertOnePlace(server);
        }
    }

    @Test
    void givesAPlaceBackWhenTheHandlerTakesTooLong() throws Exception {
        var options = TestServer.options().withMaxPendingRequests(1)
                .withHandlerTimeout(Duration.ofMillis(500));
        try (var server = new TestServer(options, this::handle)) {
            for (int i = 0; i < 2; i++) {
                server.connect().get("/wait").expectRefusal(503, "handler_timeout");
                server.connect().get("/").expectOk("/");
                next().accept(TestServer.ok("too late"));
                server.awaitEvent("response_late", i + 1);
            }
            assertOnePlace(server);
        }
    }

    @Test
    void givesAPlaceBackWhenTheConnectionEnds() throws Exception {
        try (var server = server(1)) {
            for (int i = 1; i <= 5; i++) {
                RawClient client = server.connect().get("/wait");
                Consumer<Response> callback = next();
                client.reset();
                server.awaitEvent("close", i);
                callback.accept(TestServer.ok("too late"));
                server.awaitEvent("response_late", i);
            }
            assertOnePlace(server);
        }
    }

    @Test
    void takesNoPlaceForWhatIsRefused() throws Exception {
        try (var server = server(1)) {
            for (int i = 0; i < 5; i++) {
                server.connect().send("wrong\r\n").expectRefusal(400, "bad_request_line");
            }
            assertOnePlace(server);
        }
    }

    @Test
    void hasNoLimitUnlessItIsAskedFor() throws Exception {
        try (var server = new TestServer(this::handle)) {
            var clients = new ArrayList<RawClient>();
            for (int i = 0; i < 100; i++) {
                clients.add(server.connect().get("/wait"));
            }
            for (int i = 0; i < 100; i++) {
                next().accept(TestServer.ok("done"));
            }
            for (RawClient client : clients) {
                client.expectOk("done");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void holdsForAllLoopsTogether(ServerKind kind) throws Exception {
        var options = TestServer.options().withMaxPendingRequests(5);
        try (var server = new TestServer(kind, options, this::handle, 4)) {
            for (int round = 0; round < 3; round++) {
                var clients = new ArrayList<RawClient>();
                for (int i = 0; i < 12; i++) {
                    clients.add(server.connect().get("/wait"));
                }
                server.log.await("overload", 7 * round + 7);
                List<Consumer<Response>> pending = new ArrayList<>();
                for (int i = 0; i < 5; i++) {
                    pending.add(next());
                }
                pending.forEach(callback -> callback.accept(TestServer.ok("done")));
                int served = 0;
                for (RawClient client : clients) {
                    served += client.response().status() == 200 ? 1 : 0;
                }
                assertEquals(5, served);
            }
            assertEquals(21, server.log.count("overload"));
        }
    }
}
