package org.microhttp.lifecycle;

import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.*;
import org.microhttp.testing.*;

/** R4, R18: how a loop, or a group of loops, starts, ends, and leaves nothing behind. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class LifecycleTest {

    private final HoldingHandler handler = new HoldingHandler();
    private final BlockingQueue<Consumer<Response>> pending = handler.pending;

    private static Server idle(ServerKind kind) throws IOException {
        return idle(kind, TestServer.options());
    }

    private static Server idle(ServerKind kind, Options options) throws IOException {
        return kind.make(options, TestServer::echoTarget);
    }

    /** A client of each loop, for the emptiest gets the next. */
    private static List<RawClient> connectAll(TestServer server) throws IOException {
        var clients = new ArrayList<RawClient>();
        for (int i = 0; i < server.threadNames().size(); i++) {
            clients.add(server.connect().get("/").expectOk("/"));
        }
        return clients;
    }

    /** It has ended, its port is free and its threads are gone. */
    private static void assertGone(TestServer server) throws IOException {
        server.join();
        Freed.bind(server.port());
        for (String name : server.threadNames()) {
            assertEquals(List.of(), TestServer.threads(name));
        }
    }

    @ParameterizedTest
    @EnumSource
    void startsAndStopsAHundredTimesOnOnePort(ServerKind kind) throws Exception {
        var options = TestServer.options().withPort(runOnce(kind, TestServer.options()));
        long descriptors = Freed.descriptors();
        for (int i = 0; i < 100; i++) {
            runOnce(kind, options);
        }
        Freed.assertDescriptors(descriptors);
    }

    /** Returns the port that is free again. */
    private static int runOnce(ServerKind kind, Options options) throws IOException {
        var server = new TestServer(kind, options, TestServer::echoTarget);
        int port = server.port();
        assertTrue(port > 0);
        for (int i = 0; i < kind.loops; i++) {
            server.connect().get("/a").expectOk("/a");
        }
        server.stop();
        assertEquals(port, server.port());
        assertGone(server);
        return port;
    }

    @ParameterizedTest
    @EnumSource
    void stopsWithConnectionsOpenInEveryState(ServerKind kind) throws Exception {
        var options = TestServer.options().withSendBufferSize(4096);
        var server = new TestServer(kind, options, (request, callback) -> {
            if (request.target().equals("/large")) {
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
        server.itself.stop();
        assertEquals(null, server.join());
        assertGone(server);
        assertEquals(5, server.log.count("close"));
        idle.expectEnd();
        begun.countToEnd();
        handled.expectEnd();
        writing.countToEnd();
        assertEquals(400, lingering.response().status());
        server.stop();
    }

    @ParameterizedTest
    @EnumSource
    void startsOnlyOnceAndGoesOn(ServerKind kind) throws Exception {
        try (var server = new TestServer(kind, TestServer::echoTarget)) {
            RawClient client = server.connect().get("/a").expectOk("/a");
            assertThrows(IllegalStateException.class, server.itself::start);
            client.get("/b").expectOk("/b");
            server.assertServes();
            assertTrue(server.thread.isAlive());
        }
    }

    @ParameterizedTest
    @EnumSource
    void endsAtOnceWhenItWasStoppedBeforeItStarted(ServerKind kind) throws Exception {
        // threads for blocking work outlast the servers of other tests
        List<Thread> before = TestServer.threads("microhttp-");
        Server server = idle(kind);
        server.stop();
        server.start();
        Freed.bind(server.getPort());
        assertTrue(before.containsAll(TestServer.threads("microhttp-")));
    }

    @ParameterizedTest
    @EnumSource
    void doesNotRunAgainAfterItsEnd(ServerKind kind) throws Exception {
        var server = new TestServer(kind, TestServer::echoTarget);
        server.stop();
        server.itself.start();
        server.stop();
        server.itself.close();
        assertGone(server);
    }

    @ParameterizedTest
    @EnumSource
    void isFreedByCloseIfItNeverStarted(ServerKind kind) throws Exception {
        Server server = idle(kind);
        server.close();
        Freed.bind(server.getPort());
        server.close();
        server.start();
        Freed.bind(server.getPort());
    }

    @ParameterizedTest
    @EnumSource
    void stopsFromAHandlerOfAnyLoopAndStillWritesTheAnswer(ServerKind kind) throws Exception {
        var naming = new HoldingHandler(TestServer::nameThread);
        for (int i = 0; i < kind.loops; i++) {
            try (var server = new TestServer(kind, naming)) {
                naming.task = server.itself::stop;
                String thread = List.copyOf(server.threadNames()).get(i);
                server.connectTo(thread).get("/run").expectOk(thread).expectEnd();
                assertEquals(null, server.join());
                Freed.bind(server.port());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void writesAnAnswerGivenElsewhereJustBeforeStop(ServerKind kind) throws Exception {
        try (var server = new TestServer(kind, handler)) {
            RawClient client = server.connect().get("/later");
            pending.take().accept(TestServer.ok("just in time"));
            server.itself.stop();
            client.expectOk("just in time").expectEnd();
        }
    }

    @ParameterizedTest
    @EnumSource
    void writesAnAnswerThatItsLastTaskGaveToAnother(ServerKind kind) throws Exception {
        try (var server = new TestServer(kind, handler)) {
            RawClient waiting = server.connect().get("/later");
            Consumer<Response> waitingAnswer = pending.take();
            RawClient other = server.connect().get("/later").get("/run");
            handler.task = () -> {
                waitingAnswer.accept(TestServer.ok("by another"));
                server.itself.stop();
            };
            pending.take().accept(TestServer.ok("first"));
            other.expectOk("first").expectOk("/run").expectEnd();
            waiting.expectOk("by another").expectEnd();
        }
    }

    @ParameterizedTest
    @EnumSource
    void toleratesAnswersAfterItsEnd(ServerKind kind) throws Exception {
        var server = new TestServer(kind, handler);
        var callbacks = new ArrayList<Consumer<Response>>();
        for (RawClient client : connectAll(server)) {
            client.get("/later");
            // the event of the request is not enough: a stop after that still keeps it from the handler
            callbacks.add(pending.take());
        }
        server.stop();
        for (Consumer<Response> callback : callbacks) {
            callback.accept(TestServer.ok("too late"));
        }
        assertEquals(0, server.itself.stats().connections());
    }

    @ParameterizedTest
    @EnumSource
    void endsWhenTheCallingThreadIsInterruptedAndKeepsTheFlag(ServerKind kind) throws Exception {
        try (var server = new TestServer(kind, TestServer::echoTarget)) {
            List<RawClient> clients = connectAll(server);
            server.thread.interrupt();
            for (RawClient client : clients) {
                client.expectEnd();
            }
            assertTrue(server.keptInterruptFlag());
            assertEquals(null, server.join());
            assertGone(server);
        }
    }

    /** A refused time changes nothing: what ends one loop still ends all. */
    @ParameterizedTest
    @EnumSource
    void endsWhenInterruptedAfterARefusedTimeToLeaveIn(ServerKind kind) throws Exception {
        try (var server = new TestServer(kind, TestServer::echoTarget)) {
            connectAll(server);
            assertThrows(IllegalArgumentException.class, () -> server.itself.stop(Duration.ofNanos(-1)));
            server.thread.interrupt();
            assertTrue(server.keptInterruptFlag());
        }
    }

    @ParameterizedTest
    @EnumSource
    void endsWithTheLoopWhoseSelectorFails(ServerKind kind) throws Exception {
        for (int i = 0; i < kind.loops; i++) {
            var server = new TestServer(kind, TestServer::echoTarget);
            server.assertServes();
            Inside.of(server.loops().get(i), Selector.class).close();
            var thrown = assertInstanceOf(IllegalStateException.class, server.join());
            assertInstanceOf(ClosedSelectorException.class, thrown.getCause());
            server.awaitEvent("loop_error");
            assertGone(server);
        }
    }

    @ParameterizedTest
    @EnumSource
    void livesOnAfterAnErrorOutsideOfAnyConnection(ServerKind kind) throws Exception {
        for (int i = 0; i < kind.loops; i++) {
            var error = new StackOverflowError("on purpose");
            try (var server = new TestServer(kind, TestServer::echoTarget)) {
                RawClient client = server.connect().get("/").expectOk("/");
                Inside.execute(server.loops().get(i), () -> {
                    throw error;
                });
                assertSame(error, server.awaitEvent("turn_error").cause());
                client.get("/").expectOk("/");
                server.assertServes();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void sharesAJvmWithAnother(ServerKind kind) throws Exception {
        try (var one = new TestServer(kind, (request, callback) -> callback.accept(TestServer.ok("one")));
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

    @ParameterizedTest
    @EnumSource(names = {"LOOP", "GROUP"})
    void sharesAPortWithAnotherIfBothSaySo(ServerKind kind) throws Exception {
        var options = TestServer.options().withReusePort(true);
        try (var one = new TestServer(kind, options, TestServer::echoTarget)) {
            assumeTrue(one.log.count("option_skipped") == 0, "ports cannot be shared here");
            try (var two = new TestServer(kind, options.withPort(one.port()), TestServer::echoTarget)) {
                assertEquals(one.port(), two.port());
                two.assertServes();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void saysWhichPortIsInUseAndLeavesNothingOpen(ServerKind kind) throws Exception {
        try (var server = new TestServer(kind, TestServer::echoTarget)) {
            long descriptors = Freed.descriptors();
            for (int i = 0; i < 50; i++) {
                for (ServerKind other : ServerKind.values()) {
                    var options = TestServer.options().withPort(server.port());
                    var thrown = assertThrows(IOException.class, () ->
                            other.make(options, TestServer::echoTarget));
                    assertTrue(thrown.getMessage().contains(":" + server.port() + ": "), thrown::toString);
                }
            }
            Freed.assertDescriptors(descriptors);
            server.assertServes();
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesWhatItCannotRunWith(ServerKind kind) {
        var unknown = TestServer.options().withHost("no such host");
        var thrown = assertThrows(IOException.class, () -> kind.make(unknown, TestServer::echoTarget));
        assertTrue(thrown.getMessage().contains("no such host"), thrown.getMessage());
    }

    /** Whatever host, port and path the options have. */
    @ParameterizedTest
    @EnumSource
    void servesAtAChannelThatIsBoundAndClosesIt(ServerKind kind) throws Exception {
        try (var listener = ServerSocketChannel.open()) {
            var options = TestServer.options().withHost("no such host").withUnixSocket(Path.of("none"))
                    .withListener(listener);
            assertRefusesListener(kind, options);
            listener.bind(new InetSocketAddress("127.0.0.1", 0));
            SocketAddress address = listener.getLocalAddress();
            try (var server = new TestServer(kind, options, TestServer::echoTarget)) {
                assertEquals(address, server.address());
                for (int i = 0; i < kind.loops; i++) {
                    server.assertServes();
                }
                assertRefusesListener(kind, options);
                server.assertServes();
            }
            assertFalse(listener.isOpen());
            assertRefusesListener(kind, options);
        }
    }

    /** Both see that it is free, before one takes it. */
    @ParameterizedTest
    @EnumSource
    void doesNotShareAChannelWithAServerThatIsMadeAtTheSameTime(ServerKind kind) throws Exception {
        try (var listener = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0))) {
            var options = TestServer.options().withListener(listener);
            var made = new LinkedBlockingQueue<Server>();
            var refused = new LinkedBlockingQueue<IOException>();
            var threads = Stream.generate(() -> new Thread(() -> {
                try {
                    made.add(idle(kind, options));
                } catch (IOException e) {
                    refused.add(e);
                }
            })).limit(2).toList();
            synchronized (listener.blockingLock()) {
                threads.forEach(Thread::start);
                while (threads.stream().anyMatch(thread -> thread.getState() != Thread.State.BLOCKED)) {
                    Thread.onSpinWait();
                }
            }
            assertNotNull(refused.take());
            assertTrue(listener.isOpen());
            made.take().close();
        }
    }

    /** It would accept nobody. */
    @ParameterizedTest
    @EnumSource
    void doesNotStartAtAChannelThatWasClosed(ServerKind kind) throws Exception {
        var listener = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0));
        Server server = idle(kind, TestServer.options().withListener(listener));
        listener.close();
        var thrown = assertThrows(IllegalStateException.class, server::start);
        assertInstanceOf(ClosedChannelException.class, thrown.getCause());
    }

    private static void assertRefusesListener(ServerKind kind, Options options) {
        var thrown = assertThrows(IOException.class, () -> kind.make(options, TestServer::echoTarget));
        assertTrue(thrown.getMessage().startsWith("the listener is closed, not bound"), thrown.getMessage());
    }

    @Test
    void refusesToBeMadeWithoutItsParts() {
        var options = TestServer.options();
        var log = new NoopLogger();
        Handler echo = TestServer::echoTarget;
        assertThrows(NullPointerException.class, () -> new EventLoop(null));
        assertThrows(NullPointerException.class, () -> new EventLoop(null, echo));
        assertThrows(NullPointerException.class, () -> new EventLoop(options, null, echo));
        assertThrows(NullPointerException.class, () -> new EventLoop(options, log, null));
        assertThrows(NullPointerException.class, () -> new EventLoopGroup(null, echo));
        assertThrows(NullPointerException.class, () -> new EventLoopGroup(options, null, echo));
        assertThrows(NullPointerException.class, () -> new EventLoopGroup(options, log, null));
    }
}
