package org.microhttp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.tools.HoldingHandler;
import org.microhttp.tools.RawClient;
import org.microhttp.tools.TestServer;

/**
 * A handler that blocks for longer than clients may be silent costs them time, and nothing else: what they
 * have sent meanwhile is answered, however many they are, and a client's own time begins when the loop has
 * seen what it did, not when the turn began in which it did.
 */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class LongTurnTest {

    /** More than the kernel tells of at once, which is 1,024. */
    private static final int MANY = 1_100;

    private static final Duration SHORT = Duration.ofMillis(300);

    private final HoldingHandler handler = new HoldingHandler(this::handle);
    private final BlockingQueue<Consumer<Response>> pending = handler.pending;
    private final CountDownLatch begun = new CountDownLatch(1);

    /** The event that is looked for, if any, and when it came, or the end of a long turn. */
    private volatile String lookedFor;
    private volatile long seen;

    /** Answers with the target: at the end of a long turn, or at once. */
    private void handle(Request request, Consumer<Response> callback) {
        if (request.uri().equals("/long")) {
            begun.countDown();
            passTime(SHORT.plusMillis(100));
            seen = System.nanoTime();
        }
        TestServer.echoTarget(request, callback);
    }

    /** Time that is to be over: nothing is awaited by it. */
    private static void passTime(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() - end < 0) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }

    /** All must be there before their time is over: on a slower machine it is longer. */
    @Test
    void answersAllThatHaveSentMeanwhile() throws Exception {
        Duration timeout = Duration.ofMillis(600);
        while (!answersAll(timeout)) {
            timeout = timeout.multipliedBy(3);
        }
    }

    /** False if it took too long until all were there. */
    private static boolean answersAll(Duration timeout) throws Exception {
        var released = new CountDownLatch(1);
        var options = TestServer.options().withSocketTimeout(timeout);
        try (var server = new TestServer(options, (request, callback) -> {
            TestServer.await(released);
            TestServer.echoTarget(request, callback);
        })) {
            long began = System.nanoTime();
            List<RawClient> clients = connectMany(server);
            // one that has sent is not idle, however long it takes
            RawClient blocking = server.connect().get("/block");
            server.awaitEvent("read_request");
            boolean inTime = System.nanoTime() - began < timeout.toNanos() / 2;
            for (RawClient client : inTime ? clients : List.<RawClient>of()) {
                client.get("/waiting");
            }
            passTime(timeout);
            released.countDown();
            blocking.expectOk("/block");
            if (inTime) assertWaitingAreAnswered(clients);
            return inTime;
        }
    }

    private static List<RawClient> connectMany(TestServer server) throws IOException {
        var clients = new ArrayList<RawClient>();
        for (int i = 0; i < MANY; i++) {
            clients.add(server.connect());
        }
        server.awaitEvent("accept", MANY);
        return clients;
    }

    private static void assertWaitingAreAnswered(List<RawClient> clients) {
        int answered = 0;
        for (RawClient client : clients) {
            try {
                client.expectOk("/waiting");
                answered++;
            } catch (IOException | AssertionError e) {
                // it is not counted
            }
        }
        assertEquals(clients.size(), answered, "answered");
    }

    private interface Scene {
        RawClient play(TestServer server) throws Exception;
    }

    /** When the client's connection ends, its time has passed since the loop saw what is looked for. */
    private void assertHasItsTime(Scene scene) throws Exception {
        var options = TestServer.options().withSocketTimeout(SHORT);
        try (var server = new TestServer(options, handler)) {
            server.log.hook = event -> {
                if (event.equals(lookedFor)) seen = System.nanoTime();
            };
            scene.play(server).readToEnd();
            long millis = (System.nanoTime() - seen) / 1_000_000;
            assertTrue(millis >= SHORT.toMillis(), "the connection ends after " + millis + " ms");
        }
    }

    /** The request of another client has the loop look at what time it is. */
    @Test
    void isNotIdleBeforeItIsAnswered() throws Exception {
        assertHasItsTime(server -> {
            RawClient client = server.connect().get("/long").expectOk("/long");
            server.connect().get("/1").expectOk("/1");
            return client;
        });
    }

    /** The answer comes from another thread, while another client's request blocks the loop. */
    @Test
    void isNotIdleBeforeItIsAnsweredFromElsewhere() throws Exception {
        assertHasItsTime(server -> {
            lookedFor = "response_ready";
            RawClient client = server.connect().get("/later");
            Consumer<Response> callback = pending.take();
            RawClient other = server.connect().get("/long");
            begun.await();
            callback.accept(TestServer.ok("late"));
            other.expectOk("/long");
            return client.expectOk("late");
        });
    }

    /** Both are ready in the same turn, and the one that blocks the loop is so first. */
    @Test
    void isNotSlowBeforeItsBytesAreRead() throws Exception {
        assertHasItsTime(server -> {
            lookedFor = "read_bytes";
            RawClient client = server.connect();
            RawClient other = server.connect().get("/1").expectOk("/1");
            CountDownLatch released = server.hold();
            other.get("/long");
            client.send("GET / HT");
            released.countDown();
            other.expectOk("/long");
            return client;
        });
    }
}
