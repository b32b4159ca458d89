package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Another protocol that is not asked for, or does not end as it should. */
class UpgradeFailuresTest extends UpgradeFixture {

    @ParameterizedTest
    @ValueSource(strings = {
            "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: echo\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: echo/2\r\n\r\n",
            "GET / HTTP/1.0\r\nHost: x\r\nConnection: upgrade, keep-alive\r\nUpgrade: echo\r\n\r\n",
            "HEAD / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: echo\r\n"
                    + "Content-Length: 1\r\n\r\na",
            "POST / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: echo\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"})
    void whoHasNotAskedGetsA400(String request) {
        turn(request);
        assertTrue(client.received().startsWith("HTTP/1.1 400 "));
        assertLogged(1, "refuse");
        assertLogged(0, "handler_error");
        assertEquals(1, released);
        assertEquals(0, outgoing.subscribers.size());
        expectSignals("");
        // it was a request, whose connection goes on
        turn(get("/later"));
        assertEquals(1, loop.later.size());
    }

    /** What a handler around another does to its response, so that it cannot be sent. */
    enum Spoils {

        NO_UPGRADE, NO_HOP_BY_HOP_FIELDS, OTHER_RESPONSE, FIELDS_THAT_CANNOT_BE_READ;

        private Response spoil(Request request, Response response) {
            return switch (this) {
                case NO_UPGRADE -> response.withoutHeader("Upgrade");
                case NO_HOP_BY_HOP_FIELDS -> response.withoutHeader("Connection").withoutHeader("upgrade");
                case OTHER_RESPONSE -> new Response(101, List.of(), response.body());
                case FIELDS_THAT_CANNOT_BE_READ -> {
                    Arrays.fill(request.head.fields(), (byte) 0);
                    yield response;
                }
            };
        }
    }

    private static List<Arguments> spoils() {
        return Arrays.stream(Spoils.values()).flatMap(spoils -> Stream.of(true, false)
                .map(inline -> Arguments.of(spoils, inline))).toList();
    }

    /** Whatever keeps a response from being made, it is a whole 500, and the connection speaks HTTP on. */
    @ParameterizedTest
    @MethodSource("spoils")
    void aResponseThatIsSpoiltIsA500(Spoils spoils, boolean inline) throws IOException {
        start(new Options(), (request, callback) -> {
            Response spoilt = spoils.spoil(request, response());
            if (inline) {
                callback.accept(spoilt);
            } else {
                elsewhere(() -> callback.accept(spoilt));
            }
        });
        turn(ASKS);
        String received = client.received();
        assertTrue(received.startsWith("HTTP/1.1 500 "));
        assertTrue(received.contains("\r\nContent-Length: "));
        assertLogged(1, "handler_error");
        assertEquals(1, released);
        assertEquals(0, outgoing.subscribers.size());
        expectSignals("");
        turn(get("/later"));
        assertEquals(1, loop.later.size());
    }

    @Test
    void aResetIsAnError() {
        upgrade();
        reset(client);
        expectSignals("(!");
        assertEquals(1, outgoing.cancels);
        assertEquals(1, released);
    }

    @Test
    void aPublisherThatFailsResets() {
        upgrade();
        outgoing.fail("wanted");
        loop.runTasks();
        expectCut();
        expectSignals("(!");
        assertLogged(1, "body_error");
    }

    @Test
    void aPublisherThatFailsBeforeTheHeadIsA500() {
        outgoing.answering = false;
        turn(ASKS + "ahead");
        outgoing.fail("wanted");
        loop.runTasks();
        assertTrue(client.received().startsWith("HTTP/1.1 500 "));
        expectSignals("(ahead!");
        assertEquals(1, released);
    }

    @Test
    void aSubscriberThatThrowsResets() {
        incoming.onNext = given -> {
            throw new IllegalStateException("wanted");
        };
        upgrade();
        turn("one");
        expectCut();
        expectSignals("(one");
        assertLogged(1, "handler_error");
        assertEquals(1, outgoing.cancels);
    }

    @Test
    void aRequestForNothingIsAFailure() {
        upgrade();
        elsewhere(() -> incoming.subscription.request(0));
        loop.runTasks();
        expectSignals("(!");
        expectCut();
    }

    @Test
    void silenceOfBothSidesResets() throws IOException {
        start(new Options().withStreamTimeout(Duration.ofSeconds(10)));
        upgrade();
        for (int i = 0; i < 5; i++) {
            loop.passTime(Duration.ofSeconds(8));
            turn("x");
            loop.passTime(Duration.ofSeconds(8));
            say("y");
        }
        client.expectOpen();
        loop.passTime(Duration.ofSeconds(11));
        loop.runTasks();
        expectCut();
        expectSignals("(xxxxx!");
    }

    /** Of what nobody requests only the first bytes are read. */
    @Test
    void whatIsNotReadDoesNotCountAsSent() throws IOException {
        start(new Options().withStreamTimeout(Duration.ofSeconds(10)));
        incoming = new ScriptedReceiver();
        upgrade();
        loop.passTime(Duration.ofSeconds(8));
        client.turn("x".repeat(20));
        loop.passTime(Duration.ofSeconds(8));
        client.expectOpen();
        client.turn("x".repeat(20));
        loop.passTime(Duration.ofSeconds(3));
        loop.runTasks();
        expectCut();
        expectSignals("(!");
    }

    /** It is noticed at the latest when the client is silent for too long. */
    @Test
    void anEndIsNoticedThoughNothingIsRequested() throws IOException {
        start(new Options().withStreamTimeout(Duration.ofSeconds(10)));
        incoming = new ScriptedReceiver();
        upgrade();
        client.channel.end();
        loop.passTime(Duration.ofSeconds(11));
        expectSignals("()");
        client.expectOpen();
    }

    @Test
    void aClientThatDoesNotReadIsCut() {
        upgrade();
        client.channel.room = 0;
        say("abc");
        client.timeOut();
        expectCut();
        expectSignals("(!");
    }

    @Test
    void bytesBeyondTheBudgetCut() throws IOException {
        start(new Options().withMaxBufferedBytes(1 << 20));
        incoming = new ScriptedReceiver();
        loop.context.limits.parser.bytes().tryTake(1 << 20);
        turn(ASKS + "ahead");
        client.expectClosed();
        expectSignals("(!");
        assertLogged(1, "refuse");
        assertLogged(0, "write_error");
    }

    @Test
    void anEndOfTheLoopIsAnError() {
        upgrade();
        assertEquals(1, client.connection.countDropped());
        client.connection.free();
        expectSignals("(!");
        assertEquals(1, outgoing.cancels);
    }

    /** A response that is given to nobody is released, and nobody is called. */
    @Test
    void aResponseThatComesTooLateCallsNobody() {
        client.turn(ASKS.replace("GET /", "GET /later"));
        Consumer<Response> callback = loop.later.get(0);
        reset(client);
        callback.accept(response());
        loop.runTasks();
        assertEquals(1, released);
        assertEquals(0, outgoing.subscribers.size());
        expectSignals("");
        assertLogged(0, "handler_error");
        assertLogged(1, "response_late");
    }

    /** Else the client would speak to nobody. */
    @Test
    void bytesSentAheadThatAreLostAreRefused() throws IOException {
        start(new Options().withMaxBufferedBytes(1 << 20));
        loop.context.limits.parser.bytes().tryTake(1 << 20);
        client.turn(ASKS.replace("GET /", "GET /later") + "ahead");
        loop.context.limits.parser.bytes().release(1 << 20);
        loop.later.get(0).accept(response());
        loop.runTasks();
        assertTrue(client.received().startsWith("HTTP/1.1 503 "));
        assertEquals(1, released);
        expectSignals("");
    }

    @Test
    void aClientThatEndsAfterAQuietTimeGetsTheRest() throws IOException {
        Duration two = Duration.ofSeconds(2);
        start(new Options().withSocketTimeout(two).withStreamTimeout(Duration.ofMinutes(1)));
        upgrade();
        loop.passTime(Duration.ofSeconds(10));
        client.channel.end();
        client.turn();
        loop.passTime(Duration.ofSeconds(1));
        say("bye");
        expectNext("bye");
        loop.passTime(Duration.ofSeconds(3));
        loop.runTasks();
        expectCut();
    }

    /** A publisher that signals in each request would otherwise go on for as long as its client reads. */
    @Test
    void nothingIsRequestedAfterAStop() {
        upgrade();
        loop.context.end.stopped = true;
        say("last");
        expectNext("last");
        assertEquals(8, outgoing.demand());
    }

    @Test
    void signalsThatNobodyRequestedAreNoTasks() {
        upgrade();
        for (int i = 0; i < 10_000; i++) {
            outgoing.next("x");
            outgoing.complete();
            incoming.subscription.request(0);
        }
        int tasks = 0;
        while (!loop.context.tasks.isEmpty()) {
            loop.context.tasks.run(1);
            tasks++;
        }
        assertTrue(tasks < 50, tasks + " tasks");
    }
}
