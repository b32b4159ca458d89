package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.tools.TestServer;

/** The ordinary life of a connection: what comes, what is answered and when, what it waits for, its end. */
class ConnectionTest {

    private static final int REQUESTS_PER_TURN = 128;
    private static final String POST = "POST /post HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello";
    private static final String LAST = get("/last").replace("Host", "Connection: close\r\nHost");

    private ScriptedLoop loop;
    private ScriptedLoop.Client client;
    private Connection connection;

    @BeforeEach
    void start() throws Exception {
        start(new Options());
    }

    private void start(Options options) throws Exception {
        loop = new ScriptedLoop(options, ConnectionTest::handle);
        client = loop.connect();
        connection = Inside.of(client, Connection.class);
    }

    @AfterEach
    void stop() throws IOException {
        loop.close();
    }

    private static void handle(Request request, Consumer<Response> callback) {
        if (request.uri().equals("/closing")) {
            var close = List.of(new Header("Connection", "close"));
            callback.accept(new Response(200, "OK", close, new byte[0]));
        } else {
            callback.accept(TestServer.ok(request.uri() + new String(request.body())));
        }
    }

    private static String get(String target) {
        return ScriptedLoop.get(target);
    }

    private static String ok(String body) {
        return ScriptedLoop.ok(body);
    }

    private ConnectionState state() throws ReflectiveOperationException {
        return Inside.of(connection, ConnectionState.class);
    }

    private Stats stats() {
        return Counters.sum(loop.context);
    }

    @Test
    void answersARequestInTheTurnInWhichItComes() throws Exception {
        client.turn(get("/"));
        assertEquals(ok("/"), client.received());
        assertEquals(1, client.channel.writes);
        assertEquals(ConnectionState.IDLE, state());
        assertEquals(List.of("read_request", "response_ready", "write_response", "exchange"),
                loop.log.story(0));
    }

    @Test
    void answersARequestThatComesInTwoParts() {
        for (int cut = 1; cut < POST.length(); cut++) {
            client.turn(POST.substring(0, cut));
            assertEquals(cut - 1, client.channel.writes);
            client.turn(POST.substring(cut));
            assertEquals(ok("/posthello").repeat(cut), client.received());
        }
        assertEquals(0, loop.log.count("pipeline_request"));
    }

    @Test
    void answersARequestThatComesByteByByte() {
        POST.chars().forEach(octet -> client.turn("" + (char) octet));
        assertEquals(ok("/posthello"), client.received());
    }

    @Test
    void answersABatchInItsOrderByOneWrite() {
        client.turn(get("/1") + POST + get("/2") + get("/3"));
        assertEquals(ok("/1") + ok("/posthello") + ok("/2") + ok("/3"), client.received());
        assertEquals(1, client.channel.writes);
        assertEquals(3, loop.log.count("pipeline_request"));
    }

    @Test
    void answersWhatWaitedBehindALateAnswer() throws Exception {
        client.turn(get("/1") + get("/later") + get("/2"));
        assertEquals(ok("/1"), client.received());
        assertEquals(ConnectionState.AWAITING, state());
        client.turn(get("/3"));
        assertEquals(ok("/1"), client.received());
        loop.later.get(0).accept(TestServer.ok("late"));
        loop.runTasks();
        assertEquals(ok("/1") + ok("late") + ok("/2") + ok("/3"), client.received());
        assertEquals(2, client.channel.writes);
    }

    @ParameterizedTest
    @CsvSource({"127, 1", "128, 2", "129, 2", "256, 3", "300, 3"})
    void letsOthersHaveTheirTurnBetweenManyRequests(int requests, int expectedTurns) throws Exception {
        client.turn(get("/").repeat(requests));
        int turns = 1;
        for (; state() == ConnectionState.YIELDING; turns++) {
            assertEquals(turns * REQUESTS_PER_TURN, loop.log.count("read_request"));
            assertEquals(ok("/").repeat(turns * REQUESTS_PER_TURN), client.received());
            client.turn();
            assertEquals(turns * REQUESTS_PER_TURN, loop.log.count("read_request"), "it waits for its task");
            loop.runTasks();
        }
        assertEquals(expectedTurns, turns);
        assertEquals(requests, loop.log.count("read_request"));
        assertEquals(ok("/").repeat(requests), client.received());
    }

    @Test
    void waitsForTheHandlerAndNotForOthersBehindTheLastRequestOfATurn() throws Exception {
        client.turn(get("/").repeat(REQUESTS_PER_TURN - 1) + get("/later") + get("/2"));
        assertEquals(ConnectionState.AWAITING, state());
        loop.runTasks();
        assertEquals(ConnectionState.AWAITING, state());
    }

    @Test
    void doesNothingInItsTurnIfItIsClosedByThen() throws Exception {
        client.turn(get("/").repeat(REQUESTS_PER_TURN + 1));
        connection.free();
        loop.runTasks();
        assertEquals(ConnectionState.CLOSED, state());
        assertEquals(REQUESTS_PER_TURN, loop.log.count("read_request"));
    }

    @Test
    void goesOnWhenTheSocketHasTakenWhatItDidNotBefore() throws Exception {
        client.channel.take(10, 0);
        client.turn(get("/1") + get("/2"));
        assertEquals(ConnectionState.WRITING, state());
        client.turn(get("/3")).turn();
        assertEquals(ok("/1") + ok("/2"), client.received().replace(ok("/3"), ""));
        client.turn();
        assertEquals(ok("/1") + ok("/2") + ok("/3"), client.received());
        assertEquals(ConnectionState.IDLE, state());
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
        client.turn(LAST);
        assertTrue(client.isClosed());
        assertFalse(client.channel.outputEnded);
        assertEquals(1, loop.log.count("close_after_response"));
        assertEquals(0, loop.log.count("linger"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"more", "GET / HTTP/1.1\r\nHost: x\r\n\r\n"})
    void lingersWhereSomethingIsBehindTheLast(String more) throws Exception {
        client.turn(LAST + more);
        assertEquals(ScriptedLoop.lastOk("/last"), client.received());
        assertTrue(client.channel.outputEnded);
        assertEquals(ConnectionState.LINGERING, state());
        client.turn(get("/never"));
        assertEquals(1, loop.log.count("read_request"));
        client.channel.end();
        client.turn();
        assertTrue(client.isClosed());
    }

    /** Or it would hold a loop that leaves for as long as it may linger. */
    @Test
    void closesWhereALingeringClientSendsOnWhenTheLoopLeaves() throws Exception {
        client.turn(LAST + "more");
        assertEquals(ConnectionState.LINGERING, state());
        age(Duration.ofSeconds(2));
        client.channel.send("still more");
        loop.leave();
        client.turn();
        client.channel.send("and more");
        loop.passTime(Duration.ofMillis(400));
        assertTrue(client.isClosed());
    }

    @Test
    void closesWhereTheClientHasEndedAndNothingIsOwed() {
        client.turn(get("/"));
        client.channel.end();
        client.turn();
        assertTrue(client.isClosed());
        assertEquals(ok("/"), client.received());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10, 55})
    void refusesARequestThatIsCutOff(int cut) {
        client.turn(POST.substring(0, cut));
        client.channel.end();
        client.turn();
        assertTrue(client.received().contains("\r\n\r\ntruncated: "), client.received());
        assertTrue(client.isClosed());
    }

    @Test
    void answersWhatTheClientSentBeforeItEnded() throws Exception {
        client.turn(get("/later") + get("/2"));
        client.channel.end();
        client.turn();
        assertEquals(ConnectionState.AWAITING, state());
        loop.later.get(0).accept(TestServer.ok("late"));
        loop.runTasks();
        assertEquals(ok("late") + ok("/2"), client.received());
        assertTrue(client.isClosed());
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

    /** As if what has happened in this turn had been so long ago. */
    private void age(Duration time) {
        long now = loop.context.clock.now();
        long then = now - time.toNanos();
        connection.socket.lastWritten = then;
        connection.socket.lastActive = then;
        connection.postpone(now, then);
        loop.passTime(Duration.ofMillis(200));
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
    void hasNoDeadlineOfItsOwnWhileItYields() throws Exception {
        client.turn(get("/").repeat(REQUESTS_PER_TURN + 1));
        age(Duration.ofHours(1));
        assertEquals(ConnectionState.YIELDING, state());
        assertEquals(0, stats().timeouts());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "''|false|0",
        "G|false|1",
        "GET /later HTTP/1.1\\Host: x\\\\|false|1",
        "GET /later HTTP/1.1\\Host: x\\\\GET / HTTP/1.1\\Host: x\\\\G|false|3",
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
        assertEquals(2, stats.requests());
        assertEquals(Map.of(2, 2L, 3, 0L, 4, 1L, 5, 0L), stats.responses());
        assertEquals(Map.of("bad_request_line", 1L), stats.refusals());
        assertEquals(1, stats.closed());
        assertEquals(0, stats.timeouts());
    }

    /** Answered late, never answered for the client is gone, or given up. */
    @Test
    void countsARequestAsUnansweredUntilItIsNot() throws Exception {
        for (int end = 0; end < 3; end++) {
            ScriptedLoop.Client another = loop.connect().turn(get("/") + get("/later"));
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
