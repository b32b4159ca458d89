package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.testing.*;

/** A hook adds fields to the responses that the server makes itself, to each once, and to no others. */
class ErrorHeadersTest {

    private static final String GET = "GET /a HTTP/1.1\r\nHost: x\r\nOrigin: o\r\n\r\n";
    private static final String HEAD = GET.replace("GET", "HEAD");
    private static final IllegalStateException FAILURE = new IllegalStateException("on purpose");

    @TempDir
    private Path folder;

    private final MovedClock clock = new MovedClock();
    private final List<String> called = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    /** Says with what it was called. */
    private List<Header> note(int status, String code, Request request) {
        threads.add(Thread.currentThread());
        String origin = request.header("Origin");
        String what = (status + " " + code + " " + request + (origin == null ? "" : " " + origin)).strip();
        called.add(what);
        assertEquals(0, request.body().length);
        return List.of(new Header("X-Note", what));
    }

    private Options options() {
        return clock.in(TestServer.options()).withErrorHeaders(this::note).withMaxRequestSize(2_000)
                .withMaxHeaderSize(1_000).withMaxPendingRequests(1).withHandlerTimeout(Duration.ofMinutes(1));
    }

    private void handle(Request request, Consumer<Response> callback) {
        switch (request.path()) {
            case "/throw" -> throw FAILURE;
            case "/null" -> callback.accept(null);
            case "/failed" -> callback.accept(Response.failed(FAILURE));
            case "/copy" -> callback.accept(Response.failed(FAILURE).withHeader("X-Copy", "1"));
            case "/own" -> callback.accept(Response.text(500, "the handler's"));
            case "/cut" -> callback.accept(new Response(200, List.of(), cutFile()));
            case "/never" -> { }
            default -> callback.accept(TestServer.ok(request.path()));
        }
    }

    private Body cutFile() {
        try (var file = new RandomAccessFile(folder.resolve("cut").toFile(), "rw")) {
            FileChannel channel = file.getChannel();
            return Body.of(channel, 0, 10);
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
    void addsToWhatTheServerResponds(String line, String first, String last, String note) throws Exception {
        String fields = first + "\r\nOrigin: o\r\n" + (last == null ? "" : last + "\r\n");
        String body = fields.contains("chunked") ? "x\r\n" : "";
        try (var server = new TestServer(options(), this::handle)) {
            RawResponse response = server.connect().send(line + "\r\n" + fields + "\r\n" + body)
                    .response(line.startsWith("HEAD"));
            assertAdded(note, response, server);
            assertEquals(line.contains("/copy") ? "1" : null, response.header("X-Copy"));
            server.assertServes();
        }
    }

    /** The field is there once, and the rest of the response is as without it. */
    private void assertAdded(String note, RawResponse response, TestServer server) {
        assertEquals(note, response.header("X-Note"), response.head());
        assertEquals(2, response.head().split("X-Note").length, response.head());
        assertEquals(note.substring(0, 3), "" + response.status());
        assertNotNull(response.header("Content-Length"));
        assertEquals(List.of(note), called);
        assertEquals(List.of(server.thread), threads);
    }

    @Test
    void addsToWhatIsTooMuchAndToWhatTakesTooLong() throws Exception {
        try (var server = new TestServer(options(), this::handle)) {
            RawClient first = server.connect().get("/never");
            server.awaitEvent("read_request");
            RawResponse overload = server.connect().send(GET).response();
            assertAdded("503 overload GET /a HTTP/1.1 o", overload, server);
            assertEquals("1", overload.header("Retry-After"));
            called.clear();
            threads.clear();
            clock.pass(server.itself, Duration.ofMinutes(2));
            assertAdded("503 handler_timeout GET /never HTTP/1.1", first.response(), server);
        }
    }

    @Test
    void addsToARequestThatDoesNotArrive() throws Exception {
        try (var server = new TestServer(options(), this::handle)) {
            RawClient client = server.connect().send("GET /a HTTP/1.1\r\nHost");
            server.awaitEvent("read_bytes");
            clock.pass(server.itself, Duration.ofMinutes(2));
            assertAdded("408 request_timeout GET /a HTTP/1.1", client.response(), server);
        }
    }

    @Test
    void addsNothingToTheHandlersResponses() throws Exception {
        try (var server = new TestServer(options(), this::handle)) {
            for (String target : List.of("/a", "/own")) {
                assertNull(server.connect().get(target).response().header("X-Note"));
            }
            RawClient client = server.connect().send("PUT /a HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n"
                    + "Expect: 100-continue\r\n\r\n");
            assertEquals(100, client.responseOrEnd(false).status());
            assertNull(client.send("x").response().header("X-Note"));
            assertEquals(List.of(), called);
        }
    }

    /** What a hook may do wrong. */
    enum Wrong {

        THROWS(() -> {
            throw FAILURE;
        }),
        ERROR(() -> {
            throw new OutOfMemoryError("on purpose");
        }),
        NULL(() -> null),
        NULL_FIELD(() -> Arrays.asList(new Header("X-Note", "1"), null)),
        NAME("X Note", "1"), LINE_BREAK("X-Note", "1\r\nX-Other: 2"),
        CONNECTION("connection", "close"), LENGTH("Content-Length", "3"), CODING("Transfer-Encoding", "gzip");

        private final Supplier<List<Header>> fields;

        Wrong(Supplier<List<Header>> fields) {
            this.fields = fields;
        }

        Wrong(String name, String value) {
            this(() -> List.of(new Header("X-Note", "1"), new Header(name, value)));
        }
    }

    /** Nothing of what a hook that fails has returned is sent, and the connection goes on. */
    @ParameterizedTest
    @EnumSource
    void doesNotGetInTheWay(Wrong wrong) throws Exception {
        Options options = options().withErrorHeaders((status, code, request) -> wrong.fields.get());
        try (var server = new TestServer(options, this::handle)) {
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

    @Test
    void keepsTheFieldsThatTheResponseHas() throws Exception {
        Options options = options().withErrorHeaders((status, code, request) -> List.of(
                new Header("content-type", "a/b"), new Header("x-copy", "2"), new Header("Retry-After", "9"),
                new Header("Set-Cookie", "a"), new Header("Set-Cookie", "b")));
        try (var server = new TestServer(options, this::handle)) {
            String head = server.connect().get("/copy").response().head();
            assertTrue(head.contains("\r\nX-Copy: 1\r\n"), head);
            assertFalse(head.contains("copy: 2") || head.contains("a/b"), head);
            assertTrue(head.contains("Retry-After: 9\r\nSet-Cookie: a\r\nSet-Cookie: b\r\n"), head);
        }
    }

    /** A hook that is called for a pipelined batch sees each request, and no other's fields. */
    @Test
    void seesTheRequestOfEach() throws Exception {
        try (var server = new TestServer(options(), this::handle)) {
            String first = "GET /throw HTTP/1.1\r\nHost: x\r\n\r\n";
            RawClient client = server.connect().send(first + GET + HEAD.replace("/a", "/null"));
            List<String> notes = Stream.of(client.response(), client.response(), client.response(true))
                    .map(response -> "" + response.header("X-Note")).toList();
            assertEquals(List.of("500 handler_error GET /throw HTTP/1.1", "null",
                    "500 handler_error HEAD /null HTTP/1.1 o"), notes);
        }
    }
}
