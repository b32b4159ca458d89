package org.microhttp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.Response;
import org.microhttp.testing.*;

/**
 * After {@code stop()} or an interrupt no request is taken, wherever it is by then; responses that were given
 * before are still written.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class StopTest {

    private final HoldingHandler handler = new HoldingHandler();

    /** Stops the server while a handler holds its loop, and then lets that go on. */
    private void stop(TestServer server) {
        TestServer.await(handler.blocks);
        server.itself.stop();
        handler.released.countDown();
        server.join();
    }

    /** While a task holds the loop, two become ready for one turn; the first that is taken blocks it. */
    @Test
    void noRequestIsTakenOfAnotherConnectionThatIsReady() throws Exception {
        try (var server = new TestServer(handler)) {
            RawClient one = server.connect().get("/1").expectOk("/1");
            RawClient two = server.connect().get("/2").expectOk("/2");
            CountDownLatch go = server.hold();
            one.get("/block");
            two.get("/block");
            go.countDown();
            stop(server);
            assertEquals(List.of("/1", "/2", "/block"), handler.targets());
            assertEquals(1, answers(one) + answers(two));
        }
    }

    private static int answers(RawClient client) {
        return client.readUntilItFails().endsWith("/block") ? 1 : 0;
    }

    @Test
    void aResponseGivenBeforeIsWrittenAndNothingAfterItIsTaken() throws Exception {
        try (var server = new TestServer(handler)) {
            RawClient client = server.connect().get("/later").get("/2").send(RawClient.GET.repeat(1_000));
            Consumer<Response> answer = handler.pending.take();
            server.connect().get("/block");
            TestServer.await(handler.blocks);
            answer.accept(TestServer.ok("late"));
            stop(server);
            client.expectOk("late").expectEnd();
            assertEquals(List.of("/later", "/block"), handler.targets());
        }
    }

    /** They are more than one turn writes. */
    @Test
    void largeResponsesGivenBeforeAreWritten() throws Exception {
        var large = new Response(200, List.of(), new byte[300_000]);
        try (var server = new TestServer(handler)) {
            var clients = new ArrayList<RawClient>();
            for (int i = 0; i < 16; i++) {
                clients.add(server.connect().get("/later"));
            }
            server.awaitEvent("read_request", 16);
            server.connect().get("/block");
            TestServer.await(handler.blocks);
            handler.pending.forEach(callback -> callback.accept(large));
            stop(server);
            for (RawClient client : clients) {
                assertEquals(300_000, client.response().body().length);
                client.expectEnd();
            }
        }
    }

    /** A response of one connection is given by the last request of another. */
    @ParameterizedTest
    @EnumSource
    void aResponseIsWrittenThatTheLastTaskGave(ServerKind kind) throws Exception {
        try (var server = new TestServer(kind, handler)) {
            RawClient waiting = server.connect().get("/later");
            Consumer<Response> waitingAnswer = handler.pending.take();
            RawClient other = server.connect().get("/later").get("/run");
            handler.task = () -> {
                waitingAnswer.accept(TestServer.ok("by another"));
                server.itself.stop();
            };
            handler.pending.take().accept(TestServer.ok("first"));
            other.expectOk("first").expectOk("/run").expectEnd();
            waiting.expectOk("by another").expectEnd();
        }
    }

    /** Two are ready in one turn; when the first has been answered the loop's thread is interrupted. */
    @Test
    void noRequestIsTakenAfterAnInterrupt() throws Exception {
        try (var server = new TestServer(handler)) {
            RawClient first = server.connect().get("/1").expectOk("/1");
            RawClient second = server.connect().get("/2").expectOk("/2");
            CountDownLatch go = server.hold();
            first.get("/3");
            second.get("/4");
            server.log.hook = event -> {
                if (event.equals("write")) Thread.currentThread().interrupt();
            };
            go.countDown();
            server.join();
            assertEquals(3, handler.requests.size());
            // one of the two is answered, whichever the kernel names first
            String last = handler.targets().get(2);
            (last.equals("/3") ? first : second).expectOk(last).expectEnd();
        }
    }

    /** The last thing before the handler is called is an event; here its logger ends the loop. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void noHandlerIsCalledAfterwards(boolean interrupt) throws Exception {
        try (var server = new TestServer(handler)) {
            RawClient client = server.connect().get("/1").expectOk("/1");
            server.log.hook = event -> {
                if (!event.equals("read_request")) return;
                if (interrupt) {
                    Thread.currentThread().interrupt();
                } else {
                    server.itself.stop();
                }
            };
            client.get("/2").expectEnd();
            server.join();
            assertEquals(List.of("/1"), handler.targets());
            assertEquals(0, server.log.count("handler_interrupt"));
        }
    }
}
