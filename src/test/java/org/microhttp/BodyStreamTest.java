package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client gets of a body that a publisher signals, and what the publisher is asked, turn by turn. */
class BodyStreamTest extends ConnectionFixture {

    private static final String CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

    private final ScriptedPublisher publisher = new ScriptedPublisher();
    private Body body = Body.of(publisher);

    @BeforeEach
    void start() throws IOException {
        start(new Options(), (request, callback) -> callback.accept(
                request.target().equals("/small") ? Response.text(200, "small") : stream()));
    }

    private Response stream() {
        return new Response(200, List.of(), body);
    }

    /** Sends that, and runs the tasks by which a publisher is subscribed to and asked. */
    private void ask(String requests) {
        client.turn(requests);
        loop.runTasks();
    }

    private static String chunk(String text) {
        return Integer.toHexString(text.length()) + "\r\n" + text + "\r\n";
    }

    @Test
    void isSentInChunks() {
        ask(get("/"));
        client.expect("");
        assertEquals(List.of(8L), publisher.requested);
        publisher.next("ab");
        publisher.next("c".repeat(17));
        loop.runTasks();
        client.expect(CHUNKED + chunk("ab") + chunk("c".repeat(17)));
        assertEquals(List.of(8L, 2L), publisher.requested);
        publisher.complete();
        loop.runTasks();
        client.expect(CHUNKED + chunk("ab") + chunk("c".repeat(17)) + "0\r\n\r\n");
        assertEquals(0, publisher.cancels);
        assertLogged(1, "write_response");
        assertEquals("19", loop.log.await("exchange").value("bytes"));
        assertNull(loop.log.await("exchange").value("code"));
    }

    @Test
    void isSentWithItsLengthIfThatIsKnown() {
        body = Body.of(publisher, 5);
        ask(get("/"));
        publisher.next("abc");
        publisher.next("de");
        publisher.complete();
        loop.runTasks();
        client.expect(ok("abcde"));
        client.turn(get("/small"));
        assertTrue(client.received().endsWith("small"));
    }

    @Test
    void isSentToHttp10UntilTheConnectionCloses() {
        ask("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
        publisher.next("abc");
        loop.runTasks();
        client.expect("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabc");
        publisher.complete();
        loop.runTasks();
        client.expect("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabc");
        assertTrue(client.channel.outputEnded || client.isClosed());
    }

    /** Of whatever kind the end is; even if the socket has taken the first bytes alone. */
    @ParameterizedTest
    @ValueSource(ints = {100, Integer.MAX_VALUE})
    void anHttp10ClientSeesByAResetThatTheServerHasEnded(int room) {
        client.channel.room = room;
        ask("GET / HTTP/1.0\r\n\r\n");
        publisher.next("a".repeat(1000));
        loop.runTasks();
        client.connection.free();
        assertTrue(client.channel.closesByReset);
        client.expectClosed();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void isSentHoweverLittleTheSocketTakes(boolean direct) {
        var texts = IntStream.range(0, 40).mapToObj(i -> ("" + i).repeat(i * 700)).toList();
        Iterator<String> rest = texts.iterator();
        publisher.onRequest = count -> {
            for (long i = 0; i < count && rest.hasNext(); i++) {
                byte[] bytes = rest.next().getBytes();
                int size = bytes.length;
                var buffer = direct ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size);
                publisher.subscriber().onNext(buffer.put(bytes).flip());
            }
            if (!rest.hasNext()) {
                publisher.onRequest = none -> { };
                publisher.complete();
            }
        };
        var sizes = new Random(direct ? 1 : 2);
        client.channel.room = 1;
        ask(get("/") + get("/small"));
        while (client.isWriting()) {
            client.channel.room = sizes.nextInt(sizes.nextBoolean() ? 3 : 50_000);
            client.turn();
            loop.runTasks();
        }
        var all = new StringBuilder(CHUNKED);
        texts.stream().filter(text -> !text.isEmpty()).forEach(text -> all.append(chunk(text)));
        String type = "Content-Type: text/plain; charset=utf-8\r\n";
        String small = ok("small").replace("Content-L", type + "Content-L");
        client.expect(all + "0\r\n\r\n" + small);
        assertLogged(2, "write_response");
    }

    @Test
    void requestsNothingWhileTheClientDoesNotRead() {
        client.channel.room = 0;
        ask(get("/"));
        publisher.next("ab");
        loop.runTasks();
        assertEquals(8, publisher.demand());
        client.turn().turn();
        assertEquals(8, publisher.demand());
        client.channel.room = Integer.MAX_VALUE;
        client.turn();
        assertEquals(9, publisher.demand());
    }

    @Test
    void isNotAskedBeforeItsTurn() {
        client.channel.room = 0;
        ask(get("/small") + get("/"));
        assertEquals(0, publisher.subscribers.size());
        client.channel.room = Integer.MAX_VALUE;
        client.turn();
        loop.runTasks();
        assertEquals(1, publisher.subscribers.size());
    }

    /** An earlier answer leaves, though the head of the stream has to wait. */
    @Test
    void holdsNoEarlierAnswerBack() {
        ask(get("/small") + get("/"));
        assertTrue(client.received().endsWith("small"));
    }

    @Test
    void failsBeforeItsHeadIsSent() {
        ask(get("/"));
        publisher.next("");
        publisher.fail("wanted");
        loop.runTasks();
        assertTrue(client.received().startsWith("HTTP/1.1 500 "), client.received());
        assertEquals("wanted", loop.log.await("body_error").cause().getMessage());
        assertEquals("500", loop.log.await("exchange").value("status"));
        client.turn(get("/small"));
        assertTrue(client.received().endsWith("small"));
        assertEquals(0, publisher.cancels);
    }

    @Test
    void isCutIfItFailsLater() {
        ask(get("/"));
        publisher.next("abc");
        publisher.fail("wanted");
        loop.runTasks();
        client.expect(CHUNKED + chunk("abc"));
        assertTrue(client.isClosed() || client.channel.outputEnded);
        assertLogged(1, "body_error");
        assertLogged(0, "write_response");
        assertEquals("3", loop.log.await("exchange").value("bytes"));
        assertEquals("incomplete", loop.log.await("exchange").value("code"));
    }

    /** A client that reads too slowly causes no warning. */
    @Test
    void isCutWithoutAWarningIfThePublisherGivesTheClientUp() {
        ask(get("/"));
        publisher.next("abc");
        publisher.fail(new CancellationException("too slow"));
        loop.runTasks();
        client.expect(CHUNKED + chunk("abc"));
        assertTrue(client.isClosed() || client.channel.outputEnded);
        assertLogged(0, "body_error");
        assertEquals("incomplete", loop.log.await("exchange").value("code"));
    }

    @Test
    void isCutAfterAllThatCameBefore() {
        client.channel.room = 0;
        ask(get("/small") + get("/"));
        client.channel.room = 1;
        client.turn().drain();
        loop.runTasks();
        publisher.next("abc");
        publisher.fail("wanted");
        loop.runTasks();
        client.drain();
        assertTrue(client.received().endsWith("small" + CHUNKED + chunk("abc")));
    }

    @Test
    void hasTooManyBytes() {
        body = Body.of(publisher, 3);
        ask(get("/"));
        publisher.next("ab");
        publisher.next("cd");
        loop.runTasks();
        client.expect("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab");
        assertTrue(client.isClosed() || client.channel.outputEnded);
        assertLogged(1, "body_error");
        assertEquals(1, publisher.cancels);
    }

    @Test
    void hasTooFewBytes() {
        body = Body.of(publisher, 3);
        ask(get("/"));
        publisher.next("ab");
        publisher.complete();
        loop.runTasks();
        client.expect("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab");
        assertLogged(1, "body_error");
        assertEquals(0, publisher.cancels);
    }

    @Test
    void isEmpty() {
        ask(get("/"));
        publisher.complete();
        loop.runTasks();
        client.expect(CHUNKED + "0\r\n\r\n");
    }

    @Test
    void hasItsHeadSentAtOnce() {
        body = body.withHeadAtOnce();
        ask(get("/"));
        client.expect(CHUNKED);
        publisher.fail("wanted");
        loop.runTasks();
        client.expect(CHUNKED);
        assertTrue(client.isClosed() || client.channel.outputEnded);
    }

    /** With the head at once and the release of the first, and without its length. */
    @Test
    void isSentByAnotherPublisher() {
        var released = new ArrayList<String>();
        var asked = new ScriptedPublisher();
        Body first = Body.of(asked, 7).onReleased(() -> released.add("first")).withHeadAtOnce();
        body = first.withPublisher(given -> {
            assertSame(asked, given);
            return publisher;
        });
        assertEquals(-1, body.length());
        ask(get("/"));
        client.expect(CHUNKED);
        publisher.next("abc");
        publisher.complete();
        loop.runTasks();
        client.expect(CHUNKED + chunk("abc") + "0\r\n\r\n");
        assertEquals(List.of(), asked.subscribers);
        assertEquals(List.of("first"), released);
        assertThrows(NullPointerException.class, () -> first.withPublisher(null));
        assertThrows(NullPointerException.class, () -> first.withPublisher(given -> null));
        var incoming = ScriptedReceiver.requesting(1);
        Body upgrade = Response.upgrade("echo", List.of(), publisher, incoming).body();
        for (Body other : List.of(Body.of(ByteBuffer.allocate(1)), upgrade)) {
            assertSame(other, other.withPublisher(given -> fail("it is no publisher's")));
        }
    }

    @Test
    void isNotSentToHead() {
        client.turn(get("/").replace("GET", "HEAD") + get("/small"));
        assertTrue(client.received().startsWith("HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200"), client.received());
        assertEquals(0, publisher.subscribers.size());
    }

    @ParameterizedTest
    @ValueSource(ints = {204, 205, 304})
    void isNotSentWithStatus(int status) throws IOException {
        start((request, callback) -> callback.accept(new Response(status, List.of(), body)));
        ask(get("/"));
        assertTrue(client.received().startsWith("HTTP/1.1 " + status), client.received());
        assertFalse(client.received().contains("chunked"));
        assertEquals(0, publisher.subscribers.size());
    }

    @Test
    void isSentAgain() {
        for (int i = 1; i <= 3; i++) {
            ask(get("/"));
            assertEquals(i, publisher.subscribers.size());
            publisher.next("again");
            publisher.complete();
            loop.runTasks();
        }
        client.expect((CHUNKED + "5\r\nagain\r\n0\r\n\r\n").repeat(3));
    }

    @Test
    void isCancelledIfTheClientResets() {
        ask(closing("/"));
        publisher.next("abc");
        loop.runTasks();
        assertNotEquals(0, client.interest() & SelectionKey.OP_READ, "a reset would not be noticed");
        client.channel.reset();
        client.turn().expectClosed();
        assertEquals(1, publisher.cancels);
        publisher.next("late");
        publisher.complete();
        loop.runTasks();
        assertEquals("3", loop.log.await("exchange").value("bytes"));
        assertLogged(0, "publisher_error");
    }

    /** What comes after the last request is dropped, and a client that ends its side is not gone yet. */
    @Test
    void goesOnAfterTheClientHasEndedItsSide() {
        ask(closing("/"));
        publisher.next("abc");
        loop.runTasks();
        client.turn("more").turn();
        client.channel.end();
        client.turn();
        assertEquals(0, client.interest());
        publisher.next("de");
        publisher.complete();
        loop.runTasks();
        assertTrue(client.received().endsWith("3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"));
        client.expectClosed();
    }

    @Test
    void isSilentTooLong() throws IOException {
        start(new Options().withStreamTimeout(Duration.ofSeconds(10)).withResolution(Duration.ofMillis(10)),
                (request, callback) -> callback.accept(stream()));
        ask(get("/"));
        loop.passTime(Duration.ofSeconds(9));
        publisher.next("ab");
        loop.runTasks();
        loop.passTime(Duration.ofSeconds(9));
        client.expectOpen();
        loop.passTime(Duration.ofSeconds(2));
        loop.runTasks();
        client.expect(CHUNKED + chunk("ab"));
        assertEquals(1, publisher.cancels);
        assertLogged(1, "body_error");
    }

    /** Its signals have come in a long turn, and are tasks that have not all run. */
    @Test
    void isNotSilentIfItHasSignalledInALongTurn() throws IOException {
        start(new Options().withStreamTimeout(Duration.ofSeconds(10)).withResolution(Duration.ofMillis(10)),
                (request, callback) -> callback.accept(stream()));
        ask(get("/"));
        loop.blockFor(Duration.ofSeconds(9));
        publisher.next("ab");
        loop.passTime(Duration.ofSeconds(2));
        loop.context.tasks.run(1);
        loop.passTime(Duration.ofSeconds(1));
        assertLogged(0, "body_error");
        loop.runTasks();
        loop.passTime(Duration.ofSeconds(9));
        client.expect(CHUNKED + chunk("ab"));
        assertEquals(0, publisher.cancels);
    }

    @Test
    void isSilentTooLongBeforeItsHead() throws IOException {
        start(new Options().withStreamTimeout(Duration.ofSeconds(10)).withResolution(Duration.ofMillis(10)),
                (request, callback) -> callback.accept(stream()));
        ask(get("/"));
        loop.passTime(Duration.ofSeconds(11));
        loop.runTasks();
        assertTrue(client.received().startsWith("HTTP/1.1 500 "), client.received());
        assertEquals(1, publisher.cancels);
    }

    @Test
    void isSilentToAClientThatHasEndedItsSide() throws IOException {
        start(new Options().withSocketTimeout(Duration.ofSeconds(2)).withResolution(Duration.ofMillis(10)),
                (request, callback) -> callback.accept(stream()));
        client.channel.end();
        client.turn(get("/")).turn();
        loop.runTasks();
        publisher.next("ab");
        loop.runTasks();
        loop.passTime(Duration.ofSeconds(3));
        loop.runTasks();
        client.expectClosed();
        assertEquals(1, publisher.cancels);
    }

    @Test
    void countsAsOneRequestThatIsDropped() {
        ask(get("/"));
        assertEquals(1, client.connection.countDropped());
        publisher.next("ab");
        client.channel.room = 0;
        loop.runTasks();
        assertEquals(1, client.connection.countDropped());
        client.connection.free();
        assertEquals(1, publisher.cancels);
    }

    @Test
    void letsNothingBeReadOfItWithoutAPublisher() {
        assertThrows(UnsupportedOperationException.class, () -> body.read(0, ByteBuffer.allocate(1)));
        assertEquals(-1, body.length());
        assertEquals(7, Body.of(publisher, 7).length());
        assertEquals(-1, Body.of(publisher, -7).length());
        assertThrows(IllegalArgumentException.class, () -> Body.of(publisher, Long.MAX_VALUE));
        assertThrows(NullPointerException.class, () -> Body.of(null, -1));
    }
}
