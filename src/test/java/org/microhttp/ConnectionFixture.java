package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.microhttp.testing.TestServer;

/** What tests of connections share: a loop without sockets, its first client, requests and answers. */
abstract class ConnectionFixture {

    ScriptedLoop loop;
    ScriptedLoop.Client client;

    void start(Options options, Handler handler) throws IOException {
        loop = new ScriptedLoop(options, handler);
        client = loop.connect();
    }

    void start(Handler handler) throws IOException {
        start(new Options(), handler);
    }

    @AfterEach
    void stop() throws IOException {
        if (loop != null) loop.close();
    }

    static String get(String target) {
        return ScriptedLoop.get(target);
    }

    /** The last request of a client. */
    static String closing(String target) {
        return get(target).replace("Host", "Connection: close\r\nHost");
    }

    static String ok(String body) {
        return ScriptedLoop.ok(body);
    }

    static String lastOk(String body) {
        return ScriptedLoop.lastOk(body);
    }

    static void elsewhere(Runnable action) {
        ScriptedLoop.elsewhere(action);
    }

    /** Answers a request for /later, in a turn of its own. */
    void answer(int number, String body) {
        loop.later.get(number).accept(TestServer.ok(body));
        loop.runTasks();
    }

    void assertLogged(int times, String event) {
        assertEquals(times, loop.log.count(event), event);
    }

    /** A turn in which the server notices that the client has reset the connection. */
    static void reset(ScriptedLoop.Client client) {
        client.channel.reset();
        client.turn().expectClosed();
    }

    /** A client whose socket takes nothing. */
    ScriptedLoop.Client connectBlocked() throws IOException {
        var blocked = loop.connect();
        blocked.channel.room = 0;
        return blocked;
    }
}
