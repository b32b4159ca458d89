package org.microhttp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.EventLoop;
import org.microhttp.EventLoopGroup;
import org.microhttp.NoopLogger;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.tools.RawClient;
import org.microhttp.tools.ServerProcess;
import org.microhttp.tools.Stopping;
import org.microhttp.tools.TestGroup;
import org.microhttp.tools.TestServer;

/**
 * {@code stop(grace)} returns at most a second after the grace, whatever a handler does, and says how many
 * requests are not answered then; also in a shutdown hook, while a handler waits for the end of the JVM.
 */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class LeavingTimeoutTest {

    private static final Duration GRACE = Duration.ofMillis(200);

    /** It is a promise about the library, not about the machine: one of so many tries keeps it. */
    private static final int TRIES = 4;

    private final BlockingQueue<Consumer<Response>> pending = new ArrayBlockingQueue<>(100);
    private final BlockingQueue<CountDownLatch> blocking = new ArrayBlockingQueue<>(100);

    /** Answers with the target: when the test does it, when the test lets the loop go on, or at once. */
    private void handle(Request request, Consumer<Response> callback) {
        if (request.uri().equals("/later")) {
            pending.add(callback);
            return;
        }
        if (request.uri().equals("/block")) {
            var released = new CountDownLatch(1);
            blocking.add(released);
            TestServer.await(released);
        }
        TestServer.echoTarget(request, callback);
    }

    /** How many milliseconds after the grace it returns, with that number. */
    private static long millisAfterGrace(int dropped, Stopping stopping, long began) throws Exception {
        assertEquals(dropped, stopping.dropped());
        long millis = (System.nanoTime() - began - GRACE.toNanos()) / 1_000_000;
        assertTrue(millis >= 0, "ended " + -millis + " ms before the grace was over");
        return millis;
    }

    @Test
    void returnsThoughAHandlerBlocksTheLoop() throws Exception {
        long best = Long.MAX_VALUE;
        for (int i = 0; i < TRIES && best > 1_000; i++) {
            try (var server = new TestServer(this::handle)) {
                server.connect().get("/later");
                pending.take();
                RawClient blocked = server.connect().get("/block");
                CountDownLatch released = blocking.take();
                try {
                    long began = System.nanoTime();
                    best = millisAfterGrace(2, new Stopping(server.loop, GRACE), began);
                    assertEquals("2", server.awaitEvent("leave_timeout").value("requests"));
                } finally {
                    released.countDown();
                }
                blocked.expectOk("/block");
                server.join();
                assertEquals(1, server.loop.stop(GRACE), "dropped in the end");
            }
        }
        assertTrue(best <= 1_000, best + " ms after the grace");
    }

    /** The loops have one grace: all that block are waited for at once. */
    @Test
    void returnsThoughHandlersBlockEachLoopOfAGroup() throws Exception {
        long best = Long.MAX_VALUE;
        for (int i = 0; i < TRIES && best > 1_000; i++) {
            try (var server = new TestGroup(TestServer.options(), this::handle, 3, false)) {
                try {
                    fill(server);
                    long began = System.nanoTime();
                    best = millisAfterGrace(6, new Stopping(server.group, GRACE), began);
                    for (int loop = 1; loop <= 3; loop++) {
                        assertEquals("2", server.log.await("leave_timeout", loop).value("requests"));
                    }
                } finally {
                    blocking.forEach(CountDownLatch::countDown);
                    blocking.clear();
                }
                server.join();
                assertEquals(3, server.group.stop(GRACE), "dropped in the end");
            }
        }
        assertTrue(best <= 1_000, best + " ms after the grace");
    }

    /** Each loop gets one that is pending, then one that blocks it: a new one goes to the emptiest. */
    private void fill(TestGroup server) throws Exception {
        var blocked = new ArrayList<RawClient>();
        for (int i = 0; i < 3; i++) {
            server.connect().get("/later");
        }
        for (int i = 0; i < 3; i++) {
            blocked.add(server.connect());
            pending.take();
        }
        server.log.await("accept", 6);
        for (RawClient client : blocked) {
            client.get("/block");
        }
        server.log.await("read_request", 6);
    }

    /** One loop that blocks does not keep another from ending, and what that drops is counted too. */
    @Test
    void countsWhatTheOtherLoopsDrop() throws Exception {
        try (var server = new TestGroup(TestServer.options(), this::handle, 2, false)) {
            server.connect().get("/later");
            pending.take();
            server.connect().get("/block");
            CountDownLatch released = blocking.take();
            try {
                assertEquals(2, new Stopping(server.group, GRACE).dropped());
                assertEquals("1", server.log.await("leave_timeout").value("requests"));
                assertEquals(1, server.log.count("leave_timeout"));
            } finally {
                released.countDown();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"loop", "group"})
    void returnsInAShutdownHook(String kind) throws Exception {
        assumeTrue(ServerProcess.isPossible());
        try (var server = new ServerProcess("true", Exiting.class.getName(), "-Dkind=" + kind);
                var pending = new RawClient(server.port); var client = new RawClient(server.port)) {
            pending.get("/later");
            assertEquals("pending", server.process.inputReader().readLine());
            client.get("/exit");
            assertTrue(server.process.waitFor(20, TimeUnit.SECONDS), "the process ends");
            assertEquals("2 dropped", server.process.inputReader().readLine());
            assertEquals(3, server.process.exitValue());
        }
    }

    /** A program whose handler ends the JVM, and whose hook lets the server leave before. */
    static final class Exiting {

        private Exiting() {
        }

        public static void main(String[] arguments) throws IOException {
            if (System.getProperty("kind").equals("loop")) {
                var loop = new EventLoop(TestServer.options(), new NoopLogger(), Exiting::handle);
                run(() -> loop.stop(GRACE), loop::start, loop.getPort());
            } else {
                var group = new EventLoopGroup(TestServer.options(), new NoopLogger(), Exiting::handle, 2);
                run(() -> group.stop(GRACE), group::start, group.getPort());
            }
        }

        private static void run(IntSupplier stop, Runnable start, int port) {
            var hook = new Thread(() -> System.out.println(stop.getAsInt() + " dropped"));
            Runtime.getRuntime().addShutdownHook(hook);
            new Thread(start).start();
            System.out.println(port);
        }

        private static void handle(Request request, Consumer<Response> callback) {
            if (request.uri().equals("/exit")) {
                System.exit(3);
            }
            System.out.println("pending");
        }
    }
}
