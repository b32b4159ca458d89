package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.microhttp.GivenBodies.Kind;
import org.microhttp.testing.TestServer;

/**
 * What the server holds for a client that sends 128 requests and reads nothing, by kind and length of the
 * bodies; and what happens to it when the client reads after all, or ends.
 */
class QueuedBodiesTest extends QueuedBodiesFixture {

    private static final int REQUESTS = 128;

    /** What the client asks for: bodies alone, or also answers that have a length and no body. */
    enum Mix {
        GET, SOME_HEAD, HEAD, SOME_304;

        private boolean hasBody(int number) {
            return this == GET || this != HEAD && number % 3 == 0;
        }

        private String status(int number) {
            return this == SOME_304 && !hasBody(number) ? "304 Not Modified" : "200 OK";
        }

        private String requests() {
            var text = new StringBuilder();
            for (int i = 0; i < REQUESTS; i++) {
                boolean head = this != SOME_304 && !hasBody(i);
                text.append(head ? get("/" + i).replace("GET", "HEAD") : get("/" + i));
            }
            return text.toString();
        }
    }

    /** What has come of an answer that is not yet complete, and how many are. */
    private final StringBuilder begun = new StringBuilder();
    private int answers;
    private Mix mix = Mix.GET;
    private int length;

    private void start(Kind kind, int length, Mix mix) throws IOException {
        this.length = length;
        this.mix = mix;
        start(new Options(), (request, callback) -> {
            checkMayTakeRequest(bodies.count() == 0 || mix.hasBody(bodies.count() - 1));
            int number = Integer.parseInt(request.target().substring(1));
            String status = mix.status(number);
            callback.accept(new Response(Integer.parseInt(status.substring(0, 3)), status.substring(4),
                    List.of(), bodies.give(kind, number, length)));
        });
        client.channel.room = 0;
    }

    /** Turns in which the client reads some bytes. */
    private void readLittle() {
        for (int i = 1; i < 40; i++) {
            turn(i * i);
            readAnswers();
        }
    }

    private void readAll() {
        while (client.isWriting()) {
            turn(Integer.MAX_VALUE);
            assertTrue(client.channel.length() > 0, "nothing is sent, though the client reads");
            readAnswers();
        }
    }

    /** Every answer is the next one, and complete. */
    private void readAnswers() {
        begun.append(client.channel.takeReceived());
        int begin = 0;
        for (int end = endOfAnswer(begin); end >= 0; end = endOfAnswer(begin)) {
            int body = endOfHead(begin);
            String head = begun.substring(begin, body);
            assertTrue(head.startsWith("HTTP/1.1 " + mix.status(answers) + "\r\n"), head);
            boolean measured = head.contains("\r\nContent-Length: " + length + "\r\n");
            assertEquals(mix.status(answers).startsWith("200"), measured, head);
            boolean right = GivenBodies.text(answers, end - body).contentEquals(begun.subSequence(body, end));
            assertTrue(right, () -> "another body than " + answers);
            answers++;
            begin = end;
        }
        begun.delete(0, begin);
    }

    private int endOfHead(int begin) {
        int end = begun.indexOf("\r\n\r\n", begin);
        return end < 0 ? -1 : end + 4;
    }

    /** Where the answer ends that begins there; -1 if it is not complete. */
    private int endOfAnswer(int begin) {
        int head = endOfHead(begin);
        int end = head + (mix.hasBody(answers) ? length : 0);
        return head < 0 || end > begun.length() ? -1 : end;
    }

    static Stream<Arguments> kindsLengthsAndMixes() {
        return with((Object[]) Mix.values());
    }

    @ParameterizedTest
    @MethodSource("kindsLengthsAndMixes")
    void areSentInOrderWhenTheClientReads(Kind kind, int length, Mix mix) throws Exception {
        start(kind, length, mix);
        send(mix.requests());
        readNothing();
        readLittle();
        readAll();
        assertEquals(REQUESTS, answers);
        assertEquals("", begun.toString());
        client.expectOpen();
    }

    @ParameterizedTest
    @MethodSource("kindsLengthsAndEnds")
    void areReleasedIfTheClientReadsNothing(Kind kind, int length, End end) throws Exception {
        start(kind, length);
        send(requests(REQUESTS));
        readNothing();
        end(end);
    }

    @ParameterizedTest
    @MethodSource("kindsLengthsAndEnds")
    void areReleasedIfTheClientReadsLittle(Kind kind, int length, End end) throws Exception {
        start(kind, length, Mix.SOME_HEAD);
        send(mix.requests());
        readLittle();
        end(end);
    }

    /** Answers that the client has not read count as one, and so do requests that are not answered. */
    @ParameterizedTest
    @MethodSource("kindsAndLengths")
    void areCountedAsDropped(Kind kind, int length) throws Exception {
        start(kind, length);
        send(requests(REQUESTS));
        assertEquals(1 + Math.min(1, REQUESTS - bodies.count()), client.connection.countDropped());
        client.connection.free();
        assertEquals(0, client.connection.countDropped());
    }

    @ParameterizedTest
    @MethodSource("kindsAndLengths")
    void areNotCountedAsDroppedWhenTheyAreSent(Kind kind, int length) throws Exception {
        start(kind, length, Mix.GET);
        send(mix.requests());
        for (int i = 0; i < 5; i++) {
            turn(60);
        }
        assertTrue(client.isWriting() && client.channel.length() > 200);
        assertEquals(1 + Math.min(1, REQUESTS - bodies.count()), client.connection.countDropped());
        client.connection.free();
    }

    /** The buffers of the socket are smaller than one answer. */
    @ParameterizedTest
    @EnumSource
    void areCountedByAServerThatStops(Kind kind) throws Exception {
        start(kind, GivenBodies.LONGEST);
        Options options = TestServer.options().withSendBufferSize(4096);
        Handler handler = (request, callback) ->
                callback.accept(response(kind, bodies.count(), GivenBodies.LONGEST));
        try (var server = new TestServer(options, handler)) {
            server.connect(4096).send(requests(REQUESTS));
            server.log.await("write");
            assertEquals(2, server.loop.stop(Duration.ZERO));
        }
        assertEquals(1, bodies.count());
    }
}
