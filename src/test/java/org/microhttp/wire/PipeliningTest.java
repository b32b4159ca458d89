package org.microhttp.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.testing.*;

/** R17: many requests at once are answered in order, however the answers come, and hold nobody up. */
class PipeliningTest {

    /** Which thread answers. */
    enum From { HERE, ELSEWHERE, BOTH }

    private static final String FILLER = "x".repeat(2_000);
    private static final int MANY = 10_000;

    private final ExecutorService executor = Executors.newSingleThreadExecutor();

    /** Answers to these are left to the test. */
    private final BlockingQueue<Consumer<Response>> callbacks = new ArrayBlockingQueue<>(1);

    @AfterEach
    void stop() {
        executor.shutdownNow();
    }

    private static String requests(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "GET /" + i + " HTTP/1.1\r\nHost: x\r\n\r\n")
                .collect(Collectors.joining());
    }

    private static int number(Request request) {
        return Integer.parseInt(request.target().substring(1));
    }

    /** Sends from another thread, so that neither side waits for the other, and reads every answer. */
    @ParameterizedTest
    @EnumSource
    void answers10000InOrderAndConstantStack(From from) throws Exception {
        List<Long> depths = Collections.synchronizedList(new ArrayList<>());
        try (var server = new TestServer((request, callback) -> {
            depths.add(StackWalker.getInstance().walk(frames -> frames.count()));
            Response response = TestServer.ok(request.target());
            if (from == From.HERE || from == From.BOTH && number(request) % 2 == 0) {
                callback.accept(response);
            } else {
                executor.execute(() -> callback.accept(response));
            }
        })) {
            RawClient client = server.connect();
            var sending = new FutureTask<>(() -> client.send(requests(0, MANY)));
            new Thread(sending).start();
            client.expectOks(MANY, i -> "/" + i);
            sending.get();
            assertEquals(MANY, depths.size());
            long difference = Collections.max(depths) - Collections.min(depths);
            assertTrue(difference < 30, "the stack grew by " + difference + " frames");
        }
    }

    @Test
    void servesOthersBetweenTheTurnsOfALongBatch() throws Exception {
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        var handler = new HoldingHandler((request, callback) -> {
            order.add(request.target());
            TestServer.echoTarget(request, callback);
        });
        try (var server = new TestServer(handler)) {
            RawClient other = server.connect();
            server.awaitEvent("accept");
            RawClient client = server.connect().get("/block").send(requests(0, 1700));
            TestServer.await(handler.blocks);
            other.get("/other");
            handler.released.countDown();
            other.expectOk("/other");
            client.expectOk("/block").expectOks(1700, i -> "/" + i);
            assertTrue(order.indexOf("/other") < 1700, "the other request came last");
        }
    }

    @Test
    void sendsAnswersLargerThanTheSocketBufferInOrder() throws Exception {
        try (var server = new TestServer((request, callback) -> {
            var text = ("<" + request.target() + ">").repeat(1 + number(request) * 2_000);
            callback.accept(TestServer.ok(text));
        })) {
            RawClient client = server.connect(8192).send(requests(0, 60));
            server.awaitEvent("write", 3);
            client.expectOks(60, i -> ("</" + i + ">").repeat(1 + i * 2_000));
            client.get("/0").expectOk("</0>");
        }
    }

    /** Does not answer request 25 itself; the socket takes few of the other answers. */
    private TestServer holding25() throws IOException {
        return new TestServer(TestServer.options().withSendBufferSize(4096), (request, callback) -> {
            if (number(request) == 25) {
                callbacks.add(callback);
            } else {
                callback.accept(TestServer.ok(number(request) + FILLER));
            }
        });
    }

    @Test
    void sendsBlockedAnswersBeforeALaterOne() throws Exception {
        try (var server = holding25()) {
            RawClient client = server.connect(2048).send(requests(0, 60));
            Consumer<Response> callback = callbacks.take();
            assertEquals(25, server.log.count("response_ready"));
            assertTrue(server.log.count("write_response") < 25, "nothing is blocked");
            executor.execute(() -> callback.accept(TestServer.ok(25 + FILLER)));
            server.awaitEvent("response_ready", 26);
            client.expectOks(60, i -> i + FILLER);
        }
    }

    @Test
    void sendsBlockedAnswersWhileALaterRequestIsHandled() throws Exception {
        try (var server = holding25()) {
            RawClient client = server.connect(2048).send(requests(0, 30)).expectOks(25, i -> i + FILLER);
            callbacks.take().accept(TestServer.ok("25"));
            client.expectOk("25").expectOk(26 + FILLER);
        }
    }

    @Test
    void keepsPipelinedRequestsWhileOneIsHandled() throws Exception {
        var handler = new HoldingHandler();
        try (var server = new TestServer(TestServer.options().withReadBufferSize(1000), handler)) {
            RawClient client = server.connect().get("/later");
            Consumer<Response> callback = handler.pending.take();
            client.send(requests(0, 1000));
            server.awaitEvent("read_bytes", 2);
            callback.accept(TestServer.ok("late"));
            client.expectOk("late").expectOks(1000, i -> "/" + i);
            assertTrue(server.log.events().stream().filter(e -> e.name().equals("read_bytes"))
                    .allMatch(e -> Integer.parseInt(e.value("num_bytes")) <= 1000));
        }
    }
}
