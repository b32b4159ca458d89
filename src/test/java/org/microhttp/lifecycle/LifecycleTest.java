package org.microhttp.lifecycle;

import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.*;
import org.microhttp.tools.*;
import org.microhttp.tools.LoopOrGroup.Kind;

/** R4, R18: how a loop, or a group of loops, starts, ends, and leaves nothing behind. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class LifecycleTest {

    private final HoldingHandler handler = new HoldingHandler();
    private final BlockingQueue<Consumer<Response>> pending = handler.pending;

    private static LoopOrGroup idle(Kind kind) throws IOException {
        return kind.make(TestServer.options(), TestServer::echoTarget);
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
    void startsAndStopsAHundredTimesOnOnePort(Kind kind) throws Exception {
        var options = TestServer.options();
        runOnce(kind, options);
        long descriptors = Freed.descriptors();
        for (int i = 0; i < 100; i++) {
            runOnce(kind, options);
        }
        Freed.assertDescriptors(descriptors);
    }

    private static void runOnce(Kind kind, Options options) throws IOException {
        var server = new TestServer(kind, options, TestServer::echoTarget);
        int port = server.port();
        assertTrue(port > 0);
        options.withPort(port);
        for (int i = 0; i < kind.loops; i++) {
            server.connect().get("/a").expectOk("/a");
        }
        server.stop();
        assertEquals(port, server.port());
        assertGone(server);
    }

    @ParameterizedTest
    @EnumSource
    void stopsWithConnectionsOpenInEveryState(Kind kind) throws Exception {
        var options = TestServer.options().withSendBufferSize(4096);
        var server = new TestServer(kind, options, (request, callback) -> {
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
        server.both.stop();
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
    void startsOnlyOnceAndGoesOn(Kind kind) throws Exception {
        try (var server = new TestServer(kind, TestServer::echoTarget)) {
            RawClient client = server.connect().get("/a").expectOk("/a");
            assertThrows(IllegalStateException.class, server.both::start);
            client.get("/b").expectOk("/b");
            server.assertServes();
            assertTrue(server.thread.isAlive());
        }
    }

    @ParameterizedTest
    @EnumSource
    void endsAtOnceWhenItWasStoppedBeforeItStarted(Kind kind) throws Exception {
        LoopOrGroup server = idle(kind);
        server.stop();
        server.start();
        Freed.bind(server.port());
        assertEquals(List.of(), TestServer.threads("microhttp-"));
    }

    @ParameterizedTest
    @EnumSource
    void doesNotRunAgainAfterItsEnd(Kind kind) throws Exception {
        var server = new TestServer(kind, TestServer::echoTarget);
        server.stop();
        if (kind == Kind.LOOP) {
            server.loop.start();
        } else {
            assertThrows(IllegalStateException.class, server.group::start);
        }
        server.stop();
        server.both.close();
        assertGone(server);
    }

    @ParameterizedTest
    @EnumSource
    void isFreedByCloseIfItNeverStarted(Kind kind) throws Exception {
        LoopOrGroup server = idle(kind);
        server.close();
        Freed.bind(server.port());
        server.close();
        server.start();
        Freed.bind(server.port());
    }

    @ParameterizedTest
    @EnumSource
    void stopsFromAHandlerOfAnyLoopAndStillWritesTheAnswer(Kind kind) throws Exception {
        var naming = new HoldingHandler(TestServer::nameThread);
        for (int i = 0; i < kind.loops; i++) {
            try (var server = new TestServer(kind, naming)) {
                naming.task = server.both::stop;
                String thread = List.copyOf(server.threadNames()).get(i);
                server.connectTo(thread).get("/run").expectOk(thread).expectEnd();
                assertEquals(null, server.join());
                Freed.bind(server.port());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void writesAnAnswerGivenElsewhereJustBeforeStop(Kind kind) throws Exception {
        try (var server = new TestServer(kind, handler)) {
            RawClient client = server.connect().get("/later");
            pending.take().accept(TestServer.ok("just in time"));
            server.both.stop();
            client.expectOk("just in time").expectEnd();
        }
    }

    @ParameterizedTest
    @EnumSource
    void writesAnAnswerThatItsLastTaskGaveToAnother(Kind kind) throws Exception {
        try (var server = new TestServer(kind, handler)) {
            RawClient waiting = server.connect().get("/later");
            Consumer<Response> waitingAnswer = pending.take();
            RawClient other = server.connect().get("/later").get("/run");
            handler.task = () -> {
                waitingAnswer.accept(TestServer.ok("by another"));
                server.both.stop();
            };
            pending.take().accept(TestServer.ok("first"));
            other.expectOk("first").expectOk("/run").expectEnd();
            waiting.expectOk("by another").expectEnd();
        }
    }

    @ParameterizedTest
    @EnumSource
    void toleratesAnswersAfterItsEnd(Kind kind) throws Exception {
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
        assertEquals(0, server.both.stats().connections());
    }

    @ParameterizedTest
    @EnumSource
    void endsWhenTheCallingThreadIsInterruptedAndKeepsTheFlag(Kind kind) throws Exception {
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
    void endsWhenInterruptedAfterARefusedTimeToLeaveIn(Kind kind) throws Exception {
        try (var server = new TestServer(kind, TestServer::echoTarget)) {
            connectAll(server);
            assertThrows(IllegalArgumentException.class, () -> server.both.stop(Duration.ofNanos(-1)));
            server.thread.interrupt();
            assertTrue(server.keptInterruptFlag());
        }
    }

    @ParameterizedTest
    @EnumSource
    void endsWithTheLoopWhoseSelectorFails(Kind kind) throws Exception {
        for (int i = 0; i < kind.loops; i++) {
            var server = new TestServer(kind, TestServer::echoTarget);
            server.assertServes();
            Inside.of(server.both.loops().get(i), Selector.class).close();
            var thrown = assertInstanceOf(IllegalStateException.class, server.join());
            assertInstanceOf(ClosedSelectorException.class, thrown.getCause());
            server.awaitEvent("loop_error");
            assertGone(server);
        }
    }

    @ParameterizedTest
    @EnumSource
    void livesOnAfterAnErrorOutsideOfAnyConnection(Kind kind) throws Exception {
        for (int i = 0; i < kind.loops; i++) {
            var error = new StackOverflowError("on purpose");
            try (var server = new TestServer(kind, TestServer::echoTarget)) {
                RawClient client = server.connect().get("/").expectOk("/");
                Inside.execute(server.both.loops().get(i), () -> {
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
    void sharesAJvmWithAnother(Kind kind) throws Exception {
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
    void sharesAPortWithAnotherIfBothSaySo(Kind kind) throws Exception {
        var options = TestServer.options().withReusePort(true);
        try (var one = new TestServer(kind, options, TestServer::echoTarget)) {
            assumeTrue(one.log.count("option_skipped") == 0);
            options.withPort(one.port());
            try (var two = new TestServer(kind, options, TestServer::echoTarget)) {
                assertEquals(one.port(), two.port());
                two.assertServes();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void saysWhichPortIsInUseAndLeavesNothingOpen(Kind kind) throws Exception {
        try (var server = new TestServer(kind, TestServer::echoTarget)) {
            long descriptors = Freed.descriptors();
            for (int i = 0; i < 50; i++) {
                for (Kind other : Kind.values()) {
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
    void refusesWhatItCannotRunWith(Kind kind) {
        var unknown = TestServer.options().withHost("no such host");
        var thrown = assertThrows(IOException.class, () -> kind.make(unknown, TestServer::echoTarget));
        assertTrue(thrown.getMessage().contains("no such host"), thrown.getMessage());
        var inherited = TestServer.options().withInheritedSocket(true);
        thrown = assertThrows(IOException.class, () -> kind.make(inherited, TestServer::echoTarget));
        assertEquals("no listening socket was inherited; allowed: one as standard input",
                thrown.getMessage());
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
