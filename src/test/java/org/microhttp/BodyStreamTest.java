package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.*;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a client gets of a body that a publisher signals, and what the publisher is asked: first the scripts,
 * among them the rules of Reactive Streams (reactive-streams-jvm 1.0.4, §2), then what no script can say.
 */
class BodyStreamTest extends ConnectionFixture {

    private static final String CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

    private final ScriptedPublisher publisher = new ScriptedPublisher();
    private Body body = Body.of(publisher);

    @BeforeEach
    void start() throws IOException {
        start(new Options(), (request, callback) -> callback.accept(request.target().equals("/small")
                ? Response.text(200, "small") : new Response(200, List.of(), body)));
    }

    @TestFactory
    Stream<DynamicTest> scripts() {
        return Script.tests("streams.txt");
    }

    /** Sends that, and runs the tasks by which a publisher is subscribed to and asked. */
    private void ask(String requests) {
        client.turn(requests);
        loop.runTasks();
    }

    private static String chunk(String text) {
        return Integer.toHexString(text.length()) + "\r\n" + text + "\r\n";
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void isSentHoweverFewBytesTheSocketTakes(boolean direct) {
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
    void cannotBeReadWithoutItsPublisher() {
        assertThrows(UnsupportedOperationException.class, () -> body.read(0, ByteBuffer.allocate(1)));
        assertEquals(-1, body.length());
        assertEquals(7, Body.of(publisher, 7).length());
        assertEquals(-1, Body.of(publisher, -7).length());
        assertThrows(IllegalArgumentException.class, () -> Body.of(publisher, Long.MAX_VALUE));
        assertThrows(NullPointerException.class, () -> Body.of(null, -1));
    }

    /** Rule 3.3: a publisher that signals in each request, as often as it is asked. */
    @Test
    void aSynchronousPublisherDoesNotRecurse() {
        var deepest = new AtomicInteger();
        publisher.onRequest = count -> {
            deepest.accumulateAndGet(Thread.currentThread().getStackTrace().length, Math::max);
            for (long i = 0; i < count; i++) {
                publisher.next("x".repeat(100));
            }
        };
        client.turn(get("/"));
        loop.context.tasks.run(100);
        int first = deepest.get();
        loop.context.tasks.run(10_000);
        assertEquals(first, deepest.get());
    }

    @Test
    void endlessEmptyBuffersLetOthersHaveTheirTurn() throws IOException {
        publisher.onRequest = count -> {
            for (long i = 0; i < count; i++) {
                publisher.next("");
            }
        };
        client.turn(get("/"));
        loop.context.tasks.run(1000);
        long before = publisher.demand();
        var other = loop.connect();
        other.turn(get("/small"));
        assertTrue(other.received().endsWith("small"));
        loop.context.tasks.run(1000);
        assertTrue(publisher.demand() > before, "it is asked again");
        client.expect("");
    }

    /** Position and limit are what they were, of a buffer of any kind, when its bytes are sent. */
    @Test
    void buffersAreNotMoved() {
        ByteBuffer heap = ScriptedPublisher.buffer("[heap]").position(1).limit(5);
        ByteBuffer direct = ByteBuffer.allocateDirect(20_000).position(3).limit(19_000);
        ByteBuffer part = ScriptedPublisher.buffer("[read]").position(1).limit(5).slice();
        ByteBuffer readOnly = part.asReadOnlyBuffer();
        client.channel.room = 7;
        ask(get("/"));
        for (ByteBuffer buffer : List.of(heap, direct, readOnly)) {
            publisher.subscriber().onNext(buffer);
        }
        publisher.complete();
        loop.runTasks();
        client.drain();
        assertTrue(client.received().contains("4\r\nheap\r\n"));
        assertTrue(client.received().endsWith("4\r\nread\r\n0\r\n\r\n"));
        assertEquals(List.of(1, 5), List.of(heap.position(), heap.limit()));
        assertEquals(List.of(3, 19_000), List.of(direct.position(), direct.limit()));
        assertEquals(List.of(0, 4), List.of(readOnly.position(), readOnly.limit()));
    }
}
