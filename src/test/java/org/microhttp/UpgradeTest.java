package org.microhttp;

import static java.nio.channels.SelectionKey.OP_READ;
import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A connection that a response switches to another protocol (RFC 9110 §7.8). */
class UpgradeTest extends UpgradeFixture {

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

    /** At once, and not among the responses by class. */
    @Test
    void aSwitchIsCounted() {
        upgrade();
        Stats stats = GroupContext.sum(loop.context);
        assertEquals(1, stats.upgrades());
        assertEquals(1, stats.served());
        assertEquals(0, stats.responses().values().stream().mapToLong(n -> n).sum());
    }

    @Test
    void anUpgradeThatIsNotAskedForIsServedAndRefused() {
        turn(ASKS.replace("Upgrade: echo", "Upgrade: other"));
        Stats stats = GroupContext.sum(loop.context);
        assertEquals(Map.of("bad_upgrade", 1L), stats.refusals());
        assertEquals(List.of(1L, 0L, 0L), List.of(stats.served(), stats.refused(), stats.upgrades()));
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
        assertEquals(OP_READ, client.interest());
        client.turn("more");
        // the first bytes are here, so that an end before them would have been noticed
        assertEquals(0, client.interest());
        expectSignals("(ahead");
        incoming.subscription.request(1);
        loop.runTasks();
        expectSignals("(aheadmore");
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
        assertTrue(Inside.used(loop.context.limits.parser.bytes()) >= 5);
        reset(client);
        assertEquals(0, Inside.used(loop.context.limits.parser.bytes()));
    }

    @Test
    void hasNoOtherStatus() {
        Response response = response();
        assertEquals(101, response.status());
        assertEquals("echo", response.header("Upgrade"));
        var headers = List.<Header>of();
        assertThrows(IllegalArgumentException.class, () -> new Response(200, headers, response.body()));
        assertThrows(IllegalArgumentException.class, () -> new Response(101, headers, new byte[0]));
        assertThrows(NullPointerException.class, () -> Response.upgrade("echo", headers, null, incoming));
        assertThrows(NullPointerException.class, () -> Response.upgrade("echo", headers, outgoing, null));
    }
}
