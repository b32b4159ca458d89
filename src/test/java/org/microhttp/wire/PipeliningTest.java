package org.microhttp.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.microhttp.Handler;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.tools.RawClient;
import org.microhttp.tools.TestServer;

/** R17: many requests at once are answered in order, however the answers come, and hold nobody up. */
class PipeliningTest {

    private static final String FILLER = "x".repeat(2_000);
    private static final int MANY = 10_000;

    private final ExecutorService executor = Executors.newSingleThreadExecutor();

    /** How deep the stack was at each request. */
    private final List<Long> depths = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void stop() {
        executor.shutdownNow();
    }

    private static String requests(int from, int to) {
        var text = new StringBuilder();
        for (int i = from; i < to; i++) {
            text.append("GET /").append(i).append(" HTTP/1.1\r\nHost: x\r\n\r\n");
        }
        return text.toString();
    }

    private static int number(Request request) {
        return Integer.parseInt(request.uri().substring(1));
    }

    /** Sends from another thread, so that neither side waits for the other, and reads every answer. */
    private void sendMany(Handler handler) throws Exception {
        try (var server = new TestServer((request, callback) -> {
            depths.add(StackWalker.getInstance().walk(frames -> frames.count()));
            handler.handle(request, callback);
        })) {
            RawClient client = server.connect();
            var sender = new Thread(() -> {
                try {
                    client.send(requests(0, MANY));
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            sender.start();
            for (int i = 0; i < MANY; i++) {
                client.expectOk("/" + i);
            }
            sender.join();
            assertEquals(MANY, depths.size());
            long difference = Collections.max(depths) - Collections.min(depths);
            assertTrue(difference < 30, "the stack grew by " + difference + " frames");
        }
    }

    @Test
    void answers10000HalfInlineHalfFromElsewhereInOrderAndConstantStack() throws Exception {
        sendMany((request, callback) -> {
            Response response = TestServer.ok(request.uri());
            if (number(request) % 2 == 0) {
                callback.accept(response);
            } else {
                executor.execute(() -> callback.accept(response));
            }
        });
    }

    @Test
    void answers10000InlineInOrderAndConstantStack() throws Exception {
        sendMany(TestServer::echoTarget);
    }

    @Test
    void answers10000FromElsewhereInOrderAndConstantStack() throws Exception {
        sendMany((request, callback) -> executor.execute(() -> TestServer.echoTarget(request, callback)));
    }

    @Test
    void answersMoreThanOneTurnTakesAndEndsWithTheClient() throws Exception {
        for (int count : new int[] {127, 128, 129, 256, 257, 1000}) {
            try (var server = new TestServer(TestServer::echoTarget)) {
                RawClient client = server.connect().send(requests(0, count)).halfClose();
                for (int i = 0; i < count; i++) {
                    client.expectOk("/" + i);
                }
                client.expectEnd();
            }
        }
    }

    @Test
    void letsOthersInBetweenTheTurnsOfALongBatch() throws Exception {
        var order = Collections.synchronizedList(new ArrayList<String>());
        var begun = new CountDownLatch(1);
        var otherSent = new CountDownLatch(1);
        try (var server = new TestServer((request, callback) -> {
            if (order.isEmpty()) {
                begun.countDown();
                await(otherSent);
            }
            order.add(request.uri());
            callback.accept(TestServer.ok(request.uri()));
        })) {
            RawClient other = server.connect();
            server.awaitEvent("accept");
            RawClient client = server.connect().send(requests(0, 1700));
            assertTrue(begun.await(30, TimeUnit.SECONDS));
            other.get("/other");
            otherSent.countDown();
            other.expectOk("/other");
            for (int i = 0; i < 1700; i++) {
                client.expectOk("/" + i);
            }
            assertTrue(order.indexOf("/other") < 1700, "the other request came last");
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(30, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void sendsAnswersLargerThanTheSocketBufferInOrder() throws Exception {
        try (var server = new TestServer((request, callback) -> {
            var text = ("<" + request.uri() + ">").repeat(1 + number(request) * 2_000);
            callback.accept(TestServer.ok(text));
        })) {
            RawClient client = server.connect(8192).send(requests(0, 60));
            server.awaitEvent("write", 3);
            for (int i = 0; i < 60; i++) {
                client.expectOk(("</" + i + ">").repeat(1 + i * 2_000));
            }
            client.get("/0").expectOk("</0>");
        }
    }

    /** Does not answer request 25 itself; the socket takes few of the other answers. */
    private static TestServer holding25(Queue<Consumer<Response>> callbacks) throws IOException {
        return new TestServer(TestServer.options().withSendBufferSize(4096), (request, callback) -> {
            if (number(request) == 25) {
                callbacks.add(callback);
            } else {
                callback.accept(TestServer.ok(number(request) + FILLER));
            }
        });
    }

    @Test
    void sendsWhatIsBlockedBeforeAnAnswerThatComesMeanwhile() throws Exception {
        var callbacks = new ArrayBlockingQueue<Consumer<Response>>(1);
        try (var server = holding25(callbacks)) {
            RawClient client = server.connect(2048).send(requests(0, 60));
            Consumer<Response> callback = callbacks.take();
            assertTrue(server.log.count("write_response") >= 25);
            executor.execute(() -> callback.accept(TestServer.ok(25 + FILLER)));
            server.awaitEvent("response_ready", 26);
            for (int i = 0; i < 60; i++) {
                client.expectOk(i + FILLER);
            }
        }
    }

    @Test
    void sendsWhatIsBlockedWhileALaterRequestIsStillHandled() throws Exception {
        var callbacks = new ArrayBlockingQueue<Consumer<Response>>(1);
        try (var server = holding25(callbacks)) {
            RawClient client = server.connect(2048).send(requests(0, 30));
            for (int i = 0; i < 25; i++) {
                client.expectOk(i + FILLER);
            }
            callbacks.take().accept(TestServer.ok("25"));
            client.expectOk("25").expectOk(26 + FILLER);
        }
    }

    @Test
    void keepsWhatIsSentAheadWhileARequestIsHandled() throws Exception {
        var callbacks = new ArrayBlockingQueue<Consumer<Response>>(1);
        var options = TestServer.options().withReadBufferSize(1000);
        try (var server = new TestServer(options, (request, callback) -> {
            if (number(request) == 0) {
                callbacks.add(callback);
            } else {
                callback.accept(TestServer.ok(request.uri()));
            }
        })) {
            RawClient client = server.connect().send(requests(0, 1));
            Consumer<Response> callback = callbacks.take();
            client.send(requests(1, 1000));
            server.awaitEvent("read_bytes", 2);
            callback.accept(TestServer.ok("/0"));
            for (int i = 0; i < 1000; i++) {
                client.expectOk("/" + i);
            }
            assertTrue(server.log.events().stream().filter(e -> e.name().equals("read_bytes"))
                    .allMatch(e -> Integer.parseInt(e.value("num_bytes")) <= 1000));
        }
    }
}
