package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a subscriber gets of the body of a request, and what the client and the handler see of it. */
class BodyReceiverTest extends BodyReceiverFixture {

    @Test
    void getsABodyOfKnownLengthAsItComes() {
        client.turn(COUNTED + "abc");
        expectSignals("(abc");
        client.turn("defghi").expect("");
        expectSignals("(abcdefghi");
        client.turn("j" + get("/next"));
        expectSignals("(abcdefghij)");
        String both = client.received();
        assertTrue(both.contains("streamed") && both.endsWith("kept 0"), both);
        assertEquals(1, asked);
    }

    @Test
    void getsABodyInChunksWithoutThem() {
        client.turn(CHUNKED + "3\r\nabc\r\n2");
        expectSignals("(abc");
        client.turn("\r\nde\r\n1\r\nf\r\n");
        expectSignals("(abcdef");
        client.turn("0\r\nX: y\r\n\r\n");
        expectSignals("(abcdef)");
        assertEquals(2, receiver.lists);
        expectStatus(200);
    }

    @Test
    void getsABodyThatCameWithItsHead() {
        client.turn(COUNTED + "abcdefghij" + COUNTED.replace("POST /", "POST /kept") + "0123456789");
        expectSignals("(abcdefghij)");
        assertEquals(1, receiver.lists);
        String both = client.received();
        assertTrue(both.contains("streamed") && both.endsWith("kept 10"), both);
        assertEquals(2, asked);
    }

    /** The client's end is known before the body is requested: it waited behind an earlier request. */
    @Test
    void getsABodyThatIsHereThoughTheClientHasEnded() {
        receiver = new ScriptedReceiver();
        client.turn(get("/later") + COUNTED + "abcdefghij");
        client.channel.end();
        client.turn();
        loop.later.forEach(callback -> callback.accept(Response.text(200, "first")));
        loop.runTasks();
        expectSignals("(");
        receiver.subscription.request(1);
        loop.runTasks();
        expectSignals("(abcdefghij)");
        String both = client.received();
        assertTrue(both.contains("first") && both.contains("streamed"), both);
    }

    @ParameterizedTest
    @ValueSource(strings = {COUNTED + "abcdefghij", CHUNKED + "3\r\nabc\r\n7;x=y\r\ndefghij\r\n0\r\n\r\n"})
    void getsEachByteOnceHoweverItComes(String request) {
        for (int i = 0; i < request.length(); i++) {
            client.turn(request.substring(i, i + 1));
        }
        expectSignals("(abcdefghij)");
        assertEquals(10, receiver.lists);
        assertEquals(1, handled);
    }

    @Test
    void nothingIsReadUnlessItIsRequested() {
        receiver = new ScriptedReceiver();
        client.turn(COUNTED + "abc");
        expectSignals("(");
        assertEquals(0, client.interest());
        receiver.subscription.request(1);
        loop.runTasks();
        expectSignals("(abc");
        client.turn("defghij");
        // the first bytes are here, so that an end before them would have been noticed
        assertEquals(0, client.interest());
        expectSignals("(abc");
        receiver.subscription.request(1);
        loop.runTasks();
        expectSignals("(abcdefghij)");
        expectStatus(200);
    }

    @Test
    void aResetIsNoticedThoughNothingIsRequested() {
        receiver = new ScriptedReceiver();
        client.turn(COUNTED);
        client.channel.reset();
        client.turn();
        client.expectClosed();
        expectSignals("(!");
        assertEquals(0, handled);
    }

    @Test
    void the100IsSentWhenSomethingIsRequested() {
        receiver = new ScriptedReceiver();
        client.turn(COUNTED.replace("\r\n\r\n", "\r\nExpect: 100-continue\r\n\r\n")).expect("");
        elsewhere(() -> receiver.subscription.request(1));
        loop.runTasks();
        client.expect("HTTP/1.1 100 Continue\r\n\r\n");
        client.turn("abcdefghij");
        expectSignals("(abcdefghij)");
    }

    @Test
    void aCancelHasTheHandlerAnswerAtOnceAndForTheLastTime() {
        receiver.onNext = Flow.Subscription::cancel;
        client.turn(COUNTED + "abc");
        loop.runTasks();
        expectSignals("(abc");
        assertTrue(client.received().contains("Connection: close"));
        client.turn("defghij" + get("/"));
        assertEquals(1, handled);
        expectSignals("(abc");
    }

    @Test
    void aCancelBeforeTheBodySendsNo100() {
        receiver = new ScriptedReceiver();
        receiver.onSubscribe = Flow.Subscription::cancel;
        client.turn(COUNTED.replace("\r\n\r\n", "\r\nExpect: 100-continue\r\n\r\n"));
        loop.runTasks();
        expectStatus(200);
        assertEquals(1, handled);
    }

    @Test
    void aBodyThatEndsInTheMiddleIsAnError() {
        client.turn(COUNTED + "abc");
        client.channel.end();
        client.turn();
        expectSignals("(abc!");
        expectRefusal(400, "truncated");
    }

    @Test
    void aMalformedBodyIsAnError() {
        client.turn(CHUNKED + "3\r\nabc\r\nx\r\n");
        expectRefusal(400, "bad_chunk_size");
        assertTrue(("" + receiver.signals).endsWith("!"));
    }

    @Test
    void aBodyMayBeLargerThanARequestInMemory() throws IOException {
        start(new Options().withMaxRequestSize(1000).withMaxHeaderSize(500));
        client.turn(HEAD + "Content-Length: 1000000000\r\n\r\n" + "x".repeat(900));
        for (int i = 0; i < 10; i++) {
            client.turn("x".repeat(900));
        }
        assertEquals(1 + 11 * 900, receiver.signals.length());
        assertEquals(0, handled);
    }

    @ParameterizedTest
    @ValueSource(strings = {HEAD + "Content-Length: 5000\r\n\r\n", CHUNKED + "1388\r\n"})
    void aBodyHasALimitOfItsOwn(String request) throws IOException {
        start(new Options().withMaxStreamedSize(4000));
        client.turn(request);
        boolean declared = request.contains("Content-Length");
        expectSignals(declared ? "" : "(!");
        expectRefusal(413, "stream_too_large");
    }

    /** If it is above both limits, the handler is not even asked. */
    @ParameterizedTest
    @CsvSource({"2000, 1000, 0, 3000", "1000, 2000, 0, 3000", "1000, 2000, 1, 1500"})
    void whatIsDeclaredTooLargeHasNoSideEffects(int streamed, int kept, int asks, int size)
            throws IOException {
        for (String expects : List.of("", "Expect: 100-continue\r\n")) {
            start(new Options().withMaxStreamedSize(streamed).withMaxRequestSize(kept)
                    .withMaxHeaderSize(500).withMaxPendingRequests(1));
            asked = 0;
            client.turn(HEAD + expects + "Content-Length: " + size + "\r\n\r\n");
            expectRefusal(413, "stream_too_large");
            expectSignals("");
            assertEquals(asks, asked);
            assertEquals(0, Inside.used(loop.context.group.requests));
        }
    }

    @Test
    void aReceiverThatFailsIsAFailureOfTheHandler() {
        receiver.onNext = given -> {
            throw new IllegalStateException("wanted");
        };
        client.turn(COUNTED + "abc");
        expectRefusal(500, "handler_error");
        assertLogged(1, "handler_error");
        expectSignals("(abc");
    }

    /** Rule 2.13: it counts as cancelled then, whatever it has requested. */
    @Test
    void aReceiverThatFailsAtOnceGetsNoMore() {
        receiver.onSubscribe = given -> {
            given.request(1);
            throw new IllegalStateException("wanted");
        };
        client.turn(COUNTED + "abcdefghij");
        expectRefusal(500, "handler_error");
        expectSignals("(");
    }

    /** Also if the body turns out to be malformed: an earlier response is not lost. */
    @Test
    void aReceiverThatFailsSpoilsNoEarlierResponse() {
        receiver.onSubscribe = given -> {
            throw new IllegalStateException("wanted");
        };
        client.turn(get("/later") + CHUNKED + "x\r\n");
        answer(0, "first");
        String both = client.received();
        assertTrue(both.startsWith(ok("first") + "HTTP/1.1 "), both);
        assertLogged(1, "handler_error");
        assertLogged(0, "connection_error");
    }

    /** What the client did wrong is said all the same. */
    @Test
    void aReceiverThatFailsAtTheErrorSpoilsNoRefusal() {
        receiver.onEnd = given -> {
            throw new IllegalStateException("wanted");
        };
        client.turn(COUNTED + "abc");
        client.channel.end();
        client.turn();
        expectSignals("(abc!");
        expectRefusal(400, "truncated");
        assertLogged(1, "handler_error");
        assertLogged(0, "connection_error");
    }

    @Test
    void aMethodThatFailsIsAFailureOfTheHandler() throws IOException {
        start(new Options(), new Handler() {

            @Override
            public void handle(Request request, Consumer<Response> callback) {
                handled++;
            }

            @Override
            public Flow.Subscriber<? super List<ByteBuffer>> receiver(Request request) {
                throw new IllegalStateException("wanted");
            }
        });
        client.turn(COUNTED.replace("\r\n\r\n", "\r\nExpect: 100-continue\r\n\r\n"));
        expectRefusal(500, "handler_error");
        assertLogged(1, "handler_error");
    }

    @Test
    void aReceiverThatRequestsNothingIsGivenUp() {
        receiver = new ScriptedReceiver();
        client.turn(COUNTED + "abc");
        client.timeOut();
        expectSignals("(!");
        expectRefusal(503, "handler_timeout");
    }

    /** It requests a list each second; what it requests is here already. */
    @Test
    void aSubscriberThatRequestsSteadilyIsNotSilent() throws IOException {
        start(new Options().withHandlerTimeout(Duration.ofSeconds(5)));
        receiver = new ScriptedReceiver();
        client.turn(HEAD + "Content-Length: 100\r\n\r\n");
        for (int i = 0; i < 20; i++) {
            client.turn("xxxxx");
            receiver.subscription.request(1);
            loop.runTasks();
            loop.passTime(Duration.ofSeconds(1));
        }
        expectSignals("(" + "x".repeat(100) + ")");
        expectStatus(200);
    }

    @Test
    void aSubscriberThatStopsRequestingIsRefusedInTime() throws IOException {
        start(new Options().withHandlerTimeout(Duration.ofSeconds(5)));
        receiver = new ScriptedReceiver();
        client.turn(HEAD + "Content-Length: 100\r\n\r\nxxxxx");
        loop.passTime(Duration.ofSeconds(4));
        receiver.subscription.request(1);
        loop.runTasks();
        loop.passTime(Duration.ofSeconds(4));
        client.expectOpen();
        loop.passTime(Duration.ofSeconds(2));
        expectRefusal(503, "handler_timeout");
    }

    @Test
    void aClientThatSendsTooLittleIsGivenUp() throws IOException {
        start(new Options().withMinReceiveRate(100).withRequestTimeout(Duration.ofSeconds(10)));
        client.turn(HEAD + "Content-Length: 100000\r\n\r\n");
        for (int i = 0; i < 30; i++) {
            client.turn("x".repeat(200));
            loop.passTime(Duration.ofSeconds(1));
        }
        client.expectOpen();
        for (int i = 0; i < 21 && client.channel.isOpen(); i++) {
            client.turn("x".repeat(50));
            loop.passTime(Duration.ofSeconds(1));
        }
        expectRefusal(408, "request_timeout");
        assertTrue(("" + receiver.signals).endsWith("!"));
    }

    @Test
    void aSilentClientIsGivenUp() throws IOException {
        start(new Options().withSocketTimeout(Duration.ofSeconds(5)));
        client.turn(COUNTED + "abc");
        loop.passTime(Duration.ofSeconds(6));
        expectRefusal(408, "socket_timeout");
        expectSignals("(abc!");
    }

    @Test
    void timeInWhichNothingIsRequestedIsNotTheClients() throws IOException {
        Duration five = Duration.ofSeconds(5);
        start(new Options().withSocketTimeout(five).withRequestTimeout(five));
        receiver = new ScriptedReceiver();
        client.turn(COUNTED + "abc");
        for (int i = 0; i < 20; i++) {
            loop.passTime(Duration.ofSeconds(1));
        }
        receiver.subscription.request(9);
        loop.runTasks();
        loop.passTime(Duration.ofSeconds(4));
        client.turn("defghij");
        expectSignals("(abcdefghij)");
        expectStatus(200);
    }

    @Test
    void takesAPlaceBeforeTheHandlerIsAsked() throws IOException {
        start(new Options().withMaxPendingRequests(1));
        var other = loop.connect();
        other.turn(COUNTED + "abc");
        client.turn(COUNTED + "0123456789");
        assertEquals(1, asked);
        assertEquals(0, handled);
        expectStatus(503);
        client.turn(COUNTED + "01234");
        other.turn("defghij");
        assertEquals(1, handled);
        var third = loop.connect();
        third.turn(COUNTED.replace("POST /", "POST /kept") + "abcdefghij");
        assertEquals(2, handled);
        // what was kept until there was a place
        receiver = ScriptedReceiver.requesting(1);
        client.turn("56789");
        expectSignals("(0123456789)");
        assertEquals(3, handled);
    }

    @Test
    void whatIsKeptHoldsNoPlaceWhileItComes() throws IOException {
        start(new Options().withMaxPendingRequests(1));
        client.turn(COUNTED.replace("POST /", "POST /kept") + "abc");
        loop.connect().turn(get("/"));
        assertEquals(1, handled);
        client.turn("defghij");
        assertEquals(2, handled);
    }

    @Test
    void aClosedConnectionReleasesThePlace() throws IOException {
        start(new Options().withMaxPendingRequests(1));
        client.turn(COUNTED + "abc");
        reset(client);
        loop.connect().turn(get("/"));
        assertEquals(1, handled);
    }

    @Test
    void wrappersKeepTheReceiver() throws IOException {
        Handler inner = loop.context.handler;
        start(new Options(), inner.andThen((request, response) -> response.withHeader("X", "y")));
        client.turn(COUNTED + "abcdefghij");
        expectSignals("(abcdefghij)");
        assertTrue(client.received().contains("X: y"));
    }
}
