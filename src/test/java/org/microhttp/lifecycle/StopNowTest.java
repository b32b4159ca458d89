package org.microhttp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.microhttp.EventLoop;
import org.microhttp.Inside;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.tools.HoldingHandler;
import org.microhttp.tools.HookedLogger;
import org.microhttp.tools.RawClient;
import org.microhttp.tools.Stopping;
import org.microhttp.tools.TestGroup;
import org.microhttp.tools.TestServer;

/**
 * After {@code stop()}, or an interrupt, no request is taken, wherever it is by then; answers that were given
 * before are still written. With a grace what is here is still served.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class StopNowTest {

    private final HoldingHandler handler = new HoldingHandler();
    private final CountDownLatch blocks = handler.blocks;
    private final CountDownLatch released = handler.released;
    private final BlockingQueue<Consumer<Response>> pending = handler.pending;
    private final List<String> taken = new CopyOnWriteArrayList<>();

    private void handle(Request request, Consumer<Response> callback) {
        taken.add(request.uri());
        handler.handle(request, callback);
    }

    private static String get(String target) {
        return "GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n";
    }

    @Test
    void takesNoRequestThatIsSentAhead() throws Exception {
        try (var server = new TestServer(this::handle)) {
            RawClient client = server.connect().send(get("/1") + get("/block") + get("/3").repeat(1_000));
            blocks.await();
            server.loop.stop();
            released.countDown();
            client.expectOk("/1").expectOk("/block").expectEnd();
            server.join();
            assertEquals(List.of("/1", "/block"), taken);
        }
    }

    @Test
    void takesNoRequestThatIsSentAheadOfAStopInTheHandler() throws Exception {
        var itself = new EventLoop[1];
        var calls = new AtomicInteger();
        try (var server = new TestServer((request, callback) -> {
            if (calls.incrementAndGet() == 3) itself[0].stop();
            TestServer.echoTarget(request, callback);
        })) {
            itself[0] = server.loop;
            RawClient client = server.connect().send(get("/").repeat(1_000));
            client.expectOk("/").expectOk("/").expectOk("/").expectEnd();
            server.join();
            assertEquals(3, calls.get());
        }
    }

    /** While a task holds the loop, two become ready for one turn; whichever is taken first blocks it. */
    @Test
    void takesNoRequestOfAnotherConnectionThatIsReadyToo() throws Exception {
        try (var server = new TestServer(this::handle)) {
            RawClient one = server.connect().get("/1").expectOk("/1");
            RawClient two = server.connect().get("/2").expectOk("/2");
            var held = new CountDownLatch(1);
            var go = new CountDownLatch(1);
            hold(server.loop, held, go);
            one.get("/block");
            two.get("/block");
            go.countDown();
            blocks.await();
            server.loop.stop();
            released.countDown();
            server.join();
            assertEquals(List.of("/1", "/2", "/block"), taken);
            assertEquals(1, answers(one) + answers(two));
        }
    }

    /** Has a task hold the loop, outside of any handler. */
    private static void hold(EventLoop loop, CountDownLatch held, CountDownLatch go) throws Exception {
        Inside.execute(loop, () -> {
            held.countDown();
            TestServer.await(go);
        });
        held.await();
    }

    private static int answers(RawClient client) {
        return client.readUntilItFails().endsWith("/block") ? 1 : 0;
    }

    @Test
    void writesAnAnswerGivenBeforeAndTakesNothingBehindIt() throws Exception {
        try (var server = new TestServer(this::handle)) {
            RawClient client = server.connect().send(get("/later") + get("/2"));
            Consumer<Response> answer = pending.take();
            server.connect().get("/block");
            blocks.await();
            answer.accept(TestServer.ok("late"));
            server.loop.stop();
            released.countDown();
            client.expectOk("late").expectEnd();
            server.join();
            assertEquals(List.of("/later", "/block"), taken);
        }
    }

    /** Two are ready in one turn; when the first has been answered the loop's thread is interrupted. */
    @Test
    void takesNoRequestAfterAnInterrupt() throws Exception {
        var interrupts = new CountDownLatch(1);
        var logger = new HookedLogger(event -> {
            if (event.equals("write") && interrupts.getCount() == 0) Thread.currentThread().interrupt();
        });
        try (var loop = new EventLoop(TestServer.options(), logger, this::handle);
                var first = new RawClient(loop.getPort()); var second = new RawClient(loop.getPort())) {
            var thread = new Thread(loop::start);
            thread.start();
            first.get("/1").expectOk("/1");
            second.get("/2").expectOk("/2");
            hold(loop, blocks, released);
            first.get("/3");
            second.get("/4");
            interrupts.countDown();
            released.countDown();
            assertInterrupted(thread, first, second);
        }
    }

    /** One of the two is answered, whichever the kernel names first. */
    private void assertInterrupted(Thread thread, RawClient first, RawClient second) throws IOException {
        TestGroup.join(thread);
        assertEquals(3, taken.size(), taken::toString);
        RawClient answered = taken.contains("/3") ? first : second;
        answered.expectOk(taken.get(2)).expectEnd();
    }

    @Test
    void servesWhatIsHereWithAGrace() throws Exception {
        try (var server = new TestServer(this::handle)) {
            RawClient client = server.connect().send(get("/block") + get("/2").repeat(300));
            blocks.await();
            var stopping = new Stopping(server.loop, Duration.ofSeconds(40)).awaitWaiting();
            released.countDown();
            client.expectOk("/block");
            for (int i = 0; i < 300; i++) {
                assertEquals("/2", client.response().text());
            }
            client.expectEnd().close();
            assertEquals(0, stopping.dropped());
        }
    }
}
