package org.microhttp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
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
 * After {@code stop()}, or an interrupt, no request is taken, wherever it is by then; answers that were given
 * before are still written. With a grace what is here is still served.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class StopNowTest {

    private final HoldingHandler handler = new HoldingHandler();

    /** Stops the server while a handler holds its loop, and then lets that go on. */
    private void stop(TestServer server) {
        TestServer.await(handler.blocks);
        server.itself.stop();
        handler.released.countDown();
    }

    @ParameterizedTest
    @EnumSource
    void takesNoRequestThatIsSentAhead(ServerKind kind) throws Exception {
        try (var server = new TestServer(kind, handler)) {
            RawClient client = server.connect().get("/1").get("/block").send(RawClient.GET.repeat(1_000));
            stop(server);
            client.expectOk("/1").expectOk("/block").expectEnd();
            server.join();
            assertEquals(List.of("/1", "/block"), handler.targets());
        }
    }

    @ParameterizedTest
    @EnumSource
    void takesNoRequestThatIsSentAheadOfAStopInTheHandler(ServerKind kind) throws Exception {
        try (var server = new TestServer(kind, handler)) {
            handler.task = server.itself::stop;
            RawClient client = server.connect().get("/1").get("/2").get("/run")
                    .send(RawClient.GET.repeat(1_000));
            client.expectOk("/1").expectOk("/2").expectOk("/run").expectEnd();
            server.join();
            assertEquals(3, handler.requests.size());
        }
    }

    /** While a task holds the loop, two become ready for one turn; whichever is taken first blocks it. */
    @Test
    void takesNoRequestOfAnotherConnectionThatIsReadyToo() throws Exception {
        try (var server = new TestServer(handler)) {
            RawClient one = server.connect().get("/1").expectOk("/1");
            RawClient two = server.connect().get("/2").expectOk("/2");
            CountDownLatch go = server.hold();
            one.get("/block");
            two.get("/block");
            go.countDown();
            stop(server);
            server.join();
            assertEquals(List.of("/1", "/2", "/block"), handler.targets());
            assertEquals(1, answers(one) + answers(two));
        }
    }

    private static int answers(RawClient client) {
        return client.readUntilItFails().endsWith("/block") ? 1 : 0;
    }

    @Test
    void writesAnAnswerGivenBeforeAndTakesNothingBehindIt() throws Exception {
        try (var server = new TestServer(handler)) {
            RawClient client = server.connect().get("/later").get("/2");
            Consumer<Response> answer = handler.pending.take();
            server.connect().get("/block");
            TestServer.await(handler.blocks);
            answer.accept(TestServer.ok("late"));
            stop(server);
            client.expectOk("late").expectEnd();
            server.join();
            assertEquals(List.of("/later", "/block"), handler.targets());
        }
    }

    /** Two are ready in one turn; when the first has been answered the loop's thread is interrupted. */
    @Test
    void takesNoRequestAfterAnInterrupt() throws Exception {
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
            List<String> taken = handler.targets();
            assertEquals(3, taken.size(), taken::toString);
            // one of the two is answered, whichever the kernel names first
            RawClient answered = taken.contains("/3") ? first : second;
            answered.expectOk(taken.get(2)).expectEnd();
        }
    }

    /** The last thing before the handler is called is an event; here its logger ends the loop. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void callsNoHandlerAfterwards(boolean interrupt) throws Exception {
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

    @ParameterizedTest
    @EnumSource
    void servesWhatIsHereWithAGrace(ServerKind kind) throws Exception {
        try (var server = new TestServer(kind, handler)) {
            RawClient client = server.connect().get("/block").send(RawClient.GET.repeat(300));
            TestServer.await(handler.blocks);
            var stopping = server.leave(Duration.ofSeconds(40)).awaitWaiting();
            handler.released.countDown();
            client.expectOk("/block");
            for (int i = 0; i < 300; i++) {
                assertEquals("/", client.response().text());
            }
            client.expectEnd().close();
            assertEquals(0, stopping.dropped());
        }
    }
}
