package org.microhttp;

import static java.lang.Integer.parseInt;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.testing.TestServer;

/**
 * R3, R4b, R16, R17: the first answer to a request wins, from whichever thread, also when it is still on
 * its way to the loop; a 100 comes once, whole and in its place; no connection ends while an answer
 * waits, however the socket takes what came before it; and what can go on in a turn does not wait for
 * another.
 */
class ConnectionAnswersTest extends ConnectionFixture {

    private static final String LARGE = "x".repeat(60_000);
    private static final String BODY = "b".repeat(25);
    private static final String HEAD = "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n"
            + "Content-Length: 25\r\n\r\n";
    private static final String CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";

    @BeforeEach
    void start() throws IOException {
        start(new Options());
    }

    private void start(Options options) throws IOException {
        start(options, (request, callback) -> {
            String target = request.target();
            String body = request.method().equals("POST") ? BODY : switch (target) {
                case "/large" -> LARGE;
                case "/huge" -> LARGE.repeat(50);
                default -> target.startsWith("/a") ? "a".repeat(parseInt(target.substring(2))) : target;
            };
            callback.accept(TestServer.ok(body));
        });
    }

    /** Has the answer to /large blocked, and the next request in the handler's hands. */
    private void block(String next, int... takes) {
        client.channel.take(takes);
        client.turn(get("/large") + next);
        assertTrue(client.isWriting());
    }

    private void assertReceived(String... answers) {
        client.drain().expect(ok(LARGE) + String.join("", answers));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100, 59_000})
    void sendsItBehindWhatIsBlockedWhenTheClientCloses(int taken) throws Exception {
        block(closing("/later"), 100, taken);
        answer(0, "later");
        assertReceived(lastOk("later"));
        client.expectClosed();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100, 59_000})
    void sendsItBehindWhatIsBlockedWhenTheClientHasEndedItsSide(int taken) throws Exception {
        block(get("/later"), 100, taken, taken);
        client.channel.end();
        client.turn();
        answer(0, "later");
        assertReceived(ok("later"));
        client.expectClosed();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100, 59_000})
    void sendsItBehindWhatIsBlockedWhenTheLoopLeaves(int taken) throws Exception {
        block(get("/later"), 100, taken);
        loop.leave();
        answer(0, "later");
        assertReceived(lastOk("later"));
        assertTrue(client.channel.outputEnded);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100, 59_000})
    void sendsARefusalBehindWhatIsBlocked(int taken) throws Exception {
        block(get("/later"), 100, taken);
        client.timeOut().drain();
        String received = client.received().substring(ok(LARGE).length());
        assertTrue(received.startsWith("HTTP/1.1 503 "), received);
        assertTrue(client.channel.outputEnded);
    }

    /** The client takes nothing for too long, whatever time the handler still has. */
    @Test
    void givesUpWhatIsBlockedThoughALaterRequestIsHandled() throws Exception {
        stop();
        start(new Options().withHandlerTimeout(Duration.ofDays(1)));
        block(get("/later"), 100, 0);
        client.timeOut().expectClosed();
        assertLogged(1, "socket_timeout");
    }

    /** The handler works for longer than the client may be silent, and the socket is full then. */
    @Test
    void givesTheClientItsTimeAfterAHandlerThatTakesLong() throws Exception {
        stop();
        var options = new Options();
        start(options, (request, callback) -> {
            loop.blockFor(options.socketTimeout().plusSeconds(1));
            client.channel.room = 0;
            callback.accept(TestServer.ok(request.target()));
        });
        client.turn(get("/slow"));
        loop.passTime(options.socketTimeout().minusSeconds(1));
        client.expectOpen();
        loop.passTime(Duration.ofSeconds(2));
        client.expectClosed();
    }

    /** The client has asked for the close, and the response takes more than one turn. */
    @ParameterizedTest
    @ValueSource(strings = {"", "more"})
    void lingersIfTheClientSendsMoreWhileItTakesItsLastAnswer(String more) throws Exception {
        client.channel.take(100, 0);
        client.turn(closing("/large"));
        assertTrue(client.isWriting());
        if (!more.isEmpty()) client.channel.send(more);
        client.drain().expect(lastOk(LARGE));
        assertEquals(!more.isEmpty(), client.channel.outputEnded);
        assertEquals(more.isEmpty(), client.isClosed());
    }

    @Test
    void goesOnInTheTurnInWhichTheSocketHasRoomAgain() throws Exception {
        String rest = get("/1") + get("/2") + closing("/3");
        client.channel.room = 0;
        block(get("/later") + rest, 100);
        answer(0, "later");
        client.channel.room = Integer.MAX_VALUE;
        int writes = client.channel.writes;
        client.turn();
        assertReceived(ok("later"), ok("/1"), ok("/2"), lastOk("/3"));
        assertEquals(writes + 2, client.channel.writes);
        client.expectClosed();
    }

    @Test
    void triesAFullSocketTwiceInATurnAtMost() throws Exception {
        client.channel.room = 0;
        for (String text : List.of("/huge", "/large", "/later")) {
            assertWrites(2, () -> client.turn(get(text)));
        }
        for (int i = 0; i < 3; i++) {
            assertWrites(2, client::turn);
        }
        client.expectOpen();
    }

    private void assertWrites(int most, Runnable turn) {
        int before = client.channel.writes;
        turn.run();
        int writes = client.channel.writes - before;
        assertTrue(writes <= most, writes + " writes in a turn");
    }

    private void request(Handler handler) throws IOException {
        start(handler);
        client.turn(get("/"));
    }

    private static void answer(Consumer<Response> callback, String body) {
        callback.accept(TestServer.ok(body));
    }

    private void assertServed(String body) {
        loop.runTasks();
        client.expect(ok(body));
    }

    @Test
    void theFirstIsTheOneFromAnotherThreadWhenTheHandlerThrows() throws Exception {
        request((request, callback) -> {
            elsewhere(() -> answer(callback, "first"));
            throw new IllegalStateException("mine");
        });
        assertServed("first");
        assertLogged(1, "handler_error");
        assertLogged(0, "response_ignored");
    }

    @Test
    void theFirstIsTheOneFromAnotherThreadWhenTheHandlerAnswersToo() throws Exception {
        request((request, callback) -> {
            elsewhere(() -> answer(callback, "first"));
            answer(callback, "second");
        });
        assertServed("first");
        assertLogged(1, "response_ignored");
    }

    @Test
    void theFirstIsTheOneOfTheHandlerWhenAnotherThreadAnswersToo() throws Exception {
        request((request, callback) -> {
            answer(callback, "first");
            elsewhere(() -> answer(callback, "second"));
        });
        assertServed("first");
        assertLogged(1, "response_ignored");
    }

    @Test
    void theFirstIsTheOneOnItsWayWhenTheTimeIsOver() throws Exception {
        client.turn(get("/later"));
        elsewhere(() -> answer(loop.later.get(0), "in time"));
        client.timeOut();
        assertServed("in time");
        assertLogged(0, "handler_timeout");
        client.turn(get("/")).expect(ok("in time") + ok("/"));
    }

    @Test
    void theFirstIsTheRefusalWhenTheTimeWasOverBefore() throws Exception {
        client.turn(get("/later")).timeOut();
        elsewhere(() -> answer(loop.later.get(0), "too late"));
        loop.runTasks();
        assertEquals("HTTP/1.1 503", client.received().substring(0, 12));
        assertLogged(1, "response_late");
    }

    /** An answer of that length and a 100 behind it; the socket takes so many bytes first. */
    private int cut(int length, int... takes) throws IOException {
        var client = loop.connect();
        client.channel.take(takes);
        client.turn(get("/a" + length) + HEAD).drain();
        String first = ok("a".repeat(length)) + CONTINUE;
        assertEquals(first, client.received(), () -> "cut at " + Arrays.toString(takes));
        int sent = client.channel.length();
        client.turn(BODY).drain().expect(first + ok(BODY));
        return sent;
    }

    @Test
    void a100ComesOnceWhereverItIsCut() throws Exception {
        int length = cut(25);
        for (int first = 0; first <= length; first++) {
            cut(25, first);
            cut(25, first, 0, 1, 2);
        }
    }

    @Test
    void a100ComesOnceBehindAnAnswerThatFillsTheWriteBuffer() throws Exception {
        int most = 64 * 1024 - cut(0);
        // from where both have room to where only the answer has
        for (int length = most - 50; length < most + 50; length++) {
            cut(length);
            cut(length, 64 * 1024 - 30, 10);
        }
    }

    /** So no want of memory refuses it. */
    @Test
    void whatIsBehindTheLastRequestIsNotKept() throws Exception {
        loop = new ScriptedLoop(new Options().withMaxRequestSize(1000).withMaxBufferedBytes(1000),
                TestServer::echoTarget);
        loop.connect().turn("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\n" + "x".repeat(800));
        assertEquals(lastOk("/"), loop.connect().turn(closing("/") + "y".repeat(900)).received());
    }
}
