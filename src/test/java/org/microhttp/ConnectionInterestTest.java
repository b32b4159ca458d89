package org.microhttp;

import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.microhttp.ConnectionState.*;
import static org.microhttp.ScriptedLoop.get;
import static org.microhttp.ScriptedLoop.lastOk;
import static org.microhttp.ScriptedLoop.ok;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.microhttp.tools.TestServer;

/** What the selector watches a connection for: nothing that it would not take, or the loop would spin. */
class ConnectionInterestTest {

    private static final int BUFFER = 64;
    private static final String LAST = get("/last").replace("Host", "Connection: close\r\nHost");

    /** Two requests that fit into the buffer, and one that does not. */
    private static final String EARLY = get("/1") + get("/2") + get("/3");

    private ScriptedLoop loop;
    private ScriptedLoop.Client client;

    @BeforeEach
    void start() throws IOException {
        loop = new ScriptedLoop(new Options().withReadBufferSize(BUFFER), TestServer::echoTarget);
        client = loop.connect();
    }

    @AfterEach
    void stop() throws IOException {
        loop.close();
    }

    private void assertWatched(ConnectionState in, int interest) throws ReflectiveOperationException {
        Connection connection = Inside.of(client, Connection.class);
        assertEquals(in, Inside.of(connection, ConnectionState.class));
        assertEquals(interest, Inside.of(client, SelectionKey.class).interestOps());
    }

    private void answerLate() {
        loop.later.get(0).accept(TestServer.ok("late"));
        loop.runTasks();
    }

    @Test
    void readsWhereARequestMayCome() throws Exception {
        assertWatched(IDLE, OP_READ);
        client.turn("G");
        assertWatched(READING, OP_READ);
        client.turn(get("/1").substring(1));
        assertWatched(IDLE, OP_READ);
    }

    @Test
    void onlyWritesUntilTheSocketHasTakenAll() throws Exception {
        client.channel.room = 0;
        client.turn(get("/1"));
        assertWatched(WRITING, OP_WRITE);
        client.turn(get("/2"));
        assertWatched(WRITING, OP_WRITE);
        client.channel.room = Integer.MAX_VALUE;
        client.turn();
        assertWatched(IDLE, OP_READ);
        client.turn();
        assertEquals(ok("/1") + ok("/2"), client.received());
        assertWatched(IDLE, OP_READ);
    }

    @Test
    void onlyWritesTheLastAnswerAndReadsWhereItLingers() throws Exception {
        client.channel.room = 0;
        client.turn(LAST + "more");
        assertWatched(ENDING, OP_WRITE);
        client.channel.room = BUFFER;
        client.drain();
        assertEquals(lastOk("/last"), client.received());
        assertWatched(LINGERING, OP_READ);
    }

    /** It is read on to notice a client that is gone; not in small steps, which would move the rest. */
    @Test
    void readsBehindARequestUntilMoreThanHalfIsHereOfWhatMayWait() throws Exception {
        client.turn(get("/later"));
        assertWatched(AWAITING, OP_READ);
        int half = BUFFER / 2;
        client.turn(EARLY.substring(0, half));
        assertWatched(AWAITING, OP_READ);
        client.turn(EARLY.substring(half, half + 1));
        assertWatched(AWAITING, 0);
        answerLate();
        assertWatched(READING, OP_READ);
        client.turn(EARLY.substring(half + 1));
        assertEquals(ok("late") + ok("/1") + ok("/2") + ok("/3"), client.received());
    }

    @Test
    void readsNothingBehindTheEndOfTheClient() throws Exception {
        client.turn(get("/later"));
        client.channel.end();
        client.turn();
        assertWatched(AWAITING, 0);
    }

    @Test
    void writesWhatIsBeforeARequestWhileItIsHandled() throws Exception {
        client.channel.room = 0;
        client.turn(get("/1") + get("/later"));
        assertWatched(AWAITING, OP_READ | OP_WRITE);
        client.turn(EARLY.substring(0, BUFFER));
        assertWatched(AWAITING, OP_WRITE);
        answerLate();
        assertWatched(ANSWERED, OP_WRITE);
        client.channel.room = Integer.MAX_VALUE;
        client.turn(EARLY.substring(BUFFER));
        assertWatched(READING, OP_READ);
        assertEquals(ok("/1") + ok("late") + ok("/1") + ok("/2"), client.received());
    }
}
