package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.microhttp.tools.RawClient;
import org.microhttp.tools.RawResponse;
import org.microhttp.tools.TestServer;

/** What a loop says it has done is what it did. */
class StatsTest {

    private static final Map<Integer, Long> NO_RESPONSES = Map.of(2, 0L, 3, 0L, 4, 0L, 5, 0L);

    /** Answers with the status that the target names. */
    private static void answerStatus(Request request, java.util.function.Consumer<Response> callback) {
        int status = Integer.parseInt(request.uri().substring(1));
        callback.accept(new Response(status, "Status", List.of(), "some text".getBytes()));
    }

    private static int length(RawResponse response) {
        return response.head().length() + response.body().length;
    }

    @Test
    void beginWithNothing() throws Exception {
        try (var loop = new EventLoop(TestServer.options(), new NoopLogger(), TestServer::echoTarget)) {
            assertEquals(new Stats(0, 0, 0, 0, NO_RESPONSES, 0, 0, 0, Map.of(), Duration.ZERO), loop.stats());
        }
    }

    @Test
    void tellAKnownExchangeExactly() throws Exception {
        var server = new TestServer(StatsTest::answerStatus);
        RawClient client = server.connect();
        long in = 0;
        long out = 0;
        for (int status : new int[] {200, 201, 204, 301, 304, 404, 404, 404, 404, 500, 503}) {
            String request = "GET /" + status + " HTTP/1.1\r\nHost: x\r\n\r\n";
            in += request.length();
            out += length(client.send(request).response());
        }
        String head = "HEAD /206 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
        in += head.length();
        out += length(client.send(head).response(true));
        client.expectEnd();
        server.stop();
        Stats stats = server.loop.stats();
        assertEquals(new Stats(0, 1, 1, 12, Map.of(2, 4L, 3, 2L, 4, 4L, 5, 2L), in, out, 0, Map.of(),
                stats.longestTurn()), stats);
    }

    @Test
    void countAPipelinedBatchRequestByRequest() throws Exception {
        try (var server = new TestServer(TestServer::echoTarget)) {
            RawClient client = server.connect().send(RawClient.GET.repeat(500));
            for (int i = 0; i < 500; i++) {
                client.expectOk("/");
            }
            server.stop();
            Stats stats = server.loop.stats();
            assertEquals(500, stats.requests());
            assertEquals(500, stats.responses().get(2));
            assertEquals(500L * RawClient.GET.length(), stats.bytesIn());
        }
    }

    @Test
    void countAnAnswerOnceHoweverManyWritesItTakes() throws Exception {
        int size = 3 << 20;
        var options = TestServer.options().withSendBufferSize(4096);
        try (var server = new TestServer(options, (request, callback) ->
                callback.accept(TestServer.ok("x".repeat(size))))) {
            int out = 0;
            for (int i = 0; i < 3; i++) {
                out += length(server.connect(2048).send(RawClient.GET).response());
            }
            server.stop();
            Stats stats = server.loop.stats();
            assertEquals(out, stats.bytesOut());
            assertEquals(3, stats.responses().get(2));
            assertEquals(3, server.log.count("write_response"));
        }
    }

    @Test
    void countTheBytesOfAnInterimAnswerButNotAsAResponse() throws Exception {
        try (var server = new TestServer(TestServer::echoBody)) {
            RawClient client = server.connect().send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n"
                    + "Expect: 100-continue\r\n\r\n");
            int out = length(client.response());
            out += length(client.send("a").response());
            server.stop();
            assertEquals(out, server.loop.stats().bytesOut());
            assertEquals(Map.of(2, 1L, 3, 0L, 4, 0L, 5, 0L), server.loop.stats().responses());
        }
    }

    @Test
    void countRefusalsByTheirCodeAndAsResponses() throws Exception {
        try (var server = new TestServer(TestServer.options().withMaxRequestSize(100),
                TestServer::echoTarget)) {
            server.connect().send("wrong\r\n").expectRefusal(400, "bad_request_line");
            server.connect().send("wrong\r\n").expectRefusal(400, "bad_request_line");
            server.connect().send("GET / HTTP/2.0\r\n\r\n").expectRefusal(505, "unsupported_version");
            server.connect().send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n")
                    .expectRefusal(413, "request_too_large");
            server.stop();
            Stats stats = server.loop.stats();
            assertEquals(Map.of("bad_request_line", 2L, "unsupported_version", 1L, "request_too_large", 1L),
                    stats.refusals());
            assertEquals(Map.of(2, 0L, 3, 0L, 4, 3L, 5, 1L), stats.responses());
            assertEquals(0, stats.requests());
            assertEquals(0, stats.timeouts());
        }
    }

    @Test
    void countAHandlerThatThrowsAsNoRefusal() throws Exception {
        try (var server = new TestServer((request, callback) -> {
            throw new IllegalStateException("on purpose");
        })) {
            assertEquals(500, server.connect().send(RawClient.GET).response().status());
            server.stop();
            Stats stats = server.loop.stats();
            assertEquals(Map.of(), stats.refusals());
            assertEquals(1, stats.responses().get(5));
            assertEquals(1, stats.requests());
        }
    }

    @Test
    void countEveryKindOfTimeoutOnce() throws Exception {
        var options = TestServer.options().withSocketTimeout(Duration.ofMillis(100))
                .withHandlerTimeout(Duration.ofMillis(50));
        try (var server = new TestServer(options, (request, callback) -> { })) {
            server.connect().expectEnd();
            server.connect().send("GET").expectRefusal(408, "socket_timeout");
            server.connect().send(RawClient.GET).expectRefusal(503, "handler_timeout");
            server.stop();
            Stats stats = server.loop.stats();
            assertEquals(3, stats.timeouts());
            assertEquals(Map.of("socket_timeout", 1L, "handler_timeout", 1L), stats.refusals());
        }
        var slow = TestServer.options().withRequestTimeout(Duration.ofMillis(100));
        try (var server = new TestServer(slow, TestServer::echoTarget)) {
            server.connect().send("GET").expectRefusal(408, "request_timeout");
            server.stop();
            assertEquals(1, server.loop.stats().timeouts());
            assertEquals(Map.of("request_timeout", 1L), server.loop.stats().refusals());
        }
    }

    @Test
    void tellWhoIsConnectedWhileTheLoopRuns() throws Exception {
        try (var server = new TestServer(TestServer::echoTarget)) {
            RawClient first = server.connect().get("/").expectOk("/");
            RawClient second = server.connect().get("/").expectOk("/");
            assertEquals(2, server.loop.stats().connections());
            assertEquals(2, server.loop.stats().accepted());
            assertEquals(0, server.loop.stats().closed());
            first.close();
            server.awaitEvent("close");
            second.get("/").expectOk("/");
            assertEquals(1, server.loop.stats().connections());
            assertEquals(1, server.loop.stats().closed());
            assertEquals(3, server.loop.stats().requests());
        }
    }

    private static void work(int millis) {
        long end = System.nanoTime() + millis * 1_000_000L;
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    void tellTheLongestTurn() throws Exception {
        try (var server = new TestServer((request, callback) -> {
            work(Integer.parseInt(request.uri().substring(1)));
            callback.accept(TestServer.ok("done"));
        })) {
            RawClient client = server.connect().get("/30").expectOk("done");
            // the answer to the next comes of a later turn
            client.get("/0").expectOk("done");
            Duration longest = server.loop.stats().longestTurn();
            assertTrue(longest.toMillis() >= 30 && longest.toSeconds() < 30, longest::toString);
            client.get("/60").expectOk("done").get("/0").expectOk("done");
            longest = server.loop.stats().longestTurn();
            assertTrue(longest.toMillis() >= 60, longest::toString);
        }
    }

    @Test
    void leaveTheTimeOutThatNothingHappened() throws Exception {
        try (var server = new TestServer(TestServer::echoTarget)) {
            RawClient client = server.connect().get("/").expectOk("/");
            long began = System.nanoTime();
            assertEquals("", client.readWithin(2_000));
            client.get("/").expectOk("/");
            long passed = System.nanoTime() - began;
            Duration longest = server.loop.stats().longestTurn();
            assertTrue(longest.toNanos() < passed / 2, longest + " of " + passed);
        }
    }

    /** It is a turn, too, that the loop does not return from to wait again. */
    @Test
    void tellTheLastTurnWhenItWasTheLongest() throws Exception {
        var itself = new AtomicReference<EventLoop>();
        try (var server = new TestServer((request, callback) -> {
            work(30);
            itself.get().stop();
            callback.accept(TestServer.ok("last"));
        })) {
            itself.set(server.loop);
            server.connect().send(RawClient.GET).expectOk("last").expectEnd();
            server.join();
            Duration longest = server.loop.stats().longestTurn();
            assertTrue(longest.toMillis() >= 30, longest::toString);
        }
    }

    /** A clock may begin at a negative number, and wrap. */
    @Test
    void tellTheLengthOfATurnWhateverTheClockSays() throws Exception {
        for (long time : new long[] {Long.MIN_VALUE + 1, -1, 0, 1, Long.MAX_VALUE}) {
            var clock = new AtomicLong();
            Options options = Inside.withClock(new Options(), clock::get, clock::get);
            try (var loop = new ScriptedLoop(options, TestServer::echoTarget)) {
                clock.set(time - 5);
                loop.context.clock.now();
                clock.set(time);
                loop.context.clock.endTurn();
                assertEquals(5, Counters.sum(loop.context).longestTurn().toNanos(), "at " + time);
            }
        }
    }

    @Test
    void doNotChangeOnceTaken() throws Exception {
        try (var server = new TestServer(TestServer::echoTarget)) {
            RawClient client = server.connect().get("/").expectOk("/");
            Stats before = server.loop.stats();
            client.get("/").expectOk("/").send("wrong\r\n").expectRefusal(400, "bad_request_line");
            assertEquals(1, before.requests());
            assertEquals(Map.of(), before.refusals());
            assertThrows(UnsupportedOperationException.class, () -> before.responses().put(2, 0L));
            assertThrows(UnsupportedOperationException.class, () -> before.refusals().clear());
        }
        var mine = new HashMap<>(Map.of(2, 1L));
        var codes = new HashMap<>(Map.of("code", 1L));
        var stats = new Stats(0, 0, 0, 0, mine, 0, 0, 0, codes, Duration.ZERO);
        mine.clear();
        codes.clear();
        assertEquals(Map.of(2, 1L), stats.responses());
        assertEquals(Map.of("code", 1L), stats.refusals());
    }

    @Test
    void areRefusedWithoutMaps() {
        Map<Integer, Long> responses = Map.of();
        Map<String, Long> refusals = Map.of();
        assertThrows(NullPointerException.class, () ->
                new Stats(0, 0, 0, 0, null, 0, 0, 0, refusals, Duration.ZERO));
        assertThrows(NullPointerException.class, () ->
                new Stats(0, 0, 0, 0, responses, 0, 0, 0, null, Duration.ZERO));
    }
}
