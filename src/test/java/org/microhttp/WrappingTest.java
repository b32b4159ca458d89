package org.microhttp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.*;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.protocol.Refusal;

/**
 * A handler around another passes on its response with other fields, reads its body, or replaces it. A body
 * that {@link Handler#andThen} has replaced stays open as long as the one that replaces it may read it; each
 * is released once, whatever becomes of the response.
 */
class WrappingTest extends ConnectionFixture {

    private static final String TEXT = Bodies.text(200_000);

    /** What is released, in this order. */
    private final List<String> released = new ArrayList<>();
    private int changes;

    @AfterEach
    @Override
    void stop() throws IOException {
        if (loop != null) super.stop();
    }

    private Response response(Bodies kind) {
        List<Header> fields = List.of(new Header("A", "1"), new Header("B", "2"), new Header("a", "3"));
        return new Response(201, "R", fields, kind.of(TEXT));
    }

    @ParameterizedTest
    @EnumSource
    void copiesWithOtherFieldsAndTheSameBody(Bodies kind) {
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
        assertNull(response(Bodies.HEAP).failure());
        var empty = new CompletionException(null);
        assertSame(empty, Response.failed(empty).failure());
        assertThrows(NullPointerException.class, () -> Response.failed(null));
    }

    /** One of the server's own keeps its code, by which it is logged. */
    @Test
    void copyKeepsTheLoggedCode() {
        assertEquals("overload", Response.refusing(Refusal.OVERLOAD, 1).withHeader("A", "1").code);
    }

    @ParameterizedTest
    @EnumSource
    void readsItsBodyInPieces(Bodies kind) throws Exception {
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
    void readingAMissingFileFails() throws Exception {
        FileChannel file = Bodies.file(TEXT);
        Body body = Body.of(file, 0, TEXT.length());
        file.truncate(3);
        assertThrows(IOException.class, () -> body.read(100, ByteBuffer.allocate(1)));
        file.close();
        assertThrows(IOException.class, () -> body.read(0, ByteBuffer.allocate(1)));
    }

    @Test
    void releaseRunsWithoutSending() {
        Bodies.response(named("kept", Bodies.HEAP.of(TEXT))).release();
        assertEquals(List.of("kept"), released);
        Response.text(200, "").release();
    }

    private Body named(String name, Body body) {
        return body.onReleased(() -> released.add(name));
    }

    /** Signals another body, piece by piece, which must be open when it is read. */
    private Body lazy(Body other) {
        return Body.of(subscriber -> subscriber.onSubscribe(new Flow.Subscription() {

            private long at;

            @Override
            public void request(long count) {
                assertFalse(released.contains("inner"), "it is released");
                var piece = ByteBuffer.allocate(10_000);
                try {
                    at += other.read(at, piece);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                subscriber.onNext(piece.flip());
                if (at == other.length()) subscriber.onComplete();
            }

            @Override
            public void cancel() { }
        }));
    }

    /** How the function makes a response from the given one, and what the client gets. */
    private enum Change {

        READS_LATER("200", 2), WITH_BODY("200", 2), COPIES("200", 1), OTHER("200", 2), SAME("200", 1),
        SAME_BODY("200", 1), ADDS_ACTION("200", 2), NOT_MODIFIED("304", 1), THROWS("500", 1), NULL("500", 1),
        BAD("500", 1);

        private final String status;
        private final int bodies;

        Change(String status, int bodies) {
            this.status = status;
            this.bodies = bodies;
        }

        private Response of(Response inner, WrappingTest test) {
            test.changes++;
            return switch (this) {
                case READS_LATER -> Bodies.response(test.named("outer", test.lazy(inner.body())));
                case WITH_BODY -> inner.withBody(test.named("outer", test.lazy(inner.body())));
                case COPIES -> inner.withHeader("X", "y");
                case OTHER -> Bodies.response(test.named("outer", Bodies.HEAP.of(TEXT)));
                case SAME -> inner;
                case SAME_BODY -> new Response(200, List.of(), inner.body());
                case ADDS_ACTION -> new Response(200, List.of(), test.named("outer", inner.body()));
                case NOT_MODIFIED -> new Response(304, List.of(), new byte[0]);
                case THROWS -> throw new OutOfMemoryError("on purpose");
                case BAD -> inner.withHeader("X", "\n");
                case NULL -> null;
            };
        }
    }

    /** Other handlers around add a field, or copy the response. */
    private void serve(Change change, boolean elsewhere) throws IOException {
        Handler inner = Handler.blocking(elsewhere ? ConnectionFixture::elsewhere : Runnable::run,
                request -> Bodies.response(named("inner", Bodies.FILE.of(TEXT))));
        start(inner.andThen((request, response) -> change.of(response, this))
                .andThen((request, response) -> response.withHeader("A", "b"))
                .andThen((request, response) -> response.failure() != null ? response
                        : new Response(response.status(), response.headers(), response.body())));
    }

    private void drain() {
        for (int i = 0; i < 50; i++) {
            client.drain();
            loop.runTasks();
        }
    }

    private void assertReleased(Change change, int times) {
        for (String name : List.of("outer", "inner").subList(2 - change.bodies, 2)) {
            assertEquals(times, Collections.frequency(released, name), name);
        }
    }

    /** Whichever thread responds. */
    @ParameterizedTest
    @EnumSource
    void isReleasedOnceWhenTheOtherIsSent(Change change) throws Exception {
        for (boolean elsewhere : new boolean[] {true, false}) {
            released.clear();
            changes = 0;
            serve(change, elsewhere);
            client.channel.room = 0;
            client.turn(get("/"));
            loop.runTasks();
            assertReleased(change, 0);
            client.channel.room = Integer.MAX_VALUE;
            drain();
            assertReleased(change, 1);
            String received = client.received();
            assertTrue(received.startsWith("HTTP/1.1 " + change.status), received);
            assertEquals(change == Change.COPIES, received.contains("X: y"));
            assertLogged(change.status.equals("500") ? 1 : 0, "handler_error");
            client.turn(get("/").replace("GET", "HEAD"));
            drain();
            assertReleased(change, 2);
            assertEquals(2, changes);
            assertLogged(0, "publisher_error");
            assertLogged(0, "body_error");
        }
    }

    @ParameterizedTest
    @EnumSource
    void isReleasedOnceWhenTheOtherIsDropped(Change change) throws Exception {
        serve(change, false);
        client.channel.room = 0;
        client.turn(get("/"));
        reset(client);
        assertReleased(change, 1);
    }

    /** A plain wrapping handler need not know that there was another body. */
    @Test
    void isReleasedWithEveryResponseThatHasTheOther() throws IOException {
        Handler inner = Handler.of(request -> Bodies.response(named("inner", Bodies.FILE.of(TEXT)))
                .withBody(named("outer", Bodies.HEAP.of(TEXT))));
        start((request, callback) -> inner.handle(request, response ->
                callback.accept(new Response(200, List.of(), response.body()))));
        client.turn(get("/")).drain();
        assertEquals(List.of("outer", "inner"), released);
    }

    @ParameterizedTest
    @EnumSource
    void anExceptionInAReleaseCallsNoCallbackAgain(Change change) throws Exception {
        Handler inner = Handler.blocking(Runnable::run, request -> Bodies.response(
                Bodies.HEAP.of(TEXT).onReleased(() -> {
                    released.add("inner");
                    throw new IllegalStateException("on purpose");
                })));
        start(inner.andThen((request, response) -> change.of(response, this)));
        client.turn(get("/"));
        drain();
        assertEquals(1, changes);
        assertReleased(change, 1);
    }

    /** Those that are replaced count among the files that a connection may keep open. */
    @Test
    void keepsFewFilesOpenForOneClient() throws Exception {
        serve(Change.NOT_MODIFIED, false);
        client.channel.room = 0;
        client.turn(get("/").repeat(50));
        assertEquals(8, changes);
    }

    /** Given now, later, or twice: what failed is logged, with its cause, each time; it may be changed. */
    @Test
    void aFailureIsLoggedAsOneThatIsThrown() throws Exception {
        var cause = new IOException("on purpose");
        Handler inner = (request, callback) ->
                callback.accept(Response.failed(new CompletionException(cause)));
        start(inner.andThen((request, response) -> response.withHeader("A", "1")));
        client.turn(get("/") + get("/later"));
        loop.later.get(0).accept(Response.failed(cause));
        loop.later.get(0).accept(Response.failed(cause));
        loop.runTasks();
        assertEquals(2, client.received().split("HTTP/1.1 500 ", -1).length - 1);
        assertTrue(client.received().contains("A: 1\r\n"));
        for (int i = 1; i <= 3; i++) {
            assertSame(cause, loop.log.await("handler_error", i).cause());
        }
        assertEquals("/later", loop.log.await("handler_error", 2).value("target"));
        assertLogged(3, "handler_error");
        assertLogged(1, "response_ignored");
        assertThrows(NullPointerException.class, () -> inner.andThen(null));
    }
}
