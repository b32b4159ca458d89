package org.microhttp;

import static java.nio.channels.SelectionKey.OP_READ;
import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A connection that a response switches to another protocol (RFC 9110 §7.8). */
class UpgradeTest extends ConnectionFixture {

    private static final String ASKS =
            "GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\n";
    private static final String SWITCHED = "HTTP/1.1 101 Switching Protocols\r\nX: y\r\nUpgrade: echo\r\n"
            + "Connection: upgrade\r\n\r\n";

    private final ScriptedPublisher outgoing = new ScriptedPublisher();
    private ScriptedReceiver incoming = ScriptedReceiver.requesting(Long.MAX_VALUE);
    private int released;

    @BeforeEach
    void start() throws IOException {
        start(new Options());
    }

    private void start(Options options) throws IOException {
        start(options, (request, callback) -> callback.accept(response()));
    }

    private Response response() {
        Response response = Response.upgrade("echo", List.of(new Header("X", "y")), outgoing, incoming);
        response.content().onReleased(() -> released++);
        return response;
    }

    /** A turn, and what tasks come of it. */
    private void turn(String text) {
        client.turn(text);
        loop.runTasks();
    }

    private void expectSignals(String signals) {
        assertEquals(signals, "" + incoming.signals);
    }

    /** A connection that speaks the other protocol. */
    private void upgrade() {
        turn(ASKS);
        client.expect(ConnectionState.UPGRADED);
        expectNext(SWITCHED);
    }

    /** What has come since, without its date. */
    private void expectNext(String text) {
        assertEquals(text, client.channel.takeReceived().replaceFirst("Date: .*\r\n", ""));
    }

    private void say(String text) {
        outgoing.next(text);
        loop.runTasks();
    }

    private void expectCut() {
        client.expectClosed();
        assertTrue(client.channel.closesByReset);
        assertEquals(1, released);
    }

    @Test
    void bytesGoBothWaysUnframed() {
        upgrade();
        turn("\0\r\n\r\nGET");
        say("one");
        expectNext("one");
        turn("two");
        say("\r\n");
        expectNext("\r\n");
        expectSignals("(\0\r\n\r\nGETtwo");
    }

    @Test
    void whatIsSentAheadComesFirst() {
        turn(ASKS + "ahead");
        client.expect(SWITCHED);
        turn(" and after");
        expectSignals("(ahead and after");
    }

    @Test
    void aResponseFromElsewhereSwitches() {
        client.turn(ASKS.replace("GET /", "GET /later") + "ahead");
        elsewhere(() -> loop.later.get(0).accept(response()));
        loop.runTasks();
        client.expect(SWITCHED);
        expectSignals("(ahead");
    }

    @Test
    void earlierResponsesAreSentFirst() {
        turn(get("/later") + ASKS);
        expectSignals("");
        answer(0, "first");
        loop.runTasks();
        client.expect(ok("first") + SWITCHED);
        expectSignals("(");
    }

    @Test
    void aWrapperCanAddAField() throws IOException {
        start(new Options(), ((Handler) (request, callback) -> callback.accept(response()))
                .andThen((request, response) -> response.withHeader("Z", "z")));
        turn(ASKS);
        client.expect(SWITCHED.replace("echo\r\n", "echo\r\nZ: z\r\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: echo\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: echo/2\r\n\r\n",
            "GET / HTTP/1.0\r\nHost: x\r\nConnection: upgrade, keep-alive\r\nUpgrade: echo\r\n\r\n",
            "HEAD / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: echo\r\n"
                    + "Content-Length: 1\r\n\r\na",
            "POST / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: echo\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"})
    void whoHasNotAskedGetsA500(String request) {
        turn(request);
        assertTrue(client.received().startsWith("HTTP/1.1 500 "));
        assertLogged(1, "handler_error");
        assertEquals(1, released);
        assertEquals(0, outgoing.subscribers.size());
        expectSignals("");
        // it was a request, whose connection goes on
        turn(get("/later"));
        assertEquals(1, loop.later.size());
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "Connection: Upgrade\r\nUpgrade: ECHO\r\n",
            "Connection: keep-alive, upgrade\r\nUpgrade: other/1 , echo\r\n",
            "Connection: a\r\nConnection: upgrade\r\nUpgrade: b\r\nUpgrade: echo\r\nContent-Length: 0\r\n"})
    void theWishIsInLists(String fields) {
        turn("GET / HTTP/1.1\r\nHost: x\r\n" + fields + "\r\n");
        client.expect(SWITCHED);
    }

    @Test
    void nothingIsReadUnlessItIsRequested() {
        incoming = new ScriptedReceiver();
        turn(ASKS + "ahead");
        expectSignals("(");
        assertEquals(0, client.interest());
        incoming.subscription.request(1);
        loop.runTasks();
        expectSignals("(ahead");
        assertEquals(0, client.interest());
        incoming.subscription.request(1);
        loop.runTasks();
        assertEquals(OP_READ, client.interest());
    }

    @Test
    void moreIsRequestedOnlyWhenAllIsSent() {
        upgrade();
        assertEquals(8, outgoing.demand());
        client.channel.room = 2;
        say("abcd");
        expectNext("ab");
        assertEquals(8, outgoing.demand());
        client.channel.room = 100;
        client.drain();
        expectNext("cd");
        assertEquals(9, outgoing.demand());
    }

    @Test
    void theEndOfThePublisherEndsTheConnection() {
        upgrade();
        outgoing.next("bye");
        outgoing.complete();
        loop.runTasks();
        expectNext("bye");
        expectSignals("(!");
        assertTrue(client.channel.outputEnded);
        client.channel.end();
        client.turn().expectClosed();
        assertFalse(client.channel.closesByReset);
        assertEquals(1, released);
        assertLogged(1, "write_response");
    }

    @Test
    void aPublisherThatEndsAtOnceSendsTheHeadAlone() {
        incoming = new ScriptedReceiver();
        outgoing.onRequest = count -> { };
        client.turn(ASKS);
        outgoing.complete();
        loop.runTasks();
        client.expect(SWITCHED);
        assertTrue(client.channel.outputEnded || client.isClosed());
    }

    @Test
    void theClientMayEndItsSideFirst() {
        upgrade();
        client.channel.send("last");
        client.turn();
        client.channel.end();
        client.turn();
        expectSignals("(last)");
        say("still");
        expectNext("still");
        client.expectOpen();
        outgoing.complete();
        loop.runTasks();
        client.expectClosed();
        expectSignals("(last)");
    }

    @Test
    void theEndOfTheClientComesAfterWhatIsNotRequested() {
        incoming = ScriptedReceiver.requesting(1);
        upgrade();
        turn("one");
        incoming.subscription.request(1);
        loop.runTasks();
        client.channel.send("two");
        client.turn();
        client.channel.end();
        expectSignals("(onetwo");
        incoming.subscription.request(1);
        loop.runTasks();
        client.turn();
        expectSignals("(onetwo)");
    }

    @Test
    void aResetIsAnError() {
        upgrade();
        reset(client);
        expectSignals("(!");
        assertEquals(1, outgoing.cancels);
        assertEquals(1, released);
    }

    @Test
    void aPublisherThatFailsResets() {
        upgrade();
        outgoing.fail("wanted");
        loop.runTasks();
        expectCut();
        expectSignals("(!");
        assertLogged(1, "body_error");
    }

    @Test
    void aPublisherThatFailsBeforeTheHeadIsA500() {
        outgoing.answering = false;
        turn(ASKS + "ahead");
        outgoing.fail("wanted");
        loop.runTasks();
        assertTrue(client.received().startsWith("HTTP/1.1 500 "));
        expectSignals("(ahead!");
        assertEquals(1, released);
    }

    @Test
    void aSubscriberThatThrowsResets() {
        incoming.onNext = given -> {
            throw new IllegalStateException("wanted");
        };
        upgrade();
        turn("one");
        expectCut();
        expectSignals("(one");
        assertLogged(1, "handler_error");
        assertEquals(1, outgoing.cancels);
    }

    @Test
    void aRequestForNothingIsAFailure() {
        upgrade();
        elsewhere(() -> incoming.subscription.request(0));
        loop.runTasks();
        expectSignals("(!");
        expectCut();
    }

    @Test
    void afterACancelWhatComesIsDropped() {
        incoming.onNext = Flow.Subscription::cancel;
        upgrade();
        turn("one");
        turn("two");
        say("still");
        expectNext("still");
        expectSignals("(one");
        reset(client);
        expectSignals("(one");
    }

    @Test
    void silenceOfBothSidesResets() throws IOException {
        start(new Options().withStreamTimeout(Duration.ofSeconds(10)));
        upgrade();
        for (int i = 0; i < 5; i++) {
            loop.passTime(Duration.ofSeconds(8));
            turn("x");
            loop.passTime(Duration.ofSeconds(8));
            say("y");
        }
        client.expectOpen();
        loop.passTime(Duration.ofSeconds(11));
        loop.runTasks();
        expectCut();
        expectSignals("(xxxxx!");
    }

    @Test
    void aClientThatDoesNotReadIsCut() {
        upgrade();
        client.channel.room = 0;
        say("abc");
        client.timeOut();
        expectCut();
        expectSignals("(!");
    }

    @Test
    void holdsNoPlace() throws IOException {
        start(new Options().withMaxPendingRequests(1));
        upgrade();
        loop.connect().turn(get("/later"));
        assertEquals(1, loop.later.size());
    }

    @Test
    void whatIsNotRequestedIsCounted() {
        incoming = new ScriptedReceiver();
        turn(ASKS + "ahead");
        assertTrue(Inside.used(loop.context.limits.bytes()) >= 5);
        reset(client);
        assertEquals(0, Inside.used(loop.context.limits.bytes()));
    }

    @Test
    void bytesBeyondTheBudgetCut() throws IOException {
        start(new Options().withMaxBufferedBytes(1 << 20));
        incoming = new ScriptedReceiver();
        loop.context.limits.bytes().tryTake(1 << 20);
        turn(ASKS + "ahead");
        client.expectClosed();
        expectSignals("(!");
    }

    @Test
    void anEndOfTheLoopIsAnError() {
        upgrade();
        assertEquals(1, client.connection.dropRequests());
        client.connection.free();
        expectSignals("(!");
        assertEquals(1, outgoing.cancels);
    }

    /** A response that is given to nobody is released, and nobody is called. */
    @Test
    void aResponseThatComesTooLateCallsNobody() {
        client.turn(ASKS.replace("GET /", "GET /later"));
        Consumer<Response> callback = loop.later.get(0);
        reset(client);
        callback.accept(response());
        loop.runTasks();
        assertEquals(1, released);
        assertEquals(0, outgoing.subscribers.size());
        expectSignals("");
        assertLogged(0, "handler_error");
        assertLogged(1, "response_ignored");
    }

    @Test
    void hasNoOtherStatus() {
        Response response = response();
        assertEquals(101, response.status());
        assertEquals("echo", response.header("Upgrade"));
        var headers = List.<Header>of();
        assertThrows(IllegalArgumentException.class, () -> new Response(200, headers, response.content()));
        assertThrows(IllegalArgumentException.class, () -> new Response(101, headers, new byte[0]));
        assertThrows(NullPointerException.class, () -> Response.upgrade("echo", headers, null, incoming));
        assertThrows(NullPointerException.class, () -> Response.upgrade("echo", headers, outgoing, null));
    }
}
