package org.microhttp.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.*;
import org.microhttp.testing.*;

/** A request that comes while as many are pending as may be is refused, with a time when to return. */
class OverloadTest {

    private static final String BODY =
            "overload: already [0-9]+ requests are pending \\(RFC 9110 §15.6.4\\)\n";

    private final ManualClock clock = new ManualClock();
    private final HoldingHandler handler = new HoldingHandler();

    private TestServer server(int most) throws IOException {
        Options options = TestServer.options().withHandlerTimeout(Duration.ofMinutes(1));
        return new TestServer(clock.in(options.withMaxPendingRequests(most)), handler);
    }

    private Consumer<Response> next() throws InterruptedException {
        Consumer<Response> callback = handler.pending.poll(30, TimeUnit.SECONDS);
        assertTrue(callback != null, "no request came");
        return callback;
    }

    private static void assertOverload(RawResponse response, String connection) {
        assertEquals(503, response.status(), response::text);
        assertEquals("1", response.header("Retry-After"));
        assertEquals(connection, response.header("Connection"));
    }

    private static void assertOverload(RawClient client) throws IOException {
        RawResponse response = client.response();
        assertOverload(response, null);
        String text = new String(response.body(), UTF_8);
        assertTrue(text.matches(BODY), text);
    }

    @Test
    void requestsBeyondItAreRefusedAndTheConnectionIsKept() throws Exception {
        try (var server = server(2)) {
            RawClient one = server.connect().get("/later");
            RawClient two = server.connect().get("/later");
            server.awaitEvent("read_request", 2);
            RawClient three = server.connect();
            for (int i = 1; i <= 3; i++) {
                assertOverload(three.get("/later"));
                assertEquals("2", server.awaitEvent("overload", i).value("id"));
            }
            // also pipelined ones
            three.send(RawClient.GET.repeat(10));
            for (int i = 0; i < 10; i++) {
                assertOverload(three);
            }
            next().accept(TestServer.ok("one"));
            one.expectOk("one");
            three.get("/three").expectOk("/three");
            next().accept(TestServer.ok("two"));
            two.expectOk("two");
            assertEquals(List.of("/later", "/later", "/three"), handler.targets());
            server.stop();
            Stats stats = server.loop.stats();
            assertEquals(16, stats.requests());
            assertEquals(Map.of(2, 3L, 3, 0L, 4, 0L, 5, 13L), stats.responses());
            assertEquals(Map.of("overload", 13L), stats.refusals());
            assertEquals(0, server.log.count("refuse"));
        }
    }

    @Test
    void requestsAnsweredAtOnceNeverExceedIt() throws Exception {
        try (var server = server(1)) {
            server.connect().send(RawClient.GET.repeat(300)).expectOks(300, i -> "/");
            assertEquals(0, server.log.count("overload"));
        }
    }

    @Test
    void aClientThatWantsItsConnectionClosedGetsThat() throws Exception {
        try (var server = server(1)) {
            server.connect().get("/later");
            server.awaitEvent("read_request");
            for (String method : List.of("GET", "HEAD")) {
                RawClient client = server.connect();
                client.send(method + " / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
                assertOverload(client.response(method.equals("HEAD")), "close");
                client.expectEnd();
            }
        }
    }

    /** What a pending request ends with; a refused one is never pending. */
    private enum End { ANSWER, ANSWERED_TWICE, NULL, EXCEPTION, TIMEOUT, RESET, REFUSED }

    private void end(End end, TestServer server) throws Exception {
        int late = server.log.count("response_late");
        RawClient client = server.connect();
        if (end == End.REFUSED) {
            client.send("wrong\r\n").expectRefusal(400, "bad_request_line");
            return;
        }
        client.get(end == End.EXCEPTION ? "/run" : "/later");
        Consumer<Response> callback = end == End.EXCEPTION ? response -> { } : next();
        switch (end) {
            case TIMEOUT -> {
                clock.pass(server.itself, Duration.ofMinutes(2));
                client.expectRefusal(503, "handler_timeout");
            }
            case RESET -> {
                client.reset();
                server.awaitEvent("close", late + 1);
            }
            case NULL -> callback.accept(null);
            case ANSWERED_TWICE -> callback.accept(TestServer.ok("first"));
            default -> { }
        }
        callback.accept(TestServer.ok("answer"));
        if (end == End.TIMEOUT || end == End.RESET) {
            server.awaitEvent("response_late", late + 1);
            return;
        }
        assertEquals(end == End.NULL || end == End.EXCEPTION ? 500 : 200, client.response().status());
    }

    /** Neither lost nor given back twice: afterwards exactly one request may be pending. */
    @ParameterizedTest
    @EnumSource
    void aPlaceIsFreeAgain(End end) throws Exception {
        handler.task = () -> {
            throw new IllegalStateException("on purpose");
        };
        try (var server = server(1)) {
            for (int i = 0; i < 5; i++) {
                end(end, server);
            }
            for (int i = 0; i < 2; i++) {
                RawClient one = server.connect().get("/later");
                Consumer<Response> callback = next();
                assertOverload(server.connect().get("/two"));
                callback.accept(TestServer.ok("one"));
                one.expectOk("one");
            }
            server.assertServes();
        }
    }

    @ParameterizedTest
    @EnumSource
    void itHoldsForAllLoopsTogether(ServerKind kind) throws Exception {
        for (int most : new int[] {5, Integer.MAX_VALUE}) {
            var options = TestServer.options();
            if (most == 5) options = options.withMaxPendingRequests(5);
            try (var server = new TestServer(kind, options, handler, 4)) {
                for (int round = 1; round <= 3; round++) {
                    var clients = new ArrayList<RawClient>();
                    for (int i = 0; i < 12; i++) {
                        clients.add(server.connect().get("/later"));
                    }
                    if (most == 5) server.log.await("overload", 7 * round);
                    var pending = new ArrayList<Consumer<Response>>();
                    for (int i = 0; i < Math.min(most, 12); i++) {
                        pending.add(next());
                    }
                    assertNull(handler.pending.peek());
                    pending.forEach(callback -> callback.accept(TestServer.ok("done")));
                    int served = 0;
                    for (RawClient client : clients) {
                        served += client.response().status() == 200 ? 1 : 0;
                    }
                    assertEquals(Math.min(most, 12), served);
                }
            }
        }
    }
}
