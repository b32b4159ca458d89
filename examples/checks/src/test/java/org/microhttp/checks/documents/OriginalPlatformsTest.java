package org.microhttp.checks.documents;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.*;
import java.net.URI;
import java.net.http.*;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.microhttp.*;
import org.microhttp.testing.*;

/**
 * What was built on the original, each kind in short: an adapter that makes maps of requests and responses of
 * maps, the mock server of another project's tests, the two answers of a public benchmark.
 */
@Tier.Program
final class OriginalPlatformsTest {

    /** Requests and responses as maps, as functional web libraries have them. */
    private static final class MapAdapter {

        static Map<String, Object> map(Request req) {
            int mark = req.target().indexOf('?');
            Map<String, Object> map = new TreeMap<>();
            map.put("method", req.method().toLowerCase(Locale.ROOT));
            map.put("path", mark < 0 ? req.target() : req.target().substring(0, mark));
            if (mark >= 0) map.put("query", req.target().substring(mark + 1));
            map.put("protocol", req.version());
            Map<String, String> headers = new TreeMap<>();
            for (Header header : req.headers()) {
                String name = header.name().toLowerCase(Locale.ROOT);
                headers.merge(name, header.value(), (one, other) -> one + "," + other);
            }
            map.put("headers", headers);
            map.put("body", new ByteArrayInputStream(req.body()));
            return map;
        }

        static Response response(Map<String, Object> map) {
            List<Header> headers = new ArrayList<>();
            if (map.get("headers") instanceof Map<?, ?> fields) {
                fields.forEach((name, value) -> headers.add(new Header(name.toString(), value.toString())));
            }
            String body = map.getOrDefault("body", "").toString();
            // without a reason: these maps have none
            return new Response((int) map.get("status"), "", headers, body.getBytes(UTF_8));
        }

        static Handler handler(ExecutorService executor, UnaryOperator<Map<String, Object>> function) {
            return (req, callback) -> executor.execute(() -> {
                try {
                    callback.accept(response(function.apply(map(req))));
                } catch (RuntimeException e) {
                    callback.accept(response(Map.of("status", 500, "body", e.getMessage())));
                }
            });
        }
    }

    private static Map<String, Object> mirror(Map<String, Object> req) {
        if (req.get("path").equals("/fails")) throw new IllegalStateException("it failed");
        try (InputStream body = (InputStream) req.get("body")) {
            String text = req.get("method") + " " + req.get("path") + " " + req.get("query") + " "
                    + ((Map<?, ?>) req.get("headers")).get("x-many") + " "
                    + new String(body.readAllBytes(), UTF_8);
            return Map.of("status", 201, "headers", Map.of("X-Kind", "map"), "body", text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void anAdapterToMapsAndBack() throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(4);
        Handler handler = MapAdapter.handler(executor, OriginalPlatformsTest::mirror);
        try (var server = new TestServer(handler)) {
            RawResponse response = server.connect().send("PUT /a/b?c=d&e HTTP/1.1\r\nHost: x\r\nX-Many: 1\r\n"
                    + "x-MANY: 2\r\nContent-Length: 5\r\n\r\n\u00C3\u00A9abc").response();
            assertEquals(201, response.status());
            assertEquals("map", response.header("X-Kind"));
            assertEquals("put /a/b c=d&e 1,2 \u00E9abc", new String(response.body(), UTF_8));
            assertEquals("get / null null ", server.connect().get("/").response().text());
            RawResponse failed = server.connect().get("/fails").response();
            assertEquals(500, failed.status());
            assertEquals("it failed", failed.text());
        } finally {
            executor.shutdownNow();
        }
    }

    /** What a test of another project uses: answers by method and path, and what was asked. */
    private static final class MockServer implements AutoCloseable {

        final List<Request> requests = new CopyOnWriteArrayList<>();
        private final Map<String, Response> answers = new ConcurrentHashMap<>();
        private final EventLoop eventLoop;

        MockServer(int port) throws IOException {
            eventLoop = new EventLoop(new Options().withPort(port), new NoopLogger(), (req, callback) -> {
                requests.add(req);
                Response none = new Response(404, "Not Found", List.of(), new byte[0]);
                callback.accept(answers.getOrDefault(req.method() + " " + req.target(), none));
            });
            Thread thread = new Thread(eventLoop::start, "mock");
            thread.setDaemon(true);
            thread.start();
        }

        MockServer when(String request, int status, String json) {
            answers.put(request, new Response(status, "Mocked",
                    List.of(new Header("Content-Type", "application/json")), json.getBytes(UTF_8)));
            return this;
        }

        URI uri(String path) {
            return URI.create("http://localhost:" + eventLoop.getPort() + path);
        }

        @Override
        public void close() {
            eventLoop.close();
        }
    }

    /** A test after the other on one port, each with a client that keeps connections. */
    @Test
    void aMockServerForEachTestOfAnotherProject() throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        int port = 0;
        for (int i = 0; i < 20; i++) {
            try (var mock = new MockServer(port).when("POST /orders", 201, "{\"id\":" + i + "}")) {
                port = mock.uri("/").getPort();
                HttpRequest order = HttpRequest.newBuilder(mock.uri("/orders"))
                        .POST(HttpRequest.BodyPublishers.ofString("{\"n\":2}")).build();
                HttpResponse<String> made = client.send(order, HttpResponse.BodyHandlers.ofString());
                assertEquals(201, made.statusCode());
                assertEquals("{\"id\":" + i + "}", made.body());
                HttpRequest other = HttpRequest.newBuilder(mock.uri("/other")).build();
                assertEquals(404, client.send(other, HttpResponse.BodyHandlers.discarding()).statusCode());
                assertEquals(List.of("/orders", "/other"),
                        mock.requests.stream().map(Request::target).toList());
                assertEquals("{\"n\":2}", new String(mock.requests.get(0).body(), UTF_8));
            }
        }
    }

    /** The fields that a benchmark asks for, with a date that the program makes itself. */
    private static final class BenchmarkServer {

        private static final byte[] TEXT = "Hello, World!".getBytes(ISO_8859_1);
        private static final DateTimeFormatter DATE = DateTimeFormatter
                .ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH).withZone(ZoneOffset.UTC);

        static void handle(Request req, Consumer<Response> callback) {
            switch (req.target()) {
                case "/plaintext" -> callback.accept(response("text/plain", TEXT));
                case "/json" -> callback.accept(response("application/json", json("Hello, World!")));
                default -> callback.accept(new Response(404, "Not Found", List.of(), new byte[0]));
            }
        }

        private static byte[] json(String message) {
            return ("{\"message\":\"" + message + "\"}").getBytes(UTF_8);
        }

        private static Response response(String type, byte[] body) {
            return new Response(200, "OK", List.of(new Header("Content-Type", type),
                    new Header("Server", "benchmark"), new Header("Date", DATE.format(Instant.now()))), body);
        }
    }

    @Test
    void theAnswersOfABenchmarkComeSixteenAtATimeWithOneDateEach() throws Exception {
        try (var server = new TestServer(BenchmarkServer::handle)) {
            RawClient client = server.connect();
            String plain = "GET /plaintext HTTP/1.1\r\nHost: localhost\r\nAccept: text/plain\r\n\r\n";
            for (int batch = 0; batch < 50; batch++) {
                client.send(plain.repeat(16));
                for (int i = 0; i < 16; i++) {
                    RawResponse response = client.response();
                    assertEquals("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nServer: benchmark\r\n"
                            + "Content-Length: 13\r\n\r\nHello, World!", response.undated());
                    assertEquals(2, response.head().split("Date: ").length, "one date");
                }
            }
            RawResponse json = client.get("/json").response();
            assertEquals("{\"message\":\"Hello, World!\"}", json.text());
            assertEquals("application/json", json.header("Content-Type"));
            assertEquals(404, client.get("/other").response().status());
        }
    }
}
