package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.testing.*;

/** A hook makes the responses that are the server's own, each once, and no others. */
class ErrorHandlerTest {

    private static final String GET = "GET /a HTTP/1.1\r\nHost: x\r\nOrigin: o\r\n\r\n";
    private static final String OWN = "{}";
    private static final IllegalStateException FAILURE = new IllegalStateException("on purpose");

    private final List<String> called = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    /** Says with what it was called, in a body of its own. */
    private Response note(ServerError error) {
        threads.add(Thread.currentThread());
        Request request = error.request();
        String origin = request.header("Origin");
        String what = (error.status() + " " + error.code() + " " + request
                + (origin == null ? "" : " " + origin)).strip();
        called.add(what);
        assertEquals(0, request.body().length);
        assertEquals(error.code() + ": " + error.rule() + "\n",
                new String(error.response().body().bytes(), StandardCharsets.UTF_8));
        assertEquals(error.status(), error.response().status());
        String copied = "" + error.response().header("X-Copy");
        return new Response(error.status(), "Mine",
                List.of(new Header("X-Note", what), new Header("X-Copy", copied)),
                OWN.getBytes(StandardCharsets.UTF_8));
    }

    private Options options() {
        return TestServer.options().withErrorHandler(this::note).withMaxRequestSize(2_000)
                .withMaxHeaderSize(1_000);
    }

    private void handle(Request request, Consumer<Response> callback) {
        switch (request.path()) {
            case "/throw" -> throw FAILURE;
            case "/null" -> callback.accept(null);
            case "/failed" -> callback.accept(Response.failed(FAILURE));
            case "/copy" -> callback.accept(Response.failed(FAILURE).withHeader("X-Copy", "1"));
            case "/own" -> callback.accept(Response.text(500, "the handler's"));
            case "/cut" -> callback.accept(new Response(200, List.of(), cutFile()));
            default -> callback.accept(TestServer.ok(request.path()));
        }
    }

    private static Body cutFile() {
        try (var file = FileChannel.open(Path.of("pom.xml"))) {
            return Body.of(file, 0, 10);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One for each way to a response of the server's own, with what is known of the request. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", value = {
        "GET /                 | Host: x |                        | 400 bad_request_line   ",
        "GET /a HTTP/1.1       | X: y    |                        | 400 missing_host GET /a HTTP/1.1",
        "GET /a HTTP/1.1       | Host: x | Expect: a              | 417 unknown_expectation GET /a HTTP/1.1",
        "PUT /a HTTP/1.1       | Host: x | Content-Length: 5000   | 413 request_too_large PUT /a HTTP/1.1 o",
        "PUT /a HTTP/1.1       | Host: x | Transfer-Encoding: chunked | 400 bad_chunk_size PUT /a HTTP/1.1 o",
        "CONNECT x:80 HTTP/1.1 | Host: x |                        | 501 connect CONNECT x:80 HTTP/1.1",
        "GET /a HTTP/2.1       | Host: x |                        | 505 unsupported_version",
        "GET /throw HTTP/1.1   | Host: x |                        | 500 handler_error GET /throw HTTP/1.1 o",
        "HEAD /throw HTTP/1.1  | Host: x |                        | 500 handler_error HEAD /throw HTTP/1.1 o",
        "GET /null HTTP/1.1    | Host: x |                        | 500 handler_error GET /null HTTP/1.1 o",
        "GET /failed HTTP/1.1  | Host: x |                        | 500 handler_error GET /failed HTTP/1.1 o",
        "GET /copy HTTP/1.1    | Host: x |                        | 500 handler_error GET /copy HTTP/1.1 o",
        "GET /cut HTTP/1.1     | Host: x |                        | 500 handler_error GET /cut HTTP/1.1 o",
    })
    void responseIsTheHooks(String line, String first, String last, String note) throws Exception {
        String fields = first + "\r\nOrigin: o\r\n" + (last == null ? "" : last + "\r\n");
        String body = fields.contains("chunked") ? "x\r\n" : "";
        try (var server = new TestServer(options(), this::handle)) {
            RawResponse response = server.connect().send(line + "\r\n" + fields + "\r\n" + body)
                    .response(line.startsWith("HEAD"));
            assertOwn(note, response, server);
            assertEquals(line.contains("/copy") ? "1" : "null", response.header("X-Copy"));
            assertEquals(line.startsWith("HEAD") ? "" : OWN, response.text());
            server.assertServes();
        }
    }

    /** The response is the hook's, and closes the connection as without it. */
    private void assertOwn(String note, RawResponse response, TestServer server) {
        assertEquals(note, response.header("X-Note"), response.head());
        assertEquals(2, response.head().split("X-Note").length, response.head());
        assertEquals(note.substring(0, 3), "" + response.status());
        String first = "HTTP/1.1 " + note.substring(0, 3) + " Mine\r\n";
        assertTrue(response.head().startsWith(first), response.head());
        assertEquals("" + OWN.length(), response.header("Content-Length"));
        assertEquals(!note.contains("handler_error"), response.closes(), response.head());
        assertEquals(List.of(note), called);
        assertEquals(List.of(server.thread), threads);
    }

    /** What a hook may do wrong. */
    enum Wrong {

        THROWS(error -> {
            throw FAILURE;
        }),
        ERROR(error -> {
            throw new OutOfMemoryError("on purpose");
        }),
        NULL(error -> null),
        FAILED(error -> Response.failed(FAILURE)),
        STATUS(error -> note(503).withHeader("Retry-After", "1")),
        HEADER(error -> note(500).withHeader("X Note", "1")),
        CONNECTION(error -> note(500).withHeader("connection", "close")),
        DEFAULT_CLOSED(error -> error.response().withHeader("X-Note", "1").withHeader("Connection", "close")),
        LENGTH(error -> note(500).withHeader("Content-Length", "3")),
        CODING(error -> note(500).withHeader("Transfer-Encoding", "gzip")),
        FILE(error -> new Response(500, List.of(), cutFile())),
        STREAM(error -> new Response(500, List.of(), Body.of(HttpRequest.BodyPublishers.noBody()))),
        DIRECT(error -> new Response(500, List.of(), Body.of(ByteBuffer.allocateDirect(1)))),
        UPGRADE(error -> Response.upgrade("x", List.of(), HttpRequest.BodyPublishers.noBody(),
                HttpResponse.BodySubscribers.discarding()));

        private final ErrorHandler handler;

        Wrong(ErrorHandler handler) {
            this.handler = handler;
        }

        private static Response note(int status) {
            return new Response(status, List.of(new Header("X-Note", "1")), new byte[1]);
        }
    }

    /** Nothing of what a hook that fails has returned is sent, and the connection goes on. */
    @ParameterizedTest
    @EnumSource
    void wrongHookIsLoggedAndReplaced(Wrong wrong) throws Exception {
        try (var server = new TestServer(options().withErrorHandler(wrong.handler), this::handle)) {
            RawClient client = server.connect().get("/throw");
            RawResponse response = client.response();
            assertEquals(500, response.status());
            assertTrue(response.text().startsWith("handler_error: "), response.text());
            assertFalse(response.head().contains("X-Note"), response.head());
            assertFalse(response.closes());
            assertSame(FAILURE, server.awaitEvent("handler_error").cause());
            RecordingLogger.Event logged = server.awaitEvent("handler_error", 2);
            assertEquals("/throw", logged.value("target"));
            assertNotNull(logged.cause());
            client.get("/a").expectOk("/a");
            assertEquals(2, server.log.count("handler_error"));
        }
    }

    /** Each body is released once: what the failed response has replaced, and what the hook gives. */
    @ParameterizedTest
    @ValueSource(strings = {"own", "default", "header", "wrong", "wrong default"})
    void eachBodyIsReleasedOnce(String kind) throws Exception {
        var replaced = new AtomicInteger();
        var given = new AtomicInteger();
        Handler handler = (request, callback) -> callback.accept(new Response(200, List.of(),
                Body.of(ByteBuffer.allocate(1)).onReleased(replaced::incrementAndGet)));
        Handler failing = handler.andThen((request, response) -> {
            throw FAILURE;
        });
        ErrorHandler hook = error -> switch (kind) {
            case "default" -> error.response();
            case "header" -> error.response().withHeader("X", "1");
            case "wrong default" -> error.response().withHeader("Connection", "close");
            default -> new Response(kind.equals("own") ? 500 : 400, List.of(),
                    Body.of(ByteBuffer.allocate(1)).onReleased(given::incrementAndGet));
        };
        try (var server = new TestServer(options().withErrorHandler(hook), failing)) {
            assertEquals(500, server.connect().get("/a").response().status());
            server.stop();
            assertEquals(1, replaced.get());
            assertEquals(kind.equals("own") || kind.equals("wrong") ? 1 : 0, given.get());
        }
    }

    private static Body body(String kind) {
        return switch (kind) {
            case "array" -> Bodies.HEAP.of("page");
            case "file" -> Bodies.FILE.of("page");
            default -> Body.of(HttpRequest.BodyPublishers.ofString("page"), 4);
        };
    }

    /** A failure is the server's to answer whatever body a handler has given it, and the default has that. */
    @ParameterizedTest
    @CsvSource({"array, GET", "file, GET", "file, HEAD", "stream, GET", "stream, HEAD"})
    void failureWithABodyIsTheHooksToo(String kind, String method) throws Exception {
        var released = new AtomicInteger();
        var ends = new LinkedBlockingQueue<ExchangeSummary>();
        var sent = new ArrayList<String>();
        Handler handler = (request, callback) -> callback.accept(
                Response.failed(FAILURE).withBody(body(kind).onReleased(released::incrementAndGet)));
        var own = new Response(500, List.of(new Header("X-Note", "1")), OWN.getBytes(StandardCharsets.UTF_8));
        for (ErrorHandler hook : List.<ErrorHandler>of(ServerError::response, error -> own,
                error -> error.response().withHeader("X-Note", "1"))) {
            called.clear();
            var options = options().withExchangeListener(ends::add).withErrorHandler(error -> {
                called.add(error.code() + " " + (error.rule() != null));
                return hook.respond(error);
            });
            try (var server = new TestServer(options, handler)) {
                RawResponse response = server.connect().send(method + " /a HTTP/1.1\r\nHost: x\r\n\r\n")
                        .response(method.equals("HEAD"));
                assertEquals(500, response.status());
                assertEquals(List.of("handler_error true"), called);
                sent.add(response.header("X-Note") + " " + response.text());
                assertEquals("handler_error", ends.take().code());
                assertEquals(1, server.log.count("handler_error"));
            }
        }
        assertEquals(method.equals("HEAD") ? List.of("null ", "1 ", "1 ")
                : List.of("null page", "1 " + OWN, "1 page"), sent);
        assertEquals(3, released.get());
    }

    /** What a handler has added to its failure is the default's, and so is that it closes. */
    @Test
    void closeAndFieldsAreThoseOfTheFailedResponse() throws Exception {
        Handler handler = (request, callback) -> callback.accept(
                Response.failed(FAILURE).withHeader("Connection", "close").withHeader("X-Copy", "1"));
        for (ErrorHandler hook : List.<ErrorHandler>of(this::note, ServerError::response,
                error -> error.response().withHeader("X", "1"))) {
            try (var server = new TestServer(options().withErrorHandler(hook), handler)) {
                RawResponse response = server.connect().get("/a").response();
                assertTrue(response.closes(), response.head());
                assertEquals("1", response.header("X-Copy"));
                assertEquals(1, server.log.count("handler_error"));
            }
        }
    }

    /** An error that a program makes, to test its hook, looks like the server's. */
    @Test
    void errorIsMadeByHand() {
        var request = new Request("GET", "/a", "HTTP/1.1", List.of(), new byte[0]);
        var error = new ServerError(413, "request_too_large", "the rule", request);
        assertSame(request, error.request());
        assertEquals("413 request_too_large: the rule", error.toString());
        Response response = error.response();
        assertEquals(413, response.status());
        assertArrayEquals("request_too_large: the rule\n".getBytes(StandardCharsets.UTF_8),
                response.body().bytes());
        assertThrows(IllegalArgumentException.class, () -> new ServerError(99, "a", "b", request));
        assertThrows(NullPointerException.class, () -> new ServerError(400, null, "b", request));
        assertThrows(NullPointerException.class, () -> new ServerError(400, "a", null, request));
        assertThrows(NullPointerException.class, () -> new ServerError(400, "a", "b", null));
    }

    /** Of a pipelined batch it sees each failed request, and no response of the handler, nor a 100. */
    @Test
    void onlyFailuresOfABatchAreSeen() throws Exception {
        try (var server = new TestServer(options(), this::handle)) {
            RawClient client = server.connect().send(get("/throw") + GET + get("/own")
                    + GET.replace("GET /a", "HEAD /null") + GET.replace("\r\n\r\n",
                    "\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n"));
            var notes = new ArrayList<String>();
            for (int i = 0; i < 5; i++) {
                notes.add("" + client.response(i == 3).header("X-Note"));
            }
            notes.add("" + client.send("x").response().header("X-Note"));
            assertEquals(List.of("500 handler_error GET /throw HTTP/1.1", "null", "null",
                    "500 handler_error HEAD /null HTTP/1.1 o", "null", "null"), notes);
        }
    }

    private static String get(String target) {
        return "GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n";
    }
}
