package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.microhttp.tools.TestServer;

/** R3: the first answer wins, from whichever thread, also when it is still on its way to the loop. */
class ConnectionFirstAnswerTest {

    private ScriptedLoop loop;

    @AfterEach
    void stop() throws IOException {
        loop.close();
    }

    private ScriptedLoop.Client request(Handler handler) throws IOException {
        loop = new ScriptedLoop(handler);
        return loop.connect().turn(ScriptedLoop.get("/"));
    }

    private static void answer(Consumer<Response> callback, String body) {
        callback.accept(TestServer.ok(body));
    }

    private void assertServed(ScriptedLoop.Client client, String body) {
        loop.runTasks();
        assertEquals(ScriptedLoop.ok(body), client.received());
    }

    @Test
    void isTheOneFromAnotherThreadWhenTheHandlerThrows() throws Exception {
        var client = request((request, callback) -> {
            ScriptedLoop.elsewhere(() -> answer(callback, "first"));
            throw new IllegalStateException("mine");
        });
        assertServed(client, "first");
        assertEquals(1, loop.log.count("handler_error"));
        assertEquals(0, loop.log.count("response_ignored"));
    }

    @Test
    void isTheOneFromAnotherThreadWhenTheHandlerAnswersToo() throws Exception {
        var client = request((request, callback) -> {
            ScriptedLoop.elsewhere(() -> answer(callback, "first"));
            answer(callback, "second");
        });
        assertServed(client, "first");
        assertEquals(1, loop.log.count("response_ignored"));
    }

    @Test
    void isTheOneOfTheHandlerWhenAnotherThreadAnswersToo() throws Exception {
        var client = request((request, callback) -> {
            answer(callback, "first");
            ScriptedLoop.elsewhere(() -> answer(callback, "second"));
        });
        assertServed(client, "first");
        assertEquals(1, loop.log.count("response_ignored"));
    }

    @Test
    void isTheOneOnItsWayWhenTheTimeIsOver() throws Exception {
        loop = new ScriptedLoop(TestServer::echoTarget);
        var client = loop.connect().turn(ScriptedLoop.get("/later"));
        ScriptedLoop.elsewhere(() -> answer(loop.later.get(0), "in time"));
        client.timeOut();
        assertServed(client, "in time");
        assertEquals(0, loop.log.count("handler_timeout"));
        assertEquals(ScriptedLoop.ok("in time") + ScriptedLoop.ok("/"),
                client.turn(ScriptedLoop.get("/")).received());
    }

    @Test
    void isTheRefusalWhenTheTimeWasOverBefore() throws Exception {
        loop = new ScriptedLoop(TestServer::echoTarget);
        var client = loop.connect().turn(ScriptedLoop.get("/later"));
        client.timeOut();
        ScriptedLoop.elsewhere(() -> answer(loop.later.get(0), "too late"));
        loop.runTasks();
        assertEquals("HTTP/1.1 503", client.received().substring(0, 12));
        assertEquals(1, loop.log.count("response_ignored"));
    }
}
