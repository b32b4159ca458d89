package org.microhttp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.channels.Selector;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.microhttp.EventLoop;
import org.microhttp.Inside;
import org.microhttp.NoopLogger;
import org.microhttp.Response;
import org.microhttp.tools.Freed;
import org.microhttp.tools.RawClient;
import org.microhttp.tools.TestServer;

/** R4, R18: how a loop starts, ends, and leaves nothing behind. */
class LoopLifecycleTest {

    @Test
    void startsAndStopsAHundredTimesOnOnePort() throws Exception {
        int port = freePort();
        runOnce(port);
        long descriptors = Freed.descriptors();
        long threads = threads();
        for (int i = 0; i < 100; i++) {
            runOnce(port);
        }
        // some slack, for the JVM opens files of its own; a leak would be one hundred or more
        long left = Freed.descriptors();
        assertTrue(left <= descriptors + 20, descriptors + " descriptors became " + left);
        assertEquals(threads, threads(), "threads");
    }

    private static void runOnce(int port) throws IOException {
        try (var server = new TestServer(TestServer.options().withPort(port), TestServer::echoTarget)) {
            assertEquals(port, server.port());
            server.connect().get("/a").expectOk("/a");
        }
        Freed.bind(port);
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream().filter(t -> t.getName().startsWith("loop-"))
                .count();
    }

    private static int freePort() throws IOException {
        try (var loop = new EventLoop(TestServer.options(), new NoopLogger(), TestServer::echoTarget)) {
            return loop.getPort();
        }
    }

    @Test
    void stopsWithConnectionsOpenInEveryState() throws Exception {
        var server = new TestServer(TestServer.options().withSendBufferSize(4096), (request, callback) -> {
            if (request.uri().equals("/large")) {
                callback.accept(TestServer.ok("x".repeat(1 << 23)));
            }
        });
        RawClient idle = server.connect();
        RawClient begun = server.connect().send("GET");
        RawClient handled = server.connect().get("/never");
        RawClient writing = server.connect(4096).get("/large");
        RawClient lingering = server.connect().send("wrong\r\n");
        server.awaitEvent("linger");
        server.awaitEvent("read_request", 2);
        server.awaitEvent("accept", 5);
        server.loop.stop();
        assertEquals(null, server.join());
        Freed.bind(server.port());
        assertEquals(5, server.log.count("close"));
        idle.expectEnd();
        begun.countToEnd();
        handled.expectEnd();
        writing.countToEnd();
        assertEquals(400, lingering.response().status());
        server.stop();
    }

    @Test
    void startsOnlyOnce() throws Exception {
        try (var server = new TestServer(TestServer::echoTarget)) {
            server.assertServes();
            assertThrows(IllegalStateException.class, server.loop::start);
            server.assertServes();
        }
    }

    @Test
    void endsAtOnceWhenItWasStoppedBeforeItStarted() throws Exception {
        var loop = new EventLoop(TestServer.options(), new NoopLogger(), TestServer::echoTarget);
        loop.stop();
        loop.start();
        Freed.bind(loop.getPort());
    }

    @Test
    void returnsAtOnceWhenStartedAgainAfterItsEnd() throws Exception {
        var server = new TestServer(TestServer::echoTarget);
        server.stop();
        server.loop.start();
        server.loop.stop();
        server.loop.close();
        Freed.bind(server.port());
    }

    @Test
    void isFreedByCloseIfItNeverStarted() throws Exception {
        var loop = new EventLoop(TestServer.options(), new NoopLogger(), TestServer::echoTarget);
        loop.close();
        Freed.bind(loop.getPort());
        loop.close();
        loop.start();
    }

    @Test
    void stopsFromItsHandlerAndStillWritesTheAnswer() throws Exception {
        var itself = new AtomicReference<EventLoop>();
        try (var server = new TestServer((request, callback) -> {
            itself.get().stop();
            callback.accept(TestServer.ok("last words"));
        })) {
            itself.set(server.loop);
            server.connect().send(RawClient.GET).expectOk("last words").expectEnd();
            assertEquals(null, server.join());
        }
    }

    @Test
    void writesAnAnswerGivenElsewhereJustBeforeStop() throws Exception {
        var callbacks = new ArrayBlockingQueue<Consumer<Response>>(1);
        try (var server = new TestServer((request, callback) -> callbacks.add(callback))) {
            RawClient client = server.connect().send(RawClient.GET);
            callbacks.take().accept(TestServer.ok("just in time"));
            server.loop.stop();
            client.expectOk("just in time").expectEnd();
        }
    }

    @Test
    void writesAnAnswerThatItsLastTaskGaveToAnother() throws Exception {
        var itself = new AtomicReference<EventLoop>();
        var callbacks = new ArrayBlockingQueue<Consumer<Response>>(2);
        try (var server = new TestServer((request, callback) -> {
            if (!request.uri().equals("/last")) {
                callbacks.add(callback);
                return;
            }
            callbacks.remove().accept(TestServer.ok("by another"));
            itself.get().stop();
            callback.accept(TestServer.ok("last"));
        })) {
            itself.set(server.loop);
            RawClient waiting = server.connect().get("/waiting");
            server.awaitEvent("read_request");
            RawClient other = server.connect().get("/first").get("/last");
            server.awaitEvent("read_request", 2);
            Consumer<Response> waitingAnswer = callbacks.take();
            Consumer<Response> firstAnswer = callbacks.take();
            callbacks.add(waitingAnswer);
            firstAnswer.accept(TestServer.ok("first"));
            other.expectOk("first").expectOk("last").expectEnd();
            waiting.expectOk("by another").expectEnd();
        }
    }

    @Test
    void toleratesAnAnswerAfterItsEnd() throws Exception {
        var callbacks = new ArrayBlockingQueue<Consumer<Response>>(1);
        try (var server = new TestServer((request, callback) -> callbacks.add(callback))) {
            server.connect().send(RawClient.GET);
            Consumer<Response> callback = callbacks.take();
            server.stop();
            callback.accept(TestServer.ok("too late"));
        }
    }

    @Test
    void endsWhenItsThreadIsInterruptedAndKeepsTheFlag() throws Exception {
        var flag = new AtomicBoolean();
        var loop = new EventLoop(TestServer.options(), new NoopLogger(), TestServer::echoTarget);
        var thread = new Thread(() -> {
            loop.start();
            flag.set(Thread.currentThread().isInterrupted());
        });
        thread.start();
        try (var client = new RawClient(loop.getPort())) {
            client.get("/").expectOk("/");
            thread.interrupt();
            client.expectEnd();
        }
        thread.join(30_000);
        assertTrue(flag.get(), "the flag is still set after start()");
        Freed.bind(loop.getPort());
    }

    @Test
    void leavesStartWithAnExceptionWhenTheLoopItselfFails() throws Exception {
        var server = new TestServer(TestServer::echoTarget);
        server.assertServes();
        Inside.of(server.loop, Selector.class).close();
        assertInstanceOf(IllegalStateException.class, server.join());
        server.awaitEvent("loop_error");
        Freed.bind(server.port());
    }

    @Test
    void sharesAJvmWithAnotherLoop() throws Exception {
        try (var one = new TestServer((request, callback) -> callback.accept(TestServer.ok("one")));
                var two = new TestServer((request, callback) -> callback.accept(TestServer.ok("two")))) {
            RawClient first = one.connect();
            RawClient second = two.connect();
            for (int i = 0; i < 100; i++) {
                first.send(RawClient.GET).expectOk("one");
                second.send(RawClient.GET).expectOk("two");
            }
            one.stop();
            second.send(RawClient.GET).expectOk("two");
        }
    }

    @Test
    void sharesAPortWhenAskedTo() throws Exception {
        var first = TestServer.options().withReusePort(true);
        try (var one = new TestServer(first, TestServer::echoTarget)) {
            assumeTrue(one.log.count("option_skipped") == 0);
            var second = TestServer.options().withReusePort(true).withPort(one.port());
            try (var two = new TestServer(second, TestServer::echoTarget)) {
                assertEquals(one.port(), two.port());
                two.assertServes();
            }
        }
    }

    @Test
    void saysWhichPortIsInUseAndLeavesNothingOpen() throws Exception {
        try (var server = new TestServer(TestServer::echoTarget)) {
            var options = TestServer.options().withPort(server.port());
            long descriptors = Freed.descriptors();
            for (int i = 0; i < 50; i++) {
                var thrown = assertThrows(IOException.class, () ->
                        new EventLoop(options, TestServer::echoTarget));
                assertTrue(thrown.getMessage().contains("" + server.port()), thrown.getMessage());
            }
            long left = Freed.descriptors();
            assertTrue(left <= descriptors + 20, descriptors + " became " + left);
            server.assertServes();
        }
    }

    @Test
    void refusesWhatItCannotRunWith() {
        var options = TestServer.options();
        assertThrows(NullPointerException.class, () -> new EventLoop(null));
        assertThrows(NullPointerException.class, () -> new EventLoop(null, TestServer::echoTarget));
        assertThrows(NullPointerException.class, () -> new EventLoop(options, null, TestServer::echoTarget));
        assertThrows(NullPointerException.class, () -> new EventLoop(options, new NoopLogger(), null));
        var unknown = TestServer.options().withHost("no such host");
        var thrown = assertThrows(IOException.class, () -> new EventLoop(unknown, TestServer::echoTarget));
        assertTrue(thrown.getMessage().contains("no such host"), thrown.getMessage());
    }
}
