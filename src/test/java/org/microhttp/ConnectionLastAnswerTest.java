package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.tools.TestServer;

/**
 * R17: no connection ends while an answer waits, however the socket takes what came before it; and what
 * can go on in a turn does not wait for another.
 */
class ConnectionLastAnswerTest {

    private static final String LARGE = "x".repeat(60_000);
    private static final int WRITES_PER_TURN = 16;

    private ScriptedLoop loop;
    private ScriptedLoop.Client client;

    @BeforeEach
    void start() throws IOException {
        loop = new ScriptedLoop((request, callback) -> {
            String body = switch (request.uri()) {
                case "/large" -> LARGE;
                case "/huge" -> LARGE.repeat(50);
                default -> request.uri();
            };
            callback.accept(TestServer.ok(body));
        });
        client = loop.connect();
    }

    @AfterEach
    void stop() throws IOException {
        loop.close();
    }

    private static String closing(String target) {
        return ScriptedLoop.get(target).replace("Host", "Connection: close\r\nHost");
    }

    /** Has the answer to /large blocked, and the next request in the handler's hands. */
    private void block(String next, int... takes) {
        client.channel.take(takes);
        client.turn(ScriptedLoop.get("/large") + next);
        assertTrue(client.isWriting());
    }

    private void answerLater() {
        loop.later.get(0).accept(TestServer.ok("later"));
        loop.runTasks();
    }

    private void assertReceived(String... answers) {
        client.drain();
        assertEquals(ScriptedLoop.ok(LARGE) + String.join("", answers), client.received());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100, 59_000})
    void sendsItBehindWhatIsBlockedWhenTheClientCloses(int taken) throws Exception {
        block(closing("/later"), 100, taken);
        answerLater();
        assertReceived(ScriptedLoop.lastOk("later"));
        assertTrue(client.isClosed());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100, 59_000})
    void sendsItBehindWhatIsBlockedWhenTheClientHasEndedItsSide(int taken) throws Exception {
        block(ScriptedLoop.get("/later"), 100, taken, taken);
        client.channel.end();
        client.turn();
        answerLater();
        assertReceived(ScriptedLoop.ok("later"));
        assertTrue(client.isClosed());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100, 59_000})
    void sendsItBehindWhatIsBlockedWhenTheLoopLeaves(int taken) throws Exception {
        block(ScriptedLoop.get("/later"), 100, taken);
        loop.leave();
        answerLater();
        assertReceived(ScriptedLoop.lastOk("later"));
        assertTrue(client.channel.outputEnded);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100, 59_000})
    void sendsARefusalBehindWhatIsBlocked(int taken) throws Exception {
        block(ScriptedLoop.get("/later"), 100, taken);
        client.timeOut();
        client.drain();
        String received = client.received().substring(ScriptedLoop.ok(LARGE).length());
        assertTrue(received.startsWith("HTTP/1.1 503 "), received);
        assertTrue(client.channel.outputEnded);
    }

    @Test
    void goesOnInTheTurnInWhichTheSocketHasRoomAgain() throws Exception {
        String rest = ScriptedLoop.get("/a") + ScriptedLoop.get("/b") + closing("/c");
        client.channel.room = 0;
        block(ScriptedLoop.get("/later") + rest, 100);
        answerLater();
        client.channel.room = Integer.MAX_VALUE;
        int writes = client.channel.writes;
        client.turn();
        assertReceived(ScriptedLoop.ok("later"), ScriptedLoop.ok("/a"), ScriptedLoop.ok("/b"),
                ScriptedLoop.lastOk("/c"));
        assertEquals(writes + 2, client.channel.writes);
        assertTrue(client.isClosed());
    }

    @Test
    void triesAFullSocketTwiceInATurnAtMost() throws Exception {
        client.channel.room = 0;
        for (String text : List.of("/huge", "/large", "/later")) {
            assertWrites(2, () -> client.turn(ScriptedLoop.get(text)));
        }
        for (int i = 0; i < 3; i++) {
            assertWrites(2, client::turn);
        }
        assertFalse(client.isClosed());
    }

    @Test
    void writesSixteenTimesInATurnAtMost() throws Exception {
        client.channel.send((ScriptedLoop.get("/huge") + ScriptedLoop.get("/large")).repeat(2)
                + closing("/huge"));
        assertWrites(WRITES_PER_TURN, client::turn);
        while (client.isWriting()) {
            assertWrites(WRITES_PER_TURN, client::turn);
        }
        String huge = ScriptedLoop.ok(LARGE.repeat(50));
        String expected = (huge + ScriptedLoop.ok(LARGE)).repeat(2) + ScriptedLoop.lastOk(LARGE.repeat(50));
        assertEquals(expected.length(), client.received().length());
        assertTrue(client.isClosed());
    }

    private void assertWrites(int most, Runnable turn) {
        int before = client.channel.writes;
        turn.run();
        int writes = client.channel.writes - before;
        assertTrue(writes <= most, writes + " writes in a turn");
    }
}
