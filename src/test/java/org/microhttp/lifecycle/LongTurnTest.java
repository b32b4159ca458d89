package org.microhttp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.*;
import org.microhttp.Response;
import org.microhttp.testing.*;

/**
 * A handler that blocks for longer than clients may be silent costs them time, and nothing else: what they
 * have sent meanwhile is answered, however many they are, and a client's own time begins when the loop has
 * seen what it did, not when the turn began in which it did.
 */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class LongTurnTest {

    /** More than the kernel reports at once, which is 1,024. */
    private static final int MANY = 1_100;

    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    private final ManualClock clock = new ManualClock();
    private final HoldingHandler handler = new HoldingHandler();
    private TestServer server;

    @BeforeEach
    void start() throws IOException {
        server = new TestServer(clock.in(TestServer.options().withSocketTimeout(TIMEOUT)), handler);
        handler.task = () -> clock.pass(TIMEOUT.multipliedBy(2));
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    @Test
    void answersAllRequestsSentDuringALongTurn() throws Exception {
        var clients = new ArrayList<RawClient>();
        for (int i = 0; i < MANY; i++) {
            clients.add(server.connect());
        }
        server.awaitEvent("accept", MANY);
        RawClient blocking = server.connect().get("/block");
        TestServer.await(handler.blocks);
        for (RawClient client : clients) {
            client.get("/waiting");
        }
        clock.pass(TIMEOUT.multipliedBy(2));
        handler.released.countDown();
        blocking.expectOk("/block");
        for (RawClient client : clients) {
            client.expectOk("/waiting");
        }
    }

    /** The client's connection ends when its time has passed since the end of the long turn, not before. */
    private void assertHasItsTime(RawClient client) throws Exception {
        clock.pass(server.itself, TIMEOUT.minusMinutes(1));
        assertEquals(0, server.log.count("socket_timeout"));
        clock.pass(server.itself, Duration.ofMinutes(2));
        client.readToEnd();
    }

    /** The request of another client has the loop look at what time it is. */
    @Test
    void connectionIsNotIdleBeforeItIsAnswered() throws Exception {
        RawClient client = server.connect().get("/run").expectOk("/run");
        server.connect().get("/1").expectOk("/1");
        assertHasItsTime(client);
    }

    /** The answer comes from another thread, while another client's request blocks the loop. */
    @Test
    void connectionIsNotIdleBeforeAnotherThreadAnswers() throws Exception {
        RawClient client = server.connect().get("/later");
        Consumer<Response> callback = handler.pending.take();
        RawClient other = server.connect().get("/block");
        TestServer.await(handler.blocks);
        callback.accept(TestServer.ok("late"));
        clock.pass(TIMEOUT.multipliedBy(2));
        handler.released.countDown();
        other.expectOk("/block");
        assertHasItsTime(client.expectOk("late"));
    }

    /** Both are ready in the same turn, and the one that blocks the loop is so first. */
    @Test
    void requestIsNotSlowBeforeItsBytesAreRead() throws Exception {
        RawClient client = server.connect();
        RawClient other = server.connect().get("/1").expectOk("/1");
        CountDownLatch released = server.hold();
        other.get("/run");
        client.send("GET / HT");
        released.countDown();
        other.expectOk("/run");
        assertHasItsTime(client);
    }
}
