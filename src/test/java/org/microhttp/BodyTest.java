package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.*;
import java.util.stream.Stream;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.*;
import org.microhttp.testing.RecordingLogger;

/** Bodies that are no array: what of them is sent, however little the socket takes, and when they end. */
class BodyTest extends ConnectionFixture {

    private static final int BUFFER = 64 * 1024;
    private static final int SMALL_FILE = 16 * 1024;

    /** By target. */
    private final Map<String, Response> responses = new HashMap<>();

    @BeforeEach
    void start() throws IOException {
        loop = new ScriptedLoop((request, callback) -> callback.accept(responses.get(request.target())));
    }

    @AfterEach
    void stop() throws IOException {
        assertEquals(0, Inside.used(loop.context.group.bytes), "nothing is kept");
        loop.close();
    }

    @Nested
    class Made {

        @Test
        void aRegionBeginsAndEndsWhereAFileMay() throws Exception {
            try (FileChannel file = Bodies.file("")) {
                long end = 999_999_999_999_999_999L;
                Body.of(file, end, 0);
                Body.of(file, 0, end);
                assertRefused("position is -1; allowed: 0 to " + end, () -> Body.of(file, -1, 1));
                assertRefused("position is 1000000000000000000; allowed: 0 to " + end,
                        () -> Body.of(file, end + 1, 0));
                assertRefused("length is -1; allowed: 0 to 999999999999999997", () -> Body.of(file, 2, -1));
                assertRefused("length is 9223372036854775807; allowed: 0 to 999999999999999998",
                        () -> Body.of(file, 1, Long.MAX_VALUE));
            }
            assertThrows(NullPointerException.class, () -> Body.of(null, 0, 0));
            assertThrows(NullPointerException.class, () -> Body.of((ByteBuffer) null));
        }

        @Test
        void nothingNeedsToBeRunWhenItIsReleased() throws Exception {
            responses.put("/", Bodies.response(Body.of(ByteBuffer.allocate(0))));
            loop.connect().turn(get("/")).expect(ok(""));
            Body body = responses.get("/").body();
            assertThrows(NullPointerException.class, () -> body.onReleased(null));
        }

        @ParameterizedTest
        @EnumSource
        void onlyOneInTheHeapGivesItsBytes(Bodies kind) {
            Body body = kind.of("text");
            if (kind == Bodies.HEAP) {
                assertEquals("text", new String(body.bytes()));
            } else {
                assertThrows(UnsupportedOperationException.class, body::bytes);
            }
        }

        @Test
        void aBufferIsUsedAsItWasThen() throws Exception {
            ByteBuffer buffer = ByteBuffer.wrap("before body behind".getBytes(), 7, 4);
            responses.put("/", Bodies.response(Body.of(buffer)));
            buffer.clear();
            var client = loop.connect().turn(get("/"));
            client.expect(ok("body"));
        }

        private void assertRefused(String message, org.junit.jupiter.api.function.Executable making) {
            assertEquals(message, assertThrows(IllegalArgumentException.class, making).getMessage());
        }
    }

    static Stream<Arguments> kindsSizesAndParts() {
        int[] sizes = {0, 1, 500, BUFFER - 41, BUFFER, 3 * BUFFER};
        int[] parts = {1, 7, 1000, BUFFER - 1, BUFFER, 100_000};
        return Stream.of(Bodies.values()).flatMap(kind -> Arrays.stream(sizes).boxed()
                .flatMap(size -> Arrays.stream(parts).filter(part -> part * 500 >= size)
                        .mapToObj(part -> Arguments.of(kind, size, part))));
    }

    @ParameterizedTest
    @MethodSource("kindsSizesAndParts")
    void isSentWholeHoweverFewBytesTheSocketTakes(Bodies kind, int size, int part) throws Exception {
        responses.put("/", kind.response(Bodies.text(size)));
        responses.put("/small", new Response(200, "OK", List.of(), "small".getBytes()));
        var client = loop.connect();
        for (int i = 0; i < 2000; i++) {
            client.channel.take(i % 3 * part);
        }
        client.turn(get("/small") + get("/") + get("/small")
                + get("/")).drain();
        String small = ok("small");
        String sized = ok(Bodies.text(size));
        client.expect(small + sized + small + sized);
    }

    @ParameterizedTest
    @EnumSource
    void goesWithItsHeadIfItFits(Bodies kind) throws Exception {
        String text = Bodies.text(kind == Bodies.FILE ? SMALL_FILE : 50_000);
        responses.put("/", kind.response(text));
        var client = loop.connect().turn(get("/"));
        client.expect(ok(text));
        assertEquals(1, client.channel.writes);
    }

    /** What is copied of a file is read once more than what goes from the page cache to the socket. */
    @Test
    void onlyTheBeginningOfALargerFileIsCopied() throws Exception {
        String text = Bodies.text(SMALL_FILE + 1);
        responses.put("/", Bodies.FILE.response(text));
        var client = loop.connect();
        client.channel.take(BUFFER, 0);
        client.turn(get("/"));
        String whole = ok(text);
        assertEquals(whole.substring(0, whole.length() - text.length() + 4096), client.received());
        client.drain().expect(whole);
    }

    @Test
    void isNotCopiedIfItIsDirect() throws Exception {
        responses.put("/", Bodies.DIRECT.response(Bodies.text(500_000)));
        var client = loop.connect().turn(get("/"));
        // two pieces, of which the first goes with the head
        assertEquals(2, client.channel.writes);
    }

    @Test
    void closesItsConnectionAloneIfTheFileIsCut() throws Exception {
        for (int left : new int[] {0, 5, BUFFER / 2, BUFFER, 2 * BUFFER - 1}) {
            try (FileChannel file = Bodies.file(Bodies.text(2 * BUFFER))) {
                responses.put("/", Bodies.response(Body.of(file, 0, 2 * BUFFER)));
                responses.put("/small", Bodies.HEAP.response("small"));
                var client = loop.connect();
                client.channel.take(10, 0);
                client.turn(get("/"));
                file.truncate(left);
                client.drain().expect(ConnectionState.LINGERING);
                String whole = ok(Bodies.text(2 * BUFFER));
                String received = client.received();
                assertTrue(whole.startsWith(received), "cut to " + left);
                assertTrue(received.length() < whole.length(), "cut to " + left);
                assertEquals("java.io.EOFException: the file of the body was cut",
                        lastEvent("body_error").cause().toString());
                var other = loop.connect().turn(get("/small"));
                other.expect(ok("small"));
            }
        }
    }

    @Test
    void closesItsConnectionAloneIfTheFileIsClosed() throws Exception {
        FileChannel file = Bodies.file(Bodies.text(2 * BUFFER));
        responses.put("/", Bodies.response(Body.of(file, 0, 2 * BUFFER)));
        var client = loop.connect();
        client.channel.take(10, 0);
        client.turn(get("/"));
        file.close();
        client.drain().expect(ConnectionState.LINGERING);
        assertLogged(1, "body_error");
        assertTrue(loop.connect().turn(closing("/")).expectClosed().received().startsWith("HTTP/1.1 500 "));
        assertLogged(2, "body_error");
        assertFalse(loop.connect().isClosed());
    }

    /** The next request has begun: it gets no answer, but an entry in the log. */
    @Test
    void failsInTheMiddleBeforeTheNextRequestIsComplete() throws Exception {
        FileChannel file = Bodies.file(Bodies.text(1000));
        responses.put("/", Bodies.response(Body.of(file, 0, 1000)));
        var client = loop.connect();
        client.channel.take(10, 0);
        client.turn(get("/") + "GET /next HTTP/1.1\r\nHo");
        file.close();
        client.drain();
        assertLogged(2, "exchange");
    }

    /** A region may be beyond what an int can say. */
    @Test
    void isSentFromFarBehindTheBeginningOfAFile() throws Exception {
        try (FileChannel file = Bodies.file("")) {
            long far = 5L << 30;
            file.write(ByteBuffer.wrap(Bodies.text(3 * BUFFER).getBytes()), far);
            responses.put("/", Bodies.response(Body.of(file, far, 3 * BUFFER)));
            var client = loop.connect().turn(get("/")).drain();
            client.expect(ok(Bodies.text(3 * BUFFER)));
        }
    }

    private RecordingLogger.Event lastEvent(String name) {
        return loop.log.await(name, loop.log.count(name));
    }
}
