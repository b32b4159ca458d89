package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.testing.*;

/**
 * R4c: a group's loops share a port, and nobody else does by accident. What a handler has of a loop that has
 * ended counts among the pending requests of the group for as long as another loop could hand over more, and
 * no longer.
 */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class EventLoopGroupTest {

    private static EventLoopGroup group(Options options, int size) throws IOException {
        return new EventLoopGroup(options, new NoopLogger(), TestServer::echoTarget, size);
    }

    /** It has nobody to share it with. */
    @Test
    void portOfOneLoopIsNotShared() throws Exception {
        try (var first = group(TestServer.options(), 1)) {
            var sharing = TestServer.options().withPort(first.getPort()).withReusePort(true);
            assertThrows(IOException.class, () -> group(sharing, 1));
            assertThrows(IOException.class, () -> group(sharing, 2));
        }
    }

    /** A Unix domain socket cannot be shared, on any platform. */
    @Test
    void optionThatASocketLacksIsLogged(@TempDir Path folder) throws Exception {
        var log = new RecordingLogger();
        var options = TestServer.options().withUnixSocket(folder.resolve("socket")).withReusePort(true);
        try (var group = new EventLoopGroup(options, log, TestServer::echoTarget, 2)) {
            assertEquals(-1, group.getPort());
            assertEquals("SO_REUSEPORT", log.await("option_skipped").value("option"));
        }
    }

    /** The clock fails once, when the first loop listens. */
    @Test
    void portIsFreeIfALaterLoopCannotBeMade() throws Exception {
        var fails = new AtomicBoolean();
        var logger = new RecordingLogger();
        logger.hook = event -> fails.set(true);
        var options = Inside.withClock(TestServer.options(), () -> {
            if (fails.getAndSet(false)) throw new IllegalStateException("wanted");
            return System.nanoTime();
        }, System::currentTimeMillis);
        assertThrows(IllegalStateException.class,
                () -> new EventLoopGroup(options, logger, TestServer::echoTarget, 3));
        String address = logger.await("listen").value("local_address");
        Leaks.bind(Integer.parseInt(address.substring(address.lastIndexOf(':') + 1)));
        assertEquals(1, logger.count("listen"));
    }

    private static final Duration LONG = Duration.ofSeconds(40);

    private final HoldingHandler handler = new HoldingHandler();
    private final BlockingQueue<Consumer<Response>> pending = handler.pending;

    @Test
    void placeOfALoopThatHasEndedStaysTaken() throws Exception {
        var options = TestServer.options().withMaxPendingRequests(1);
        try (var server = new TestServer(ServerKind.HANDING_OVER, options, handler, 2)) {
            var occupancy = Occupancy.of(server.group);
            RawClient gone = server.connect();
            RawClient begun = server.connect().send("GET /2 HTTP/1.1\r\n");
            server.log.await("read_bytes");
            gone.get("/later");
            Consumer<Response> callback = pending.take();
            gone.reset();
            server.log.await("close");
            var stopping = server.stopGracefully(LONG);
            awaitEnd(server.group, 0);
            assertEquals(503, begun.send("Host: x\r\n\r\n").response().status());
            begun.close();
            assertEquals(0, stopping.dropped());
            server.join();
            occupancy.assertNothingIsLeft();
            callback.accept(TestServer.ok("late"));
            occupancy.assertNothingIsLeft();
        }
    }

    /** While it waits for requests that are with the handler; also when the first loop has none. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void interruptDuringAGracefulStopEndsAllLoops(boolean firstHasEnded) throws Exception {
        try (var server = new TestServer(ServerKind.HANDING_OVER, TestServer.options(), handler, 3)) {
            RawClient first = server.connect().get("/later");
            Consumer<Response> callback = pending.take();
            for (int i = 1; i < 3; i++) {
                server.connect().get("/later");
                pending.take();
            }
            var stopping = server.beginGracefulStop(LONG);
            if (firstHasEnded) {
                callback.accept(TestServer.ok("in time"));
                assertEquals("in time", first.response().text());
                first.close();
                awaitEnd(server.group, 0);
            }
            server.thread.interrupt();
            assertTrue(server.keptInterruptFlag());
            assertEquals(firstHasEnded ? 2 : 3, stopping.dropped());
        }
    }

    private static void awaitEnd(EventLoopGroup group, int loop) throws Exception {
        Inside.context(group, loop).end.done.get();
    }
}
