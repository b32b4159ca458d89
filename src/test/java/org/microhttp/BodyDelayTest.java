package org.microhttp;

import static java.nio.channels.SelectionKey.OP_READ;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.tools.TestServer;

/** A body that leaves later than its head: nothing is written meanwhile, all waits behind it, and it ends. */
class BodyDelayTest {

    private static final Duration DELAY = Duration.ofHours(1);
    private static final Duration ALMOST = DELAY.minusSeconds(1);
    private static final String TEXT = Bodies.text(200_000);
    private static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\n";
    private static final String SMALL = ScriptedLoop.ok("/");

    private final AtomicInteger released = new AtomicInteger();
    private long now = System.nanoTime();
    private Bodies kind = Bodies.HEAP;
    private ScriptedLoop loop;

    @BeforeEach
    void start() throws IOException {
        var options = new Options().withSocketTimeout(Duration.ofMinutes(1));
        options.clock = new Clock() {
            @Override
            long nanoTime() { return now; }
        };
        loop = new ScriptedLoop(options, (request, callback) -> {
            if (request.uri().equals("/delayed")) {
                callback.accept(delayed());
            } else {
                TestServer.echoTarget(request, callback);
            }
        });
    }

    @AfterEach
    void stop() throws IOException {
        assertEquals(0, loop.context.out.position(), "nothing is in the write buffer between turns");
        assertEquals(0, Inside.used(loop.context.group.bytes), "nothing is kept");
        loop.close();
    }

    private Response delayed() {
        return Bodies.response(kind.of(TEXT).withDelay(DELAY).onReleased(released::incrementAndGet));
    }

    private ScriptedLoop.Client getDelayed() throws IOException {
        return loop.connect().turn(ScriptedLoop.get("/delayed"));
    }

    /** Time passes, and what is due by then has a turn. */
    private void pass(Duration time) {
        now += time.toNanos();
        loop.passTime(Duration.ZERO);
    }

    @ParameterizedTest
    @EnumSource
    void leavesWhenItsTimeHasCome(Bodies kind) throws Exception {
        this.kind = kind;
        var client = getDelayed();
        assertEquals(HEAD, client.received());
        int writes = client.channel.writes;
        pass(ALMOST);
        client.turn();
        assertEquals(HEAD, client.received());
        assertEquals(writes, client.channel.writes, "no write is tried");
        assertEquals(0, released.get());
        pass(Duration.ofSeconds(2));
        assertEquals(HEAD + TEXT, client.received());
        assertEquals(1, released.get());
        assertEquals(SMALL, client.turn(ScriptedLoop.get("/")).received().substring(HEAD.length() + 200_000));
    }

    /** It is counted from when the head was sent, and a silent client then has its time anew. */
    @Test
    void waitsFromWhenAllOfTheHeadIsSent() throws Exception {
        var client = loop.connect();
        client.channel.take(10, 0, 5);
        client.turn(ScriptedLoop.get("/delayed"));
        assertTrue(client.isWriting());
        pass(Duration.ofSeconds(50));
        client.turn();
        assertTrue(client.isWriting());
        pass(Duration.ofSeconds(50));
        client.turn();
        assertEquals(HEAD, client.received());
        assertFalse(client.isWriting());
        pass(ALMOST);
        assertEquals(HEAD, client.received());
        client.channel.take(0);
        client.channel.room = 0;
        pass(Duration.ofSeconds(2));
        assertTrue(client.isWriting());
        pass(Duration.ofSeconds(50));
        assertFalse(client.isClosed());
        pass(Duration.ofSeconds(20));
        assertTrue(client.isClosed());
        assertEquals(1, released.get());
    }

    @Test
    void aBodyThatIsNotSentHasNothingToWaitFor() throws Exception {
        var client = loop.connect().turn("HEAD /delayed HTTP/1.1\r\nHost: x\r\n\r\n" + ScriptedLoop.get("/"));
        assertEquals(HEAD + SMALL, client.received());
        assertEquals(1, released.get());
    }

    @Test
    void allThatIsPipelinedWaitsBehindIt() throws Exception {
        var client = loop.connect().turn(ScriptedLoop.get("/") + ScriptedLoop.get("/delayed")
                + ScriptedLoop.get("/") + ScriptedLoop.get("/delayed"));
        client.turn(ScriptedLoop.get("/"));
        assertEquals(SMALL + HEAD, client.received());
        pass(DELAY.plusSeconds(1));
        assertEquals(SMALL + HEAD + TEXT + SMALL + HEAD, client.received());
        pass(DELAY.plusSeconds(1));
        assertEquals(SMALL + HEAD + TEXT + SMALL + HEAD + TEXT + SMALL, client.received());
    }

    /** What a client sends meanwhile is read as behind any other request, and the loop never spins. */
    @Test
    void readsOnToNoticeAClientThatIsGone() throws Exception {
        var client = getDelayed();
        assertEquals(OP_READ, client.interest());
        for (int i = 0; i < 100 && client.interest() != 0; i++) {
            client.turn("GET /" + "x".repeat(1000));
        }
        assertEquals(0, client.interest());
        var gone = getDelayed();
        gone.channel.reset();
        assertTrue(gone.turn().isClosed());
        assertEquals(1, released.get());
        client.connection.free();
        assertEquals(2, released.get());
    }

    /** What comes there is dropped, so there is always room for it. */
    @Test
    void readsOnBehindTheLastRequestToo() throws Exception {
        var client = loop.connect().turn("GET /delayed HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        for (int i = 0; i < 100; i++) {
            client.turn("x".repeat(1000));
            assertEquals(OP_READ, client.interest());
        }
        assertEquals(0, Inside.used(loop.context.group.bytes));
        client.channel.reset();
        assertTrue(client.turn().isClosed());
        assertEquals(1, released.get());
    }

    @Test
    void servesAClientThatHasEndedItsSide() throws Exception {
        var client = loop.connect();
        client.channel.send(ScriptedLoop.get("/delayed")).end();
        client.turn().turn();
        assertEquals(0, client.interest());
        assertEquals(HEAD, client.received());
        pass(DELAY.plusSeconds(1));
        assertEquals(HEAD + TEXT, client.received());
        assertTrue(client.turn().isClosed());
    }

    @Test
    void holdsALoopThatLeavesUntilItIsSent() throws Exception {
        var client = getDelayed();
        loop.leave();
        client.turn();
        pass(ALMOST);
        assertFalse(client.isClosed());
        pass(Duration.ofSeconds(2));
        assertEquals(HEAD + TEXT, client.received());
    }

    @Test
    void isCountedAsDroppedByALoopThatIsStopped() throws Exception {
        var client = getDelayed();
        assertEquals(1, client.connection.countDropped());
        client.connection.free();
        assertEquals(1, released.get());
    }
}
