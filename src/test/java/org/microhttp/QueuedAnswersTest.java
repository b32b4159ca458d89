package org.microhttp;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.microhttp.GivenBodies.Kind;
import org.microhttp.protocol.Budget;

/**
 * Answers that wait behind others which the client does not read: a late one, an interim one, one whose body
 * fails. Each keeps its place, has the date of its sending, and is charged while it waits.
 */
class QueuedAnswersTest extends QueuedBodiesFixture {

    private static final String CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";
    private static final int SMALL = 1000;

    private static String expecting(String target) {
        return "POST " + target + " HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n";
    }

    /** Another thread answers the second request, when the first answer is blocked. */
    private void answerLate(Kind kind, int length) throws Exception {
        start(Kind.ARRAY, SMALL);
        send(get("/0") + get("/later") + get("/2") + get("/3") + get("/4"));
        Response late = response(kind, 1, length);
        elsewhere(() -> loop.later.get(0).accept(late));
        loop.runTasks();
    }

    @ParameterizedTest
    @MethodSource("kindsAndLengths")
    void areSentInOrderIfOneIsLate(Kind kind, int length) throws Exception {
        answerLate(kind, length);
        checkHeld();
        readNothing();
        drain(50_000);
        client.expect(answer(0, SMALL) + answer(1, length) + answer(2, SMALL) + answer(3, SMALL)
                + answer(4, SMALL));
    }

    @ParameterizedTest
    @MethodSource("kindsLengthsAndEnds")
    void areReleasedIfOneIsLate(Kind kind, int length, End end) throws Exception {
        answerLate(kind, length);
        checkHeld();
        readNothing();
        end(end);
    }

    /** The client reads all it gets; the late answer is in the queue when the next request could be taken. */
    @ParameterizedTest
    @MethodSource("kindsAndLengths")
    void leaveTheQueueBeforeTheNextRequestIfOneIsLate(Kind kind, int length) throws Exception {
        start(kind, length);
        client.channel.room = Integer.MAX_VALUE;
        send(get("/later") + get("/1") + get("/2"));
        Response late = response(kind, 0, length);
        elsewhere(() -> loop.later.get(0).accept(late));
        loop.runTasks();
        checkHeld();
        drain(Integer.MAX_VALUE);
        client.expect(answer(0, length) + answer(1, length) + answer(2, length));
    }

    /** Each needs a write of its own. */
    @Test
    void areSentIfNothingCanBeCharged() throws Exception {
        start(Kind.DIRECT, 100);
        client.channel.room = Integer.MAX_VALUE;
        Budget budget = loop.context.group.bytes;
        long taken = budget.left();
        assertTrue(budget.tryTake(taken));
        client.turn(requests(40));
        while (client.isWriting()) {
            client.turn();
        }
        budget.release(taken);
        client.expect(IntStream.range(0, 40).mapToObj(number -> answer(number, 100)).collect(joining()));
    }

    /** The two answers, which the client has not read, count as one; so do the three requests after them. */
    @Test
    void areCountedAsDroppedIfOneIsLate() throws Exception {
        answerLate(Kind.ARRAY, SMALL);
        assertEquals(2, client.connection.countDropped());
        client.connection.free();
    }

    @Test
    void areCountedAsDroppedIfOneIsMissing() throws Exception {
        start(Kind.ARRAY, SMALL);
        send(get("/0") + get("/later") + get("/2") + get("/3"));
        assertEquals(3, client.connection.countDropped());
        client.connection.free();
    }

    @ParameterizedTest
    @MethodSource("kindsAndLengths")
    void leaveTheInterimAnswerItsPlace(Kind kind, int length) throws Exception {
        start(kind, length);
        send(get("/0") + get("/1") + expecting("/2"));
        readNothing();
        drain(10_000);
        String first = answer(0, length) + answer(1, length) + CONTINUE;
        client.expect(first);
        client.channel.room = 0;
        send("body" + get("/3"));
        drain(10_000);
        client.expect(first + answer(2, length) + answer(3, length));
    }

    /** The interim answer is blocked itself, at each of its bytes. */
    @ParameterizedTest
    @MethodSource("kindsAndLengths")
    void areFollowedByAnInterimAnswerByteByByte(Kind kind, int length) throws Exception {
        start(kind, length);
        send(get("/0") + expecting("/1"));
        while (client.channel.length() < length) {
            turn(length / 2);
        }
        drain(1);
        String first = answer(0, length) + CONTINUE;
        client.expect(first);
        client.channel.room = Integer.MAX_VALUE;
        send("body");
        drain(Integer.MAX_VALUE);
        client.expect(first + answer(1, length));
    }

    @ParameterizedTest
    @MethodSource("kindsAndLengths")
    void areSentAroundOneWhoseBodyFails(Kind kind, int length) throws Exception {
        start(new Options(), (request, callback) -> {
            checkMayTakeRequest(true);
            int number = Integer.parseInt(request.target().substring(1));
            callback.accept(number == 2 ? Bodies.response(bodies.giveClosedFile(number, length))
                    : response(kind, number, length));
        });
        client.channel.room = 0;
        send(requests(5));
        readNothing();
        drain(10_000);
        String received = client.received();
        String before = answer(0, length) + answer(1, length);
        String after = answer(3, length) + answer(4, length);
        assertTrue(received.startsWith(before), "the answers before it are not complete");
        assertTrue(received.endsWith(after), "the answers after it are not complete");
        String instead = received.substring(before.length(), received.length() - after.length());
        assertTrue(instead.matches("HTTP/1\\.1 500 [^\u0000]*\r\nhandler_error: .*\n"), instead);
        assertFalse(instead.contains("Connection: close"), instead);
        assertLogged(1, "body_error");
        client.connection.free();
    }

    @ParameterizedTest
    @MethodSource("kindsLengthsAndEnds")
    void areReleasedIfABodyWouldFail(Kind kind, int length, End end) throws Exception {
        start(new Options(), (request, callback) -> {
            int number = bodies.count();
            callback.accept(number == 1 ? Bodies.response(bodies.giveClosedFile(number, length))
                    : response(kind, number, length));
        });
        client.channel.room = 0;
        send(requests(5));
        readNothing();
        end(end);
    }

    /** The first has begun to be sent, with its date; the others are sent five seconds later. */
    @Test
    void haveTheDateOfTheirSending() throws Exception {
        var now = new AtomicLong(Duration.ofSeconds(1000).toNanos());
        start(Inside.withClock(new Options(), now::get, () -> now.get() / 1_000_000), Kind.ARRAY, 100);
        send(requests(3));
        turn(150);
        assertEquals(List.of("Thu, 01 Jan 1970 00:16:40 GMT"), dates());
        turn(0);
        now.addAndGet(Duration.ofSeconds(5).toNanos());
        drain(Integer.MAX_VALUE);
        String late = "Thu, 01 Jan 1970 00:16:45 GMT";
        assertEquals(List.of(late, late), dates());
    }

    /** At whichever byte of it, or before it, the client stops reading for a while. */
    @Test
    void keepTheDateThatTheyHaveBegunWith() throws Exception {
        for (int read = 1; read < 100; read++) {
            var now = new AtomicLong(Duration.ofSeconds(1000).toNanos());
            start(Inside.withClock(new Options(), now::get, () -> now.get() / 1_000_000), Kind.ARRAY, 100);
            send(requests(1));
            turn(read);
            now.addAndGet(Duration.ofSeconds(5).toNanos());
            drain(Integer.MAX_VALUE);
            assertEquals(List.of("Thu, 01 Jan 1970 00:16:40 GMT"), dates(), read + " bytes were read");
        }
    }

    private List<String> dates() {
        return Pattern.compile("Date: ([^\r]*)\r\n").matcher(client.channel.takeReceived()).results()
                .map(found -> found.group(1)).toList();
    }

    static Stream<Arguments> kindsInMemory() {
        return kindsAndLengths().filter(some -> some.get()[0] != Kind.FILE);
    }

    /** What waits behind the first answer and cannot be charged ends the connection. */
    @ParameterizedTest
    @MethodSource("kindsInMemory")
    void endTheirConnectionIfALateOneCannotBeCharged(Kind kind, int length) throws Exception {
        start(Kind.ARRAY, SMALL);
        send(get("/0") + get("/later"));
        Budget budget = loop.context.group.bytes;
        long taken = budget.left() - 50;
        assertTrue(budget.tryTake(taken));
        Response late = response(kind, 1, length);
        elsewhere(() -> loop.later.get(0).accept(late));
        loop.runTasks();
        client.turn();
        budget.release(taken);
        client.expectClosed();
    }

    /** At most one is not charged, which may be any of them. */
    @ParameterizedTest
    @EnumSource
    void areSentThoughTheLastIsLargerThanTheBudget(Kind kind) throws Exception {
        start(Kind.ARRAY, SMALL);
        Budget budget = loop.context.group.bytes;
        long taken = budget.left() - 10_000;
        assertTrue(budget.tryTake(taken));
        send(get("/0") + get("/later"));
        Response late = response(kind, 1, 1_000_000);
        elsewhere(() -> loop.later.get(0).accept(late));
        loop.runTasks();
        drain(10_000);
        budget.release(taken);
        client.expect(answer(0, SMALL) + answer(1, 1_000_000));
    }

    @Test
    void endTheirConnectionIfABatchCannotBeCharged() throws Exception {
        start(Kind.ARRAY, SMALL);
        Budget budget = loop.context.group.bytes;
        long taken = budget.left() - 2 * SMALL;
        assertTrue(budget.tryTake(taken));
        client.turn(requests(5));
        budget.release(taken);
        client.expectClosed();
        assertEquals(5, bodies.count());
    }
}
