package org.microhttp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.EventLoopGroup;
import org.microhttp.Handler;
import org.microhttp.Inside;
import org.microhttp.NoopLogger;
import org.microhttp.Response;
import org.microhttp.tools.Freed;
import org.microhttp.tools.RawClient;
import org.microhttp.tools.RecordingLogger;
import org.microhttp.tools.TestGroup;
import org.microhttp.tools.TestServer;

/** How several loops start and end together, and leave nothing behind. */
class GroupLifecycleTest {

    private static final int LOOPS = 4;

    private static TestGroup group(boolean sharing) throws IOException {
        return new TestGroup(TestServer.options(), TestGroup::nameThread, LOOPS, sharing);
    }

    private static EventLoopGroup idle() throws IOException {
        return new EventLoopGroup(TestServer.options(), new NoopLogger(), TestServer::echoTarget, LOOPS);
    }

    private static void runOnce(int port, boolean sharing) throws IOException {
        var options = TestServer.options().withPort(port);
        try (var server = new TestGroup(options, TestGroup::nameThread, LOOPS, sharing)) {
            assertEquals(port, server.group.getPort());
            for (int i = 0; i < LOOPS; i++) {
                assertEquals(200, server.connect().get("/").response().status());
            }
            server.group.stop();
            assertEquals(null, server.join());
            Freed.bind(port);
        }
        assertEquals(List.of(), TestGroup.threads("microhttp-"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void startsAndStopsManyTimesOnOnePort(boolean sharing) throws Exception {
        int port;
        try (var group = idle()) {
            port = group.getPort();
        }
        runOnce(port, sharing);
        long descriptors = Freed.descriptors();
        for (int i = 0; i < 30; i++) {
            runOnce(port, sharing);
        }
        // some slack, for the JVM opens files of its own; a leak would be a hundred or more
        assertTrue(Freed.descriptors() <= descriptors + 20, descriptors + " became " + Freed.descriptors());
    }

    @Test
    void runsTheFirstLoopOnTheCallingThreadAndNamesTheOthers() throws Exception {
        try (var server = group(true)) {
            var names = new TreeSet<String>();
            for (int i = 0; i < LOOPS; i++) {
                names.add(server.connect().get("/").response().text());
            }
            assertEquals(new TreeSet<>(List.of(TestGroup.FIRST, "microhttp-1", "microhttp-2", "microhttp-3")),
                    names);
            assertSame(server.thread, TestGroup.threads(TestGroup.FIRST).get(0));
        }
    }

    @Test
    void tellsItsPortBeforeTheStartAndAfterTheEnd() throws Exception {
        var server = group(true);
        int port = server.group.getPort();
        assertTrue(port > 0);
        server.close();
        assertEquals(port, server.group.getPort());
    }

    @Test
    void hasALoopForEachProcessorUnlessTold() throws Exception {
        var log = new RecordingLogger();
        try (var socket = new ServerSocket()) {
            assumeTrue(socket.supportedOptions().contains(StandardSocketOptions.SO_REUSEPORT));
        }
        new EventLoopGroup(TestServer.options(), log, TestServer::echoTarget).close();
        assertEquals(Runtime.getRuntime().availableProcessors(), log.count("listen"));
        new EventLoopGroup(TestServer.options(), TestServer::echoTarget).close();
    }

    @Test
    void endsAtOnceWhenItWasStoppedBeforeItStarted() throws Exception {
        EventLoopGroup group = idle();
        group.stop();
        group.start();
        Freed.bind(group.getPort());
        assertEquals(List.of(), TestGroup.threads("microhttp-"));
    }

    @Test
    void isFreedByCloseIfItNeverStarted() throws Exception {
        EventLoopGroup group = idle();
        group.close();
        Freed.bind(group.getPort());
        group.close();
        group.start();
        Freed.bind(group.getPort());
    }

    @Test
    void startsOnlyOnceAndGoesOn() throws Exception {
        try (var server = group(true)) {
            RawClient client = server.connect().get("/");
            String thread = client.response().text();
            assertThrows(IllegalStateException.class, server.group::start);
            client.get("/").expectOk(thread);
            assertTrue(server.thread.isAlive());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void stopsFromAHandlerOfAnyLoop(boolean sharing) throws Exception {
        for (int i = 0; i < LOOPS; i++) {
            var itself = new AtomicReference<EventLoopGroup>();
            try (var server = new TestGroup(TestServer.options(), (request, callback) -> {
                if (request.uri().equals("/stop")) {
                    itself.get().stop();
                }
                TestGroup.nameThread(request, callback);
            }, LOOPS, sharing)) {
                itself.set(server.group);
                RawClient client = server.connect().get("/");
                String thread = "microhttp-" + i;
                while (!client.response().text().equals(thread)) {
                    client = server.connect().get("/");
                }
                client.get("/stop").expectOk(thread).expectEnd();
                assertEquals(null, server.join());
                Freed.bind(server.group.getPort());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void endsWhenTheCallingThreadIsInterruptedAndKeepsTheFlag(boolean sharing) throws Exception {
        try (var server = group(sharing)) {
            var clients = new RawClient[2 * LOOPS];
            for (int i = 0; i < clients.length; i++) {
                clients[i] = server.connect().get("/");
                clients[i].response();
            }
            server.thread.interrupt();
            for (RawClient client : clients) {
                client.expectEnd();
            }
            assertTrue(server.keptInterruptFlag());
            assertEquals(null, server.join());
            Freed.bind(server.group.getPort());
        }
    }

    /** A refused time changes nothing: what ends one loop still ends all. */
    @Test
    void endsWhenInterruptedAfterARefusedTimeToLeaveIn() throws Exception {
        try (var server = group(true)) {
            for (int i = 0; i < LOOPS; i++) {
                server.connect().get("/").response();
            }
            assertThrows(IllegalArgumentException.class, () -> server.group.stop(Duration.ofNanos(-1)));
            server.thread.interrupt();
            assertTrue(server.keptInterruptFlag());
        }
    }

    private static void assertEndsBy(TestGroup server) throws IOException {
        var thrown = assertInstanceOf(IllegalStateException.class, server.join());
        assertInstanceOf(ClosedSelectorException.class, thrown.getCause());
        server.log.await("loop_error");
        Freed.bind(server.group.getPort());
        assertEquals(List.of(), TestGroup.threads("microhttp-"));
    }

    @ParameterizedTest
    @CsvSource({"0, true", "2, true", "0, false", "2, false"})
    void endsWithTheLoopWhoseSelectorFails(int loop, boolean sharing) throws Exception {
        var server = group(sharing);
        RawClient client = server.connect().get("/");
        client.response();
        Inside.of(server.loop(loop), Selector.class).close();
        assertEndsBy(server);
        client.close();
    }

    @ParameterizedTest
    @CsvSource({"0, true", "2, true", "0, false", "2, false"})
    void livesOnAfterAnErrorOutsideOfAnyConnection(int loop, boolean sharing) throws Exception {
        var error = new StackOverflowError("on purpose");
        try (var server = group(sharing)) {
            RawClient client = server.connect().get("/");
            client.response();
            Inside.execute(server.loop(loop), () -> {
                throw error;
            });
            assertSame(error, server.log.await("turn_error").cause());
            client.get("/").response();
            server.connect().get("/").response();
        }
    }

    @Test
    void toleratesAnswersAfterItsEnd() throws Exception {
        var callbacks = new ArrayBlockingQueue<Consumer<Response>>(LOOPS);
        var server = new TestGroup((request, callback) -> callbacks.add(callback), LOOPS);
        for (int i = 0; i < LOOPS; i++) {
            server.connect().get("/");
        }
        server.log.await("read_request", LOOPS);
        server.close();
        for (int i = 0; i < LOOPS; i++) {
            callbacks.take().accept(TestServer.ok("too late"));
        }
        assertEquals(0, server.group.stats().connections());
    }

    @Test
    void saysWhichPortIsInUseAndLeavesNothingOpen() throws Exception {
        try (var server = new TestServer(TestServer::echoTarget)) {
            var options = TestServer.options().withPort(server.port());
            long descriptors = Freed.descriptors();
            for (int i = 0; i < 50; i++) {
                var thrown = assertThrows(IOException.class, () ->
                        new EventLoopGroup(options, new NoopLogger(), TestServer::echoTarget, LOOPS));
                assertTrue(thrown.getMessage().contains("" + server.port()), thrown.getMessage());
            }
            long left = Freed.descriptors();
            assertTrue(left <= descriptors + 20, descriptors + " became " + left);
            server.assertServes();
        }
    }

    @Test
    void refusesWhatItCannotRunWith() throws Exception {
        var options = TestServer.options();
        var log = new NoopLogger();
        Handler handler = TestServer::echoTarget;
        assertThrows(NullPointerException.class, () -> new EventLoopGroup(null, handler));
        assertThrows(NullPointerException.class, () -> new EventLoopGroup(options, null, handler));
        assertThrows(NullPointerException.class, () -> new EventLoopGroup(options, log, null));
        for (int size : new int[] {Integer.MIN_VALUE, -1, 0, 1025, Integer.MAX_VALUE}) {
            var thrown = assertThrows(IllegalArgumentException.class, () ->
                    new EventLoopGroup(options, log, handler, size));
            assertEquals("size is " + size + "; allowed: 1 to 1024", thrown.getMessage());
        }
        new EventLoopGroup(options, log, handler, 1).close();
    }
}
