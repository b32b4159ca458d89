package org.microhttp.extras.testserver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.net.*;
import java.net.http.*;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscribers;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.*;
import org.microhttp.extras.routing.Router;
import org.microhttp.testing.RawClient;
import org.microhttp.testing.Tier;

/** What a test of a client writes into the script, and what it reads of the requests. */
@Tier.Gate
final class TestServerTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    @AutoClose
    private final TestServer server = TestServer.start();
    private final HttpClient client = HttpClient.newHttpClient();

    private HttpResponse<String> get(URI uri) throws Exception {
        return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }

    private static void assertFails(Class<? extends Throwable> type, String message, Executable work) {
        assertEquals(message, assertThrows(type, work).getMessage());
    }

    @Test
    void theScriptAnswersInItsOrder() throws Exception {
        server.enqueue(Response.text(200, "a"), Response.of(404).withHeader("X-Own", "b"));
        assertEquals("a", get(server.uri("/")).body());
        HttpResponse<String> second = get(server.uri("/"));
        assertEquals(404, second.statusCode());
        assertEquals("b", second.headers().firstValue("X-Own").orElseThrow());
        server.verify();
    }

    @Test
    void requestsAreTakenInTheirOrderWithAllThatTheyHave() throws Exception {
        server.enqueue(Response.of(204), Response.of(204));
        client.send(HttpRequest.newBuilder(server.uri("/a?b=c")).header("X-Own", "1")
                .method("PATCH", BodyPublishers.ofString("body")).build(), BodyHandlers.discarding());
        get(server.uri("/second"));
        assertEquals(2, server.requestCount());
        Request first = server.takeRequest(SOON);
        assertEquals("PATCH /a?b=c HTTP/1.1", first.toString());
        assertEquals("1", first.header("X-Own"));
        assertEquals("body", new String(first.body(), UTF_8));
        Request second = server.takeRequest(SOON);
        assertEquals("/second", second.target());
        assertEquals(first.remoteAddress(), second.remoteAddress(), "the connection was kept");
        assertEquals(2, server.requestCount());
    }

    @Test
    void aRequestThatComesLaterIsWaitedFor() throws Exception {
        server.enqueue(Response.of(204));
        var taken = CompletableFuture.supplyAsync(() -> {
            try {
                return server.takeRequest(SOON).target();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        get(server.uri("/later"));
        assertEquals("/later", taken.get());
        assertFails(AssertionError.class, "no request came within PT0.05S; 1 came before",
                () -> server.takeRequest(Duration.ofMillis(50)));
    }

    @Test
    void handlerAnswersOnceTheScriptIsEmpty() throws Exception {
        Router router = new Router()
                .on("GET", "/{name}", request -> Response.text(200, Router.variable(request, "name")))
                .on("GET", "/broken/{name}", request -> Fault.raw("no HTTP".getBytes()));
        try (var routed = TestServer.start(router).enqueue(Response.text(200, "script"))) {
            assertEquals("script", get(routed.uri("/a")).body());
            assertEquals("a", get(routed.uri("/a")).body());
            assertThrows(IOException.class, () -> get(routed.uri("/broken/a")));
            assertEquals(404, get(routed.uri("/a/b")).statusCode());
            assertEquals(4, routed.requestCount());
            routed.verify();
        }
    }

    @Test
    void requestWithoutAResponseGets500() throws Exception {
        HttpResponse<String> response = get(server.uri("/a?b"));
        assertEquals(500, response.statusCode());
        assertEquals("TestServer has no response left for GET /a?b: enqueue one for each request, or start "
                + "it with a handler\n", response.body());
        server.enqueue(Response.of(200), Fault.reset());
        assertFails(AssertionError.class, "no response was left for GET /a?b; no request came for 200 OK; "
                + "no request came for 500 Fault.reset", server::verify);
    }

    /** The places of a handler are those of any server of the library. */
    @Test
    void handlersReceiveBodiesAndUpgradeAsElsewhere() throws Exception {
        Handler uploads = Handler.receiving(request -> BodySubscribers.ofByteArray(),
                (request, body, callback) -> body.getBody().thenAccept(bytes ->
                        callback.accept(Response.text(200, "" + bytes.length))));
        try (var receiving = TestServer.start(uploads)) {
            HttpRequest large = HttpRequest.newBuilder(receiving.uri("/"))
                    .POST(BodyPublishers.ofByteArray(new byte[17 << 20])).build();
            assertEquals("" + (17 << 20), client.send(large, BodyHandlers.ofString()).body());
            assertEquals(0, receiving.takeRequest(SOON).body().length);
        }
        Handler greeting = Handler.of(request -> Response.upgrade("greeting", List.of(),
                BodyPublishers.ofString("hello"), BodySubscribers.discarding()));
        try (var upgrading = TestServer.start(greeting); var raw = new RawClient(upgrading.getPort())) {
            raw.send("GET / HTTP/1.1\r\nHost: x\r\nUpgrade: greeting\r\nConnection: upgrade\r\n\r\n");
            assertTrue(raw.readToEnd().matches("(?s)HTTP/1.1 101 .*\r\n\r\nhello"));
        }
    }

    @Test
    void bytesPassAsTheyAre() throws Exception {
        byte[] body = new byte[10_000_000];
        new Random(1).nextBytes(body);
        try (var echo = TestServer.start(Handler.of(request -> Response.of(200, "x/y", request.body())))) {
            HttpRequest post = HttpRequest.newBuilder(echo.uri("/")).expectContinue(true)
                    .POST(BodyPublishers.ofByteArray(body)).build();
            assertArrayEquals(body, client.send(post, BodyHandlers.ofByteArray()).body());
        }
    }

    /** As everywhere, only the first response counts; and a handler that throws is answered for. */
    @Test
    void aHandlerThatBreaksItsRulesHarmsNoOtherRequest() throws Exception {
        Handler wrong = (request, callback) -> {
            if (request.target().equals("/throws")) {
                throw new IllegalStateException("meant");
            }
            callback.accept(request.target().equals("/null") ? null : Response.text(200, "first"));
            callback.accept(Fault.reset());
        };
        try (var wronged = TestServer.start(wrong); var raw = new RawClient(wronged.getPort())) {
            wronged.enqueue(Fault.drip(Response.of(204), 1 << 20, Duration.ofDays(1)));
            assertEquals(204, raw.get("/").response().status());
            assertEquals(500, raw.get("/throws").response().status());
            assertEquals("first", raw.get("/").response().text());
            assertEquals(500, raw.get("/null").response().status());
            assertEquals("first", raw.get("/").response().text());
        }
    }

    @ParameterizedTest
    @CsvSource({"1001, 0", "5, 16000000"})
    void untakenRequestsAreKeptUpToALimit(int count, int size) throws Exception {
        try (var all = TestServer.start(Handler.of(request -> Response.of(204)));
                var raw = new RawClient(all.getPort())) {
            for (int i = 1; i <= count; i++) {
                raw.send("PUT /" + i + " HTTP/1.1\r\nHost: x\r\nContent-Length: " + size + "\r\n\r\n");
                assertEquals(204, raw.send(new byte[size]).response().status());
            }
            for (int i = 1; i < count; i++) {
                assertEquals("/" + i, all.takeRequest(SOON).target());
            }
            assertEquals(count, all.requestCount());
            assertFails(IllegalStateException.class, "request " + count + " and later ones were not kept, "
                    + "because 1000 requests, or 67108864 bytes of bodies, were not taken",
                    () -> all.takeRequest(SOON));
        }
    }

    @Test
    void connectionsAreResetTheGivenNumberOfTimes() throws Exception {
        server.resetConnections(2).enqueue(Response.text(200, "third"));
        for (int i = 0; i < 2; i++) {
            assertThrows(SocketException.class, this::readToEnd);
        }
        assertEquals(0, server.requestCount());
        assertEquals("third", get(server.uri("/")).body());
        server.verify();
    }

    @Test
    void connectionsAboveTheLimitAreReset() throws Exception {
        var clients = new ArrayList<RawClient>();
        for (int i = 0; i < Relay.MAX_CONNECTIONS; i++) {
            clients.add(new RawClient(server.getPort()));
        }
        assertThrows(SocketException.class, this::readToEnd);
        assertFails(AssertionError.class, "1 connections above 256 were reset", server::verify);
        clients.remove(0).reset();
        server.enqueue(Response.text(200, "again"));
        assertEquals("again", awaitPlace());
        for (RawClient each : clients) {
            each.close();
        }
    }

    private void readToEnd() throws IOException {
        try (var raw = new RawClient(server.getPort())) {
            raw.readToEnd();
        }
    }

    /** The server learns of the reset a little later. */
    private String awaitPlace() throws Exception {
        while (true) {
            try {
                return get(server.uri("/")).body();
            } catch (IOException e) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void wrongArgumentsAreRefused() {
        assertFails(IllegalArgumentException.class, "target is \"a\", must begin with a slash",
                () -> server.uri("a"));
        assertFails(IllegalArgumentException.class, "count is -1, must be 0 to 2147483647",
                () -> server.resetConnections(-1));
        assertFails(IllegalArgumentException.class, "limit is PT-1S, must be 0 to 1 day",
                () -> server.takeRequest(Duration.ofSeconds(-1)));
        assertThrows(NullPointerException.class, () -> server.enqueue(Response.of(200), null));
        assertThrows(NullPointerException.class, () -> TestServer.start(null));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aClosedServerRefuses(boolean twice) {
        server.close();
        if (twice) {
            server.close();
        }
        assertThrows(ConnectException.class, () -> get(server.uri("/")));
        assertFails(IllegalStateException.class, "the server is closed",
                () -> server.enqueue(Response.of(200)));
    }
}
