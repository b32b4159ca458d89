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
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.GivenBodies.Kind;
import org.microhttp.protocol.Budget;

/**
 * Answers that wait behind others which the client does not read: a late one, an interim one, one whose body
 * fails. Each keeps its place, has the date of its sending, and is charged while it waits.
 */
class QueuedAnswersTest extends QueuedBodiesFixture {

    private static final String CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";
    private static final int SMALL = 1000;

    /** Another thread answers the first request for /later. */
    private void answerLate(Response late) {
        elsewhere(() -> loop.later.get(0).accept(late));
        loop.runTasks();
    }

    /** Takes all of the budget but so many bytes; returns how many. */
    private long leave(long bytes) {
        Budget budget = loop.context.group.bytes;
        long taken = budget.left() - bytes;
        assertTrue(budget.tryTake(taken));
        return taken;
    }

    /** Every kind and length; the client reads to the end (null), or ends before that. */
    static Stream<Arguments> kindsLengthsAndAllEnds() {
        return with(null, End.RESET, End.TIMEOUT, End.STOPPED_SERVER);
    }

    @ParameterizedTest
    @MethodSource("kindsLengthsAndAllEnds")
    void areSentInOrderOrReleasedIfOneIsLate(Kind kind, int length, End end) throws Exception {
        start(Kind.ARRAY, SMALL);
        send(get("/0") + get("/later") + get("/2") + get("/3") + get("/4"));
        answerLate(response(kind, 1, length));
        checkHeld();
        readNothing();
        if (end != null) {
            end(end);
            return;
        }
        drain(50_000);
        client.expect(answer(0, SMALL) + answer(1, length) + answer(2, SMALL) + answer(3, SMALL)
                + answer(4, SMALL));
    }

    /** The client reads all it gets; the late answer is in the queue when the next request could be taken. */
    @ParameterizedTest
    @MethodSource("kindsAndLengths")
    void leaveTheQueueBeforeTheNextRequestIfOneIsLate(Kind kind, int length) throws Exception {
        start(kind, length);
        client.channel.room = Integer.MAX_VALUE;
        send(get("/later") + get("/1") + get("/2"));
        answerLate(response(kind, 0, length));
        checkHeld();
        drain(Integer.MAX_VALUE);
        client.expect(answer(0, length) + answer(1, length) + answer(2, length));
    }

    /** The interim answer is blocked, too, at each of its bytes. */
    @ParameterizedTest
    @MethodSource("kindsAndLengths")
    void leaveTheInterimAnswerItsPlace(Kind kind, int length) throws Exception {
        start(kind, length);
        send(get("/0") + "POST /1 HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n");
        readNothing();
        while (client.channel.length() < length) {
            turn(length / 2);
        }
        drain(1);
        String first = answer(0, length) + CONTINUE;
        client.expect(first);
        client.channel.room = 0;
        send("body" + get("/2"));
        drain(10_000);
        client.expect(first + answer(1, length) + answer(2, length));
    }

    /** The third of five has the body of a file that is closed. */
    @ParameterizedTest
    @MethodSource("kindsLengthsAndAllEnds")
    void areSentOrReleasedAroundOneWhoseBodyFails(Kind kind, int length, End end) throws Exception {
        start(new Options(), (request, callback) -> {
            checkMayTakeRequest(true);
            int number = Integer.parseInt(request.target().substring(1));
            callback.accept(number == 2 ? Bodies.response(bodies.giveClosedFile(number, length))
                    : response(kind, number, length));
        });
        client.channel.room = 0;
        send(requests(5));
        readNothing();
        if (end != null) {
            end(end);
            return;
        }
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

    /** The client reads some bytes of the first; the rest, and the others, are sent five seconds later. */
    @ParameterizedTest
    @ValueSource(ints = {1, 17, 50, 99, 150})
    void haveTheDateOfTheBeginningOfTheirSending(int read) throws Exception {
        var now = new AtomicLong(Duration.ofSeconds(1000).toNanos());
        start(Inside.withClock(new Options(), now::get, () -> now.get() / 1_000_000), Kind.ARRAY, 100);
        send(requests(3));
        turn(read);
        turn(0);
        now.addAndGet(Duration.ofSeconds(5).toNanos());
        drain(Integer.MAX_VALUE);
        String late = "Thu, 01 Jan 1970 00:16:45 GMT";
        assertEquals(List.of("Thu, 01 Jan 1970 00:16:40 GMT", late, late),
                Pattern.compile("Date: ([^\r]*)\r\n").matcher(client.channel.takeReceived()).results()
                        .map(found -> found.group(1)).toList());
    }

    /** Each needs a write of its own. */
    @Test
    void areSentIfNothingCanBeCharged() throws Exception {
        start(Kind.DIRECT, 100);
        client.channel.room = Integer.MAX_VALUE;
        long taken = leave(0);
        client.turn(requests(40)).drain();
        loop.context.group.bytes.release(taken);
        client.expect(IntStream.range(0, 40).mapToObj(number -> answer(number, 100)).collect(joining()));
    }

    /** At most one is not charged, which may be any of them. */
    @ParameterizedTest
    @EnumSource
    void areSentThoughTheLastIsLargerThanTheBudget(Kind kind) throws Exception {
        start(Kind.ARRAY, SMALL);
        long taken = leave(10_000);
        send(get("/0") + get("/later"));
        answerLate(response(kind, 1, 1_000_000));
        drain(10_000);
        loop.context.group.bytes.release(taken);
        client.expect(answer(0, SMALL) + answer(1, 1_000_000));
    }

    @Test
    void endTheirConnectionIfABatchCannotBeCharged() throws Exception {
        start(Kind.ARRAY, SMALL);
        long taken = leave(2 * SMALL);
        client.turn(requests(5));
        loop.context.group.bytes.release(taken);
        client.expectClosed();
        assertEquals(5, bodies.count());
    }

    @Test
    void endTheirConnectionIfALateOneCannotBeCharged() throws Exception {
        start(Kind.ARRAY, SMALL);
        send(get("/0") + get("/later"));
        long taken = leave(50);
        answerLate(response(Kind.ARRAY, 1, 100));
        client.turn();
        loop.context.group.bytes.release(taken);
        client.expectClosed();
    }
}
