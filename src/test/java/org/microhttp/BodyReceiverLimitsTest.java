package org.microhttp;

import static java.nio.channels.SelectionKey.OP_READ;
import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.Test;

/** What a received body may occupy, and until when; and what one client or subscriber cannot do to others. */
class BodyReceiverLimitsTest extends BodyReceiverFixture {

    /** The end of its side does not make a body incomplete that has come before. */
    @Test
    void aClientMayEndItsSideBeforeItsBodyIsRequested() {
        receiver = new ScriptedReceiver();
        client.turn(COUNTED + "abcdefghij");
        client.channel.end();
        loop.passTime(Duration.ofSeconds(2));
        expectSignals("(");
        receiver.subscription.request(1);
        loop.runTasks();
        expectSignals("(abcdefghij)");
        expectStatus(200);
    }

    @Test
    void whatHasComeOfATruncatedBodyIsPassedOnFirst() {
        receiver = new ScriptedReceiver();
        client.turn(COUNTED + "abc");
        client.channel.end();
        for (int i = 0; i < 3; i++) {
            loop.passTime(Duration.ofSeconds(2));
        }
        expectSignals("(");
        receiver.subscription.request(2);
        loop.runTasks();
        client.turn();
        expectSignals("(abc!");
        expectRefusal(400, "truncated");
    }

    @Test
    void pausesOfTheSubscriberDoNotRenewTheTimeOfTheClient() throws IOException {
        start(new Options().withMinReceiveRate(100).withRequestTimeout(Duration.ofSeconds(10)));
        receiver = ScriptedReceiver.requesting(1);
        client.turn(HEAD + "Content-Length: 100000\r\n\r\n");
        int seconds = 0;
        while (client.channel.isOpen() && !client.channel.outputEnded && seconds < 100) {
            loop.passTime(Duration.ofSeconds(1));
            seconds++;
            // what comes uses up what is requested
            client.turn("x".repeat(10));
            if (receiver.error == null) receiver.subscription.request(1);
            loop.runTasks();
        }
        assertNotNull(receiver.error, "a slow client is waited for");
        expectRefusal(408, "request_timeout");
    }

    @Test
    void withoutAMinimumAByteInTheIdleTimeIsEnough() throws IOException {
        start(new Options().withMinReceiveRate(0).withRequestTimeout(Duration.ofSeconds(1)));
        receiver = ScriptedReceiver.requesting(Long.MAX_VALUE);
        client.turn(HEAD + "Content-Length: 10\r\n\r\n");
        for (int i = 0; i < 10; i++) {
            loop.passTime(Duration.ofSeconds(70));
            client.turn("x");
        }
        expectSignals("(" + "x".repeat(10) + ")");
        expectStatus(200);
    }

    @Test
    void aRateBelowAByteIsAByte() throws IOException {
        start(new Options().withMinReceiveRate(1).withRequestTimeout(Duration.ofMillis(500)));
        client.turn(COUNTED + "a");
        loop.passTime(Duration.ofSeconds(1));
        expectRefusal(408, "request_timeout");
    }

    @Test
    void anInterruptThatASubscriberLeavesIsNotTheLoops() {
        receiver.onNext = given -> Thread.currentThread().interrupt();
        client.turn(COUNTED + "abc");
        client.turn("defghij");
        expectSignals("(abcdefghij)");
        expectStatus(200);
        assertFalse(loop.context.end.stopped);
        assertLogged(2, "handler_interrupt");
    }

    @Test
    void theArrayOfABufferHasNothingElse() {
        var lengths = new ArrayList<Integer>();
        var own = new ScriptedReceiver() {

            @Override
            public void onNext(List<ByteBuffer> buffers) {
                buffers.forEach(buffer -> lengths.add(buffer.array().length));
                super.onNext(buffers);
            }
        };
        own.onSubscribe = given -> given.request(Long.MAX_VALUE);
        receiver = own;
        client.turn(CHUNKED + "1\r\na\r\n2\r\nbc\r\n0\r\n\r\n" + get("/secret").repeat(10));
        expectSignals("(abc)");
        assertEquals(List.of(3), lengths);
    }

    @Test
    void linesOfChunksMayBeLongerThanTheReadBuffer() throws IOException {
        start(new Options().withReadBufferSize(64));
        client.channel.send(CHUNKED + "1;a=" + "b".repeat(900) + "\r\na\r\n0\r\n" + "T: " + "t".repeat(900)
                + "\r\n\r\n");
        turns(100);
        expectSignals("(a)");
        expectStatus(200);
    }

    /** The time of the upload is not the handler's. */
    @Test
    void theHandlersPlaceLastsAsLongAsItsTime() throws IOException {
        start(new Options().withMaxPendingRequests(1).withHandlerTimeout(Duration.ofSeconds(10)));
        client.turn(later(COUNTED));
        for (int i = 0; i < 9; i++) {
            loop.passTime(Duration.ofSeconds(3));
            client.turn("x");
        }
        client.turn("x");
        assertEquals(1, loop.later.size());
        reset(client);
        loop.passTime(Duration.ofSeconds(8));
        loop.connect().turn(get("/"));
        assertEquals(0, handled, "the place is released while the handler has its time");
        loop.passTime(Duration.ofSeconds(3));
        loop.connect().turn(get("/"));
        assertEquals(1, handled);
    }

    @Test
    void aResetIsNoticedAfterACancel() {
        receiver.onNext = Flow.Subscription::cancel;
        begin();
        assertEquals(1, loop.later.size());
        assertEquals(OP_READ, client.interest());
        client.turn("3\r\nabc\r\n");
        reset(client);
    }

    @Test
    void aBodyThatWasPutOffHasItsLimit() throws IOException {
        start(new Options().withMaxPendingRequests(1).withMaxStreamedSize(100));
        var other = loop.connect();
        other.turn(COUNTED + "abc");
        client.turn(HEAD + "Content-Length: 200\r\n\r\n" + "x".repeat(199));
        other.turn("defghij");
        receiver = ScriptedReceiver.requesting(1);
        client.turn("x");
        expectStatus(413);
        expectSignals("");
    }

    @Test
    void aSubscriberIsToldWhenAnEarlierResponseIsCut() throws Exception {
        var file = Bodies.file("x".repeat(100));
        start(new Options(), loop.context.handler);
        client.channel.room = 80;
        client.turn(get("/later") + COUNTED + "abc");
        loop.later.get(0).accept(Bodies.response(Body.of(file, 0, 100)));
        loop.runTasks();
        expectSignals("(abc");
        file.close();
        client.channel.room = 1000;
        client.drain();
        expectSignals("(abc!");
    }

    @Test
    void aRequestForNothingInTheLastSignalIsAFailure() {
        receiver.onNext = given -> given.request(0);
        client.turn(COUNTED + "abcdefghij");
        loop.runTasks();
        expectSignals("(abcdefghij!");
        expectRefusal(500, "handler_error");
    }

    @Test
    void aConnectionThatIsCutReleasesThePlace() throws Exception {
        var file = Bodies.file("x".repeat(100));
        start(new Options().withMaxPendingRequests(1), loop.context.handler);
        client.channel.room = 80;
        client.turn(get("/later") + COUNTED + "abc");
        loop.later.get(0).accept(Bodies.response(Body.of(file, 0, 100)));
        loop.runTasks();
        file.close();
        client.channel.room = 1000;
        client.drain();
        loop.connect().turn(get("/"));
        assertEquals(1, handled);
    }

    @Test
    void whatIsSentAheadOfAnUploadCountsWithIt() {
        receiver = new ScriptedReceiver();
        client.turn(COUNTED + "abcdefghij" + get("/").repeat(3));
        assertEquals(1, client.connection.countDropped());
    }

    @Test
    void aFailureInTheErrorIsNoSecondResponse() {
        receiver.onEnd = given -> {
            throw new IllegalStateException("wanted");
        };
        client.turn(COUNTED + "abc");
        receiver.subscription.request(0);
        loop.runTasks();
        expectRefusal(500, "handler_error");
        assertLogged(0, "response_ignored");
    }
}
