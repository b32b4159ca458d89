package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/** What tests of other protocols share: a handler that switches to one, and its two sides. */
abstract class UpgradeFixture extends ConnectionFixture {

    static final String ASKS =
            "GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\n";
    static final String SWITCHED = "HTTP/1.1 101 Switching Protocols\r\nX: y\r\nUpgrade: echo\r\n"
            + "Connection: upgrade\r\n\r\n";

    final ScriptedPublisher outgoing = new ScriptedPublisher();
    ScriptedReceiver incoming = ScriptedReceiver.requesting(Long.MAX_VALUE);
    int released;

    @BeforeEach
    void start() throws IOException {
        start(new Options());
    }

    void start(Options options) throws IOException {
        start(options, (request, callback) -> callback.accept(response()));
    }

    Response response() {
        Response response = Response.upgrade("echo", List.of(new Header("X", "y")), outgoing, incoming);
        return response.withBody(response.body().onReleased(() -> released++));
    }

    /** A turn, and what tasks come of it. */
    void turn(String text) {
        client.turn(text);
        loop.runTasks();
    }

    void expectSignals(String signals) {
        assertEquals(signals, "" + incoming.signals);
    }

    /** A connection that speaks the other protocol. */
    void upgrade() {
        turn(ASKS);
        client.expect(ConnectionState.UPGRADED);
        expectNext(SWITCHED);
    }

    /** What has come since, without its date. */
    void expectNext(String text) {
        assertEquals(text, client.channel.takeReceived().replaceFirst("Date: .*\r\n", ""));
    }

    void say(String text) {
        outgoing.next(text);
        loop.runTasks();
    }

    void expectCut() {
        client.expectClosed();
        assertTrue(client.channel.closesByReset);
        assertEquals(1, released);
    }
}
