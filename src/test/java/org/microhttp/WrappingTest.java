package org.microhttp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.*;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.protocol.Refusal;
import org.microhttp.testing.RawClient;
import org.microhttp.testing.RawResponse;
import org.microhttp.testing.TestServer;

/** A handler around another passes on its response with other fields, or reads its body, of whatever kind. */
class WrappingTest {

    private static final String TEXT = "0123456789".repeat(20_000);

    /** What the body of a response is made of. */
    enum Kind { ARRAY, BUFFER, DIRECT, FILE }

    @TempDir
    private Path folder;

    private final AtomicInteger released = new AtomicInteger();
    private FileChannel file;

    @BeforeEach
    void open() throws IOException {
        file = FileChannel.open(Files.writeString(folder.resolve("text"), "##" + TEXT));
    }

    @AfterEach
    void close() throws IOException {
        file.close();
    }

    private Response response(Kind kind) {
        List<Header> fields = List.of(new Header("A", "1"), new Header("B", "2"), new Header("a", "3"));
        byte[] octets = TEXT.getBytes(ISO_8859_1);
        Body body = switch (kind) {
            case ARRAY -> new Response(200, fields, octets).body();
            case BUFFER -> Body.of(ByteBuffer.wrap(octets));
            case DIRECT -> Body.of(ByteBuffer.allocateDirect(octets.length).put(octets).flip());
            case FILE -> Body.of(file, 2, octets.length);
        };
        return new Response(201, "R", fields, body.onReleased(released::incrementAndGet));
    }

    @ParameterizedTest
    @EnumSource
    void copiesWithOtherFieldsAndTheSameBody(Kind kind) {
        Response some = response(kind);
        assertFields(some.withHeader("a", "4"), some, "B: 2, a: 4");
        assertFields(some.withHeader("c", "4"), some, "A: 1, B: 2, a: 3, c: 4");
        assertFields(some.withAddedHeader("A", "4"), some, "A: 1, B: 2, a: 3, A: 4");
        assertFields(some.withoutHeader("A"), some, "B: 2");
        assertFields(some.withoutHeader("c"), some, "A: 1, B: 2, a: 3");
        assertFields(some, some, "A: 1, B: 2, a: 3");
        assertThrows(IllegalArgumentException.class, () -> some.withHeader("c", "a\r\nb"));
        assertThrows(IllegalArgumentException.class, () -> some.withAddedHeader("c:", ""));
        assertThrows(NullPointerException.class, () -> some.withHeader("c", null));
        assertThrows(NullPointerException.class, () -> some.withoutHeader(null));
    }

    private static void assertFields(Response copy, Response some, String expected) {
        assertEquals(expected, String.join(", ", copy.headers().stream()
                .map(header -> header.name() + ": " + header.value()).toList()));
        assertEquals("201 R", copy.toString());
        assertSame(some.body(), copy.body());
    }

    @Test
    void copiesAFailureWithItsCause() {
        var cause = new IOException("on purpose");
        Response failed = Response.failed(cause);
        assertEquals(500, failed.status());
        assertSame(cause, failed.failure());
        assertSame(cause, failed.withHeader("A", "1").withAddedHeader("A", "2").withoutHeader("A").failure());
        assertNull(response(Kind.ARRAY).failure());
        var empty = new CompletionException(null);
        assertSame(empty, Response.failed(empty).failure());
        assertThrows(NullPointerException.class, () -> Response.failed(null));
    }

    /** Given at once, later, too late or twice: what failed is logged, with its cause, each time. */
    @Test
    void logsAFailureThatIsGivenAsOneThatIsThrown() throws Exception {
        var cause = new IOException("on purpose");
        var later = new ArrayBlockingQueue<Consumer<Response>>(1);
        try (var server = new TestServer((request, callback) -> {
            if (request.target().equals("/later")) {
                later.add(callback);
            } else {
                callback.accept(Response.failed(cause).withHeader("A", "1"));
            }
        })) {
            RawClient client = server.connect();
            RawResponse inline = client.get("/").response();
            assertEquals(500, inline.status());
            assertEquals("1", inline.header("A"));
            assertSame(cause, server.log.await("handler_error").cause());
            client.get("/later");
            var callback = later.take();
            callback.accept(Response.failed(cause));
            assertEquals(inline.text(), client.response().text());
            var logged = server.awaitEvent("handler_error", 2);
            assertSame(cause, logged.cause());
            assertEquals("/later", logged.value("target"));
            callback.accept(Response.failed(cause));
            server.awaitEvent("handler_error", 3);
            server.awaitEvent("response_ignored");
            assertEquals(0, server.log.count("response_ready"));
            client.get("/").response();
        }
    }

    /** One of the server's own keeps its code, by which it is logged. */
    @Test
    void copiesWhatTheLogSaysOfIt() {
        assertEquals("overload", Response.refusing(Refusal.OVERLOAD, 1).withHeader("A", "1").code);
    }

    @ParameterizedTest
    @EnumSource
    void readsItsBodyInPieces(Kind kind) throws Exception {
        Body body = response(kind).body();
        assertEquals(TEXT.length(), body.length());
        for (int room : new int[] {1_000, 64 * 1024, 200_000, 300_000}) {
            ByteBuffer part = ByteBuffer.allocate(room + 3);
            var read = new ByteArrayOutputStream();
            for (long at = 0; at < body.length();) {
                int count = body.read(at, part.clear().position(3));
                assertEquals(3 + count, part.position());
                assertTrue(count > 0 && count <= room);
                read.write(part.array(), 3, count);
                at += count;
            }
            assertEquals(TEXT, read.toString(ISO_8859_1));
            assertEquals(0, body.read(body.length(), part.clear()));
            assertEquals(0, body.read(5, part.clear().limit(0)));
        }
        assertThrows(IllegalArgumentException.class, () -> body.read(-1, ByteBuffer.allocate(1)));
        assertThrows(IllegalArgumentException.class, () -> body.read(200_001, ByteBuffer.allocate(1)));
    }

    @Test
    void saysThatItsFileCannotBeRead() throws Exception {
        Body body = response(Kind.FILE).body();
        Files.writeString(folder.resolve("text"), "cut");
        assertThrows(IOException.class, () -> body.read(100, ByteBuffer.allocate(1)));
        file.close();
        assertThrows(IOException.class, () -> body.read(0, ByteBuffer.allocate(1)));
    }

    @Test
    void releasesWhatIsKeptBack() {
        response(Kind.ARRAY).release();
        assertEquals(1, released.get());
        Response.text(200, "").release();
    }

    /** Adds a field, compresses what may be, and responds with 304 to who has it already. */
    private void handle(Kind kind, Request request, Consumer<Response> callback) {
        Response response = response(kind).withHeader("Access-Control-Allow-Origin", "*");
        String tag = '"' + Long.toHexString(checksum(response.body())) + '"';
        if (tag.equals(request.header("If-None-Match"))) {
            response.release();
            callback.accept(new Response(304, List.of(new Header("ETag", tag)), new byte[0]));
        } else if (request.hasHeader("Accept-Encoding", "gzip")) {
            response.release();
            callback.accept(new Response(response.status(), List.of(new Header("Content-Encoding", "gzip")),
                    compressed(response.body())));
        } else {
            callback.accept(response.withHeader("ETag", tag));
        }
    }

    private static long checksum(Body body) {
        var sum = new CRC32();
        ByteBuffer part = ByteBuffer.allocate(10_000);
        try {
            for (long at = 0; at < body.length();) {
                at += body.read(at, part.clear());
                sum.update(part.flip());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return sum.getValue();
    }

    private static byte[] compressed(Body body) {
        var octets = new ByteArrayOutputStream();
        ByteBuffer all = ByteBuffer.allocate((int) body.length());
        try (var gzip = new GZIPOutputStream(octets)) {
            while (all.hasRemaining()) {
                body.read(all.position(), all);
            }
            gzip.write(all.array());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return octets.toByteArray();
    }

    /** Makes of every response what the target says. */
    private Response change(Request request, Response response) {
        return switch (request.target()) {
            case "/copy" -> response.withHeader("A", "copy");
            case "/same" -> response;
            case "/body" -> new Response(200, List.of(), response.body());
            case "/other" -> Response.text(200, "other");
            case "/null" -> null;
            case "/bad" -> response.withHeader("A", "\n");
            default -> throw new OutOfMemoryError("on purpose");
        };
    }

    /** Whichever thread responds: none waits, and each body is released once. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void changesWhatAnotherHandlerResponds(boolean elsewhere) throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        Handler inner = elsewhere ? Handler.blocking(executor, request -> response(Kind.FILE))
                : (request, callback) -> callback.accept(response(Kind.FILE));
        try (var server = new TestServer(inner.andThen(this::change))) {
            RawClient client = server.connect();
            assertEquals("copy", client.get("/copy").response().header("A"));
            assertEquals(TEXT, client.get("/same").response().text());
            assertEquals(TEXT, client.get("/body").response().text());
            assertEquals("other", client.get("/other").response().text());
            assertEquals(500, client.get("/null").response().status());
            assertInstanceOf(NullPointerException.class, server.awaitEvent("handler_error").cause());
            assertEquals(500, client.get("/bad").response().status());
            assertInstanceOf(IllegalArgumentException.class, server.awaitEvent("handler_error", 2).cause());
            assertEquals(500, client.get("/throw").response().status());
            assertEquals("/throw", server.awaitEvent("handler_error", 3).value("target"));
            assertEquals(3, server.log.count("handler_error"));
        } finally {
            executor.shutdown();
            assertTrue(executor.awaitTermination(30, TimeUnit.SECONDS));
        }
        assertEquals(7, released.get());
    }

    /** Of handlers around handlers, each releases what it has not passed on, whatever others do. */
    @Test
    void releasesEachBodyThoughAnotherFailsToBeReleased() throws Exception {
        Runnable failing = () -> {
            released.incrementAndGet();
            throw new IllegalStateException("on purpose");
        };
        Handler inner = (request, callback) -> callback.accept(response(Kind.FILE));
        Handler outer = inner.andThen((request, response) -> new Response(200, List.of(),
                Body.of(ByteBuffer.allocate(4)).onReleased(failing)))
                .andThen((request, response) -> TestServer.ok("outer"));
        try (var server = new TestServer(outer)) {
            server.connect().get("/").expectOk("outer");
            server.awaitEvent("handler_error");
        }
        assertEquals(2, released.get());
    }

    /** One that responds with null, fails, or fails later is answered with 500, as without the other. */
    @Test
    void changesFailuresToo() throws Exception {
        var cause = new IOException("on purpose");
        Handler inner = (request, callback) -> callback.accept(request.target().equals("/null") ? null
                : Response.failed(new CompletionException(cause)));
        Handler outer = inner.andThen((request, response) -> response.withHeader("A", "1"));
        try (var server = new TestServer(outer)) {
            RawClient client = server.connect();
            assertEquals("1", client.get("/").response().header("A"));
            assertSame(cause, server.awaitEvent("handler_error").cause());
            assertEquals(500, client.get("/null").response().status());
            assertInstanceOf(NullPointerException.class, server.awaitEvent("handler_error", 2).cause());
            client.get("/").response();
            assertEquals(3, server.log.count("handler_error"));
        }
        assertThrows(NullPointerException.class, () -> inner.andThen(null));
    }

    private static String get(String field) {
        return "GET / HTTP/1.1\r\nHost: x\r\n" + field + "\r\n\r\n";
    }

    @ParameterizedTest
    @EnumSource
    void servesWhatIsWrapped(Kind kind) throws Exception {
        try (var server = new TestServer((request, callback) -> handle(kind, request, callback))) {
            RawClient client = server.connect();
            RawResponse whole = client.get("/").response();
            assertEquals(TEXT, whole.text());
            assertEquals("*", whole.header("Access-Control-Allow-Origin"));
            String tag = whole.header("ETag");
            RawResponse none = client.send(get("If-None-Match: " + tag)).response();
            assertEquals(304, none.status());
            RawResponse packed = client.send(get("Accept-Encoding: gzip")).response();
            assertEquals("gzip", packed.header("Content-Encoding"));
            client.reset();
            server.awaitEvent("close");
        }
        assertEquals(3, released.get());
    }
}
