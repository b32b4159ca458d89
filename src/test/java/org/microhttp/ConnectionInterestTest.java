package org.microhttp;

import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.microhttp.ConnectionState.*;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.microhttp.testing.TestServer;

/**
 * What the selector watches a connection for: nothing that it would not take, or the loop would spin.
 * Before a connection ends for silence its socket is asked once more, to read and to write.
 */
class ConnectionInterestTest extends ConnectionFixture {

    private static final int BUFFER = 64;

    /** Two requests that fit into the buffer, and one that does not. */
    private static final String EARLY = get("/1") + get("/2") + get("/3");

    @BeforeEach
    void start() throws IOException {
        start(new Options().withReadBufferSize(BUFFER), TestServer::echoTarget);
    }

    private void assertWatched(ConnectionState in, int interest) throws ReflectiveOperationException {
        Connection connection = Inside.of(client, Connection.class);
        assertEquals(in, Inside.of(connection, ConnectionState.class));
        assertEquals(interest, Inside.of(client, SelectionKey.class).interestOps());
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
        client.turn().expect(ok("/1") + ok("/2"));
        assertWatched(IDLE, OP_READ);
    }

    @Test
    void onlyWritesTheLastAnswerAndReadsWhereItLingers() throws Exception {
        client.channel.room = 0;
        client.turn(closing("/last") + "more");
        assertWatched(ENDING, OP_WRITE);
        client.channel.room = BUFFER;
        client.drain().expect(lastOk("/last"));
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
        answer(0, "late");
        assertWatched(READING, OP_READ);
        client.turn(EARLY.substring(half + 1)).expect(ok("late") + ok("/1") + ok("/2") + ok("/3"));
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
        answer(0, "late");
        assertWatched(WRITING, OP_WRITE);
        client.channel.room = Integer.MAX_VALUE;
        client.turn(EARLY.substring(BUFFER));
        assertWatched(READING, OP_READ);
        client.expect(ok("/1") + ok("late") + ok("/1") + ok("/2"));
    }

    @Test
    void answersARequestThatIsHere() {
        client.channel.send(get("/here"));
        client.timeOut().expect(ok("/here")).expectOpen();
    }

    @Test
    void waitsOnWhereASingleByteIsHere() {
        client.channel.send("G");
        client.timeOut().expectOpen().turn(get("/here").substring(1)).expect(ok("/here"));
        assertLogged(0, "socket_timeout");
    }

    @Test
    void answersARequestWhoseEndIsHere() {
        String request = get("/here");
        client.turn(request.substring(0, 10));
        client.channel.send(request.substring(10));
        client.timeOut().expect(ok("/here")).expectOpen();
    }

    @Test
    void sendsWhatTheSocketHasRoomFor() {
        client.channel.take(5);
        client.turn(get("/here") + get("/next"));
        assertTrue(client.isWriting());
        client.timeOut().drain().expect(ok("/here") + ok("/next")).expectOpen();
    }

    @Test
    void endsWhatIsSilent() {
        client.timeOut().expectClosed();
        assertLogged(1, "socket_timeout");
    }

    @Test
    void endsWhatTakesNothing() {
        client.channel.room = 0;
        client.turn(get("/here")).timeOut().expectClosed();
        assertLogged(1, "socket_timeout");
    }

    @Test
    void refusesWhatHasBegunAndIsSilent() {
        client.turn("GET / HT").timeOut();
        assertTrue(client.received().startsWith("HTTP/1.1 408 "));
        assertTrue(client.channel.outputEnded);
    }
}
