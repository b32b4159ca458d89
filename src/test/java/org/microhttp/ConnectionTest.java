package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;
import static org.microhttp.ConnectionState.*;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.protocol.Budget;
import org.microhttp.testing.TestServer;

/** The ordinary life of a connection: what comes, what is answered and when, what it waits for, its end. */
class ConnectionTest extends ConnectionFixture {

    private static final int REQUESTS_PER_TURN = 128;
    private static final String POST = "POST /post HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello";
    private static final String LAST = closing("/last");

    private Connection connection;

    @BeforeEach
    void start() throws Exception {
        start(new Options());
    }

    private void start(Options options) throws Exception {
        start(options, ConnectionTest::handle);
        connection = Inside.of(client, Connection.class);
    }

    private static void handle(Request request, Consumer<Response> callback) {
        if (request.target().equals("/closing")) {
            var close = List.of(new Header("Connection", "close"));
            callback.accept(new Response(200, "OK", close, new byte[0]));
        } else {
            callback.accept(TestServer.ok(request.target() + new String(request.body())));
        }
    }

    private ConnectionState state() throws ReflectiveOperationException {
        return Inside.of(connection, ConnectionState.class);
    }

    private Stats stats() {
        return GroupContext.sum(loop.context);
    }

    @Test
    void answersARequestInTheTurnInWhichItComes() throws Exception {
        client.turn(get("/")).expect(ok("/"));
        assertEquals(1, client.channel.writes);
        client.expect(IDLE);
        assertEquals(List.of("read_request", "response_ready", "write_response", "exchange"),
                loop.log.story(0));
    }

    @Test
    void answersARequestThatComesInTwoParts() {
        for (int cut = 1; cut < POST.length(); cut++) {
            client.turn(POST.substring(0, cut));
            assertEquals(cut - 1, client.channel.writes);
            client.turn(POST.substring(cut)).expect(ok("/posthello").repeat(cut));
        }
        assertLogged(0, "pipeline_request");
    }

    @Test
    void answersARequestThatComesByteByByte() {
        POST.chars().forEach(octet -> client.turn("" + (char) octet));
        client.expect(ok("/posthello"));
    }

    @Test
    void answersABatchInItsOrderByOneWrite() {
        client.turn(get("/1") + POST + get("/2") + get("/3"))
                .expect(ok("/1") + ok("/posthello") + ok("/2") + ok("/3"));
        assertEquals(1, client.channel.writes);
        assertLogged(3, "pipeline_request");
    }

    @Test
    void answersWhatWaitedBehindALateAnswer() throws Exception {
        client.turn(get("/1") + get("/later") + get("/2")).expect(ok("/1"))
                .expect(AWAITING).turn(get("/3"));
        client.expect(ok("/1"));
        answer(0, "late");
        client.expect(ok("/1") + ok("late") + ok("/2") + ok("/3"));
        assertEquals(2, client.channel.writes);
    }

    @ParameterizedTest
    @CsvSource({"127, 1", "128, 2", "129, 2", "256, 3", "300, 3"})
    void letsOthersHaveTheirTurnBetweenManyRequests(int requests, int expectedTurns) throws Exception {
        client.turn(get("/").repeat(requests));
        int turns = 1;
        for (; client.isWriting(); turns++) {
            assertLogged(turns * REQUESTS_PER_TURN, "read_request");
            client.expect(ok("/").repeat(turns * REQUESTS_PER_TURN)).turn();
        }
        assertEquals(expectedTurns, turns);
        assertLogged(requests, "read_request");
        client.expect(ok("/").repeat(requests));
    }

    @Test
    void waitsForTheHandlerAndNotForOthersBehindTheLastRequestOfATurn() throws Exception {
        client.turn(get("/").repeat(REQUESTS_PER_TURN - 1) + get("/later") + get("/2"))
                .expect(AWAITING);
        loop.runTasks();
        client.expect(AWAITING);
    }

    @Test
    void doesNothingInItsTurnIfItIsClosedByThen() throws Exception {
        client.turn(get("/").repeat(REQUESTS_PER_TURN + 1));
        connection.free();
        loop.runTasks();
        client.expect(CLOSED);
        assertLogged(REQUESTS_PER_TURN, "read_request");
    }

    @Test
    void goesOnWhenTheSocketHasTakenWhatItDidNotBefore() throws Exception {
        client.channel.take(10, 0);
        client.turn(get("/1") + get("/2")).expect(WRITING).turn(get("/3")).turn();
        assertEquals(ok("/1") + ok("/2"), client.received().replace(ok("/3"), ""));
        client.turn().expect(ok("/1") + ok("/2") + ok("/3")).expect(IDLE);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "GET / HTTP/1.1\\Host: x|''|true",
        "GET / HTTP/1.1\\Host: x\\Connection: close|Connection: close|false",
        "GET / HTTP/1.0|Connection: close|false",
        "GET / HTTP/1.0\\Connection: keep-alive|Connection: keep-alive|true",
        "GET /closing HTTP/1.1\\Host: x|Connection: close|false",
        "GET /closing HTTP/1.0\\Connection: keep-alive|Connection: close|false",
    })
    void persistsAsTheClientAndTheHandlerWish(String head, String field, boolean persists) {
        client.turn(head.replace("\\", "\r\n") + "\r\n\r\n" + get("/next"));
        String first = client.received().replace(ok("/next"), "");
        assertEquals(field, String.join("", first.lines().filter(l -> l.startsWith("Connection")).toList()));
        assertEquals(persists, client.received().endsWith(ok("/next")));
        assertEquals(!persists, client.channel.outputEnded || client.isClosed());
    }

    /** What is refused is the request behind the last HEAD, and nobody knows yet that it is one, too. */
    @Test
    void refusesWhatWaitsWithABodyThoughTheAnswersBeforeHadNone() throws Exception {
        Budget budget = loop.context.group.bytes;
        assertTrue(budget.tryTake(budget.limit));
        String head = get("/head").replace("GET", "HEAD");
        String received = client.turn(head.repeat(REQUESTS_PER_TURN) + get("/waits")).received();
        assertTrue(received.contains("\r\n\r\nout_of_buffers: "), received);
    }

    @Test
    void closesAtOnceBehindTheLastRequestOfAClient() {
        client.turn(LAST).expectClosed();
        assertFalse(client.channel.outputEnded);
        assertLogged(1, "close_after_response");
        assertLogged(0, "linger");
    }

    @ParameterizedTest
    @ValueSource(strings = {"more", "GET / HTTP/1.1\r\nHost: x\r\n\r\n"})
    void lingersWhereSomethingIsBehindTheLast(String more) throws Exception {
        client.turn(LAST + more).expect(lastOk("/last"));
        assertTrue(client.channel.outputEnded);
        client.expect(LINGERING).turn(get("/never"));
        assertLogged(1, "read_request");
        client.channel.end();
        client.turn().expectClosed();
    }

    /** Or it would hold a loop that leaves for as long as it may linger. */
    @Test
    void closesWhereALingeringClientSendsOnWhenTheLoopLeaves() throws Exception {
        client.turn(LAST + "more").expect(LINGERING);
        age(Duration.ofSeconds(2));
        client.channel.send("still more");
        loop.leave();
        client.turn();
        client.channel.send("and more");
        loop.passTime(Duration.ofMillis(400));
        client.expectClosed();
    }

    @Test
    void closesWhereTheClientHasEndedAndNothingIsOwed() {
        client.turn(get("/"));
        client.channel.end();
        client.turn().expectClosed().expect(ok("/"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10, 55})
    void refusesARequestThatIsCutOff(int cut) {
        client.turn(POST.substring(0, cut));
        client.channel.end();
        client.turn();
        assertTrue(client.received().contains("\r\n\r\ntruncated: "), client.received());
        client.expectClosed();
    }

    @Test
    void answersWhatTheClientSentBeforeItEnded() throws Exception {
        client.turn(get("/later") + get("/2"));
        client.channel.end();
        client.turn().expect(AWAITING);
        answer(0, "late");
        client.expect(ok("late") + ok("/2")).expectClosed();
    }

    /** Of requests and answers; what comes behind the last request is no use of the connection. */
    @Test
    void isActiveWhenBytesComeAndWhenTheyGo() throws Exception {
        var time = new AtomicLong(10);
        stop();
        start(Inside.withClock(new Options(), time::get, time::get));
        time.set(20);
        client.turn(get("/later").substring(0, 5));
        assertEquals(20, connection.socket.lastActive);
        time.set(30);
        client.turn();
        assertEquals(20, connection.socket.lastActive);
        client.turn(get("/later").substring(5));
        loop.later.get(0).accept(TestServer.ok("late"));
        time.set(40);
        loop.runTasks();
        assertEquals(40, connection.socket.lastActive);
        client.turn(LAST + "more");
        time.set(50);
        client.turn(get("/never"));
        assertEquals(40, connection.socket.lastActive);
    }

    /** So much time passes, and two ticks. */
    private void age(Duration time) {
        loop.passTime(time.plusMillis(200));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "IDLE|''|75|socket_timeout|''",
        "READING|GET /|60|request_timeout|408",
        "AWAITING|GET /later HTTP/1.1\\Host: x\\\\|300|handler_timeout|503",
        "WRITING|GET /full HTTP/1.1\\Host: x\\\\|75|socket_timeout|''",
        "ENDING|GET /full HTTP/1.0\\\\|75|socket_timeout|''",
    })
    void givesUpWhenItsTimeIsOverAndNotBefore(ConnectionState in, String request, int seconds, String event,
            String status) throws Exception {
        for (int early : new int[] {1, 0}) {
            stop();
            start();
            if (request.contains("full")) client.channel.room = 0;
            client.turn(request.replace("\\", "\r\n"));
            assertEquals(in, state());
            age(Duration.ofSeconds(seconds - early));
            assertEquals(early == 1 ? 0 : 1, loop.log.count(event));
            assertEquals(early == 1, state() == in);
        }
        assertEquals(status, client.received().isEmpty() ? "" : client.received().substring(9, 12));
        assertEquals(1, stats().timeouts());
    }

    @Test
    void refusesASilentRequestWhichMightTakeLonger() throws Exception {
        stop();
        start(new Options().withRequestTimeout(Duration.ofSeconds(100)));
        client.turn("GET /");
        age(Duration.ofSeconds(75));
        assertTrue(client.received().contains("socket_timeout: "), client.received());
    }

    @Test
    void servesWhatTheTurnHasLeftHoweverLateTheNextComes() throws Exception {
        client.turn(get("/").repeat(REQUESTS_PER_TURN + 1));
        age(Duration.ofHours(1));
        client.expect(ok("/").repeat(REQUESTS_PER_TURN + 1)).expect(IDLE);
        assertEquals(0, stats().timeouts());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "''|false|0",
        "G|false|1",
        "GET /later HTTP/1.1\\Host: x\\\\|false|1",
        "GET /later HTTP/1.1\\Host: x\\\\GET / HTTP/1.1\\Host: x\\\\G|false|2",
        "GET /later HTTP/1.1\\Host: x\\Connection: close\\\\GET / HTTP/1.1\\Host: x\\\\|false|1",
        "GET / HTTP/1.1\\Host: x\\\\|true|1",
        "GET / HTTP/1.1\\Host: x\\\\GET /later HTTP/1.1\\Host: x\\\\G|true|3",
        "GET / HTTP/1.1\\Host: x\\\\G|true|2",
        "GET / HTTP/1.1\\Host: x\\Connection: close\\\\G|true|1",
        "wrong\\|true|1",
        "wrong\\G|false|0",
        "GET / HTTP/1.1\\Host: x\\Connection: close\\\\|false|0",
    })
    void countsWhatIsDroppedIfThisIsTheEnd(String sent, boolean full, int expected) {
        client.channel.room = full ? 0 : Integer.MAX_VALUE;
        client.turn(sent.replace("\\", "\r\n"));
        assertEquals(expected, connection.countDropped());
        connection.free();
        assertEquals(0, connection.countDropped());
    }

    @Test
    void countsWhatItDoes() {
        client.turn(get("/") + get("/2") + "wrong\r\n");
        long sent = get("/").length() + get("/2").length() + "wrong\r\n".length();
        client.channel.end();
        client.turn();
        Stats stats = stats();
        assertEquals(sent, stats.bytesIn());
        assertEquals(client.channel.length(), stats.bytesOut());
        assertEquals(2, stats.served());
        assertEquals(1, stats.refused());
        assertEquals(Map.of(2, 2L, 3, 0L, 4, 1L, 5, 0L), stats.responses());
        assertEquals(Map.of("bad_request_line", 1L), stats.refusals());
        assertEquals(1, stats.closed());
        assertEquals(0, stats.timeouts());
    }

    /** A response that the client does not read is one. */
    @Test
    void countsNoRequestAsUnansweredThatHasItsResponse() throws Exception {
        var another = loop.connect();
        another.channel.room = 0;
        another.turn(get("/"));
        assertEquals("", another.received());
        assertEquals(0, loop.context.counters.get(Counters.UNANSWERED));
    }

    /** Answered late, never answered for the client is gone, or given up. */
    @Test
    void countsARequestAsUnansweredUntilItIsNot() throws Exception {
        for (int end = 0; end < 3; end++) {
            var another = loop.connect().turn(get("/") + get("/later"));
            assertEquals(1, loop.context.counters.get(Counters.UNANSWERED));
            switch (end) {
                case 0 -> loop.later.get(end).accept(TestServer.ok(""));
                case 1 -> another.channel.reset();
                default -> another.timeOut();
            }
            loop.runTasks();
            another.turn();
            assertEquals(0, loop.context.counters.get(Counters.UNANSWERED));
        }
    }

    @Test
    void closesOnce() {
        IntStream.range(0, 3).forEach(i -> connection.free());
        client.turn();
        assertEquals(1, stats().closed());
        assertEquals(List.of("close"), loop.log.story(0));
    }
}
