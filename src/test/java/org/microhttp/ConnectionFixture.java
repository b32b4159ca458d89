package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
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

    /** Has another thread do this, and waits for its end; fails if it does. */
    static void elsewhere(Runnable action) {
        var task = new FutureTask<Void>(action, null);
        new Thread(task).start();
        try {
            task.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    static String get(String target) {
        return "GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n";
    }

    /** The last request of a client. */
    static String closing(String target) {
        return get(target).replace("Host", "Connection: close\r\nHost");
    }

    /** The answer with that body, as it is sent without its date. */
    static String ok(String body) {
        return "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    }

    /** The same as the last answer of a connection. */
    static String lastOk(String body) {
        return ok(body).replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
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
