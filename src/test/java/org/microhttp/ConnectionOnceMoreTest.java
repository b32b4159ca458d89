package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.microhttp.tools.TestServer;

/** Before a connection ends for silence its socket is asked once more, to read and to write. */
class ConnectionOnceMoreTest {

    private ScriptedLoop loop;
    private ScriptedLoop.Client client;

    @BeforeEach
    void start() throws IOException {
        loop = new ScriptedLoop(TestServer::echoTarget);
        client = loop.connect();
    }

    @AfterEach
    void stop() throws IOException {
        loop.close();
    }

    @Test
    void answersARequestThatIsHere() {
        client.channel.send(ScriptedLoop.get("/here"));
        client.timeOut();
        assertEquals(ScriptedLoop.ok("/here"), client.received());
        assertFalse(client.isClosed());
    }

    @Test
    void waitsOnWhereASingleByteIsHere() {
        client.channel.send("G");
        client.timeOut();
        assertFalse(client.isClosed());
        client.turn(ScriptedLoop.get("/here").substring(1));
        assertEquals(ScriptedLoop.ok("/here"), client.received());
        assertEquals(0, loop.log.count("socket_timeout"));
    }

    @Test
    void answersARequestWhoseEndIsHere() {
        String request = ScriptedLoop.get("/here");
        client.turn(request.substring(0, 10));
        client.channel.send(request.substring(10));
        client.timeOut();
        assertEquals(ScriptedLoop.ok("/here"), client.received());
        assertFalse(client.isClosed());
    }

    @Test
    void sendsWhatTheSocketHasRoomFor() {
        client.channel.take(5);
        client.turn(ScriptedLoop.get("/here") + ScriptedLoop.get("/next"));
        assertTrue(client.isWriting());
        client.timeOut();
        client.drain();
        assertEquals(ScriptedLoop.ok("/here") + ScriptedLoop.ok("/next"), client.received());
        assertFalse(client.isClosed());
    }

    @Test
    void endsWhatIsSilent() {
        client.timeOut();
        assertTrue(client.isClosed());
        assertEquals(1, loop.log.count("socket_timeout"));
    }

    @Test
    void endsWhatTakesNothing() {
        client.channel.room = 0;
        client.turn(ScriptedLoop.get("/here"));
        client.timeOut();
        assertTrue(client.isClosed());
        assertEquals(1, loop.log.count("socket_timeout"));
    }

    @Test
    void refusesWhatHasBegunAndIsSilent() {
        client.turn("GET / HT");
        client.timeOut();
        assertTrue(client.received().startsWith("HTTP/1.1 408 "));
        assertTrue(client.channel.outputEnded);
    }
}
