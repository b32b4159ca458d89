package org.microhttp.lifecycle;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.*;
import org.microhttp.testing.*;

/** A program hears that a graceful stop begins, and may end what else would last until its end. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class OnStoppingTest {

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final int CLIENTS = 9;

    private final SubmissionPublisher<ByteBuffer> events = new SubmissionPublisher<>(Runnable::run, 8);
    private final AtomicInteger calls = new AtomicInteger();
    private volatile Server server;

    private void handle(Request request, Consumer<Response> callback) {
        switch (request.path()) {
            case "/events" -> callback.accept(
                    new Response(200, List.of(), Body.of(events).withHeadAtOnce()));
            case "/stop" -> callback.accept(TestServer.ok("" + server.stop(LONG)));
            default -> callback.accept(TestServer.ok("alive"));
        }
    }

    private TestServer serve(ServerKind kind, Runnable action) throws IOException {
        var made = new TestServer(kind, TestServer.options().withOnStopping(action), this::handle);
        server = made.itself;
        return made;
    }

    /** Clients that have a stream open, and got its beginning. */
    private static List<RawClient> listen(TestServer server) throws IOException {
        var clients = new ArrayList<RawClient>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(server.connect().get("/events"));
        }
        for (RawClient client : clients) {
            client.readUntil("\r\n\r\n");
        }
        return clients;
    }

    private static Duration since(long began) {
        return Duration.ofNanos(System.nanoTime() - began);
    }

    /** It would turn the graceful stop into one at once. */
    @ParameterizedTest
    @EnumSource
    void mayLeaveAnInterruptFlagBehind(ServerKind kind) throws Exception {
        var handler = new HoldingHandler();
        var options = TestServer.options().withOnStopping(() -> Thread.currentThread().interrupt());
        try (var server = new TestServer(kind, options, handler)) {
            RawClient client = server.connect().get("/later");
            Consumer<Response> callback = handler.pending.take();
            Stopping stopping = server.beginToLeave(LONG);
            server.awaitEvent("handler_interrupt");
            callback.accept(TestServer.ok("in time"));
            assertEquals("in time", client.response().text());
            assertEquals(0, stopping.dropped());
            assertEquals(0, server.log.count("loop_interrupt"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void streamsThatEndDoNotDelayTheStop(ServerKind kind) throws Exception {
        var thread = new ArrayList<String>();
        try (var server = serve(kind, () -> {
            thread.add(Thread.currentThread().getName());
            events.close();
        })) {
            List<RawClient> clients = listen(server);
            long began = System.nanoTime();
            assertEquals(0, server.itself.stop(LONG));
            Duration time = since(began);
            assertTrue(time.compareTo(LONG.dividedBy(4)) < 0, time::toString);
            for (RawClient client : clients) {
                assertEquals("0\r\n\r\n", client.readToEnd());
            }
            assertEquals(1, thread.size(), thread::toString);
            assertTrue(server.threadNames().containsAll(thread), thread::toString);
        }
    }

    @ParameterizedTest
    @EnumSource
    void streamsThatGoOnAreDroppedAfterTheGrace(ServerKind kind) throws Exception {
        try (var server = serve(kind, calls::incrementAndGet)) {
            List<RawClient> clients = listen(server);
            long began = System.nanoTime();
            assertEquals(CLIENTS, server.itself.stop(SHORT));
            assertTrue(since(began).compareTo(SHORT) >= 0);
            for (RawClient client : clients) {
                assertEquals("", client.readUntilItFails());
            }
        }
        assertEquals(1, calls.get());
    }

    /** Of all loops, and of all that stop it. */
    @ParameterizedTest
    @EnumSource
    void hearsItOnceOfManyStops(ServerKind kind) throws Exception {
        try (var server = serve(kind, calls::incrementAndGet)) {
            listen(server);
            Stopping first = server.beginToLeave(LONG);
            server.itself.stop(SHORT);
            first.dropped();
            server.itself.stop(SHORT);
            server.join();
        }
        assertEquals(1, calls.get());
    }

    @ParameterizedTest
    @EnumSource
    void hearsOfAStopInAHandler(ServerKind kind) throws Exception {
        try (var server = serve(kind, events::close)) {
            List<RawClient> clients = listen(server);
            server.connect().get("/stop").expectOk("0");
            for (RawClient client : clients) {
                assertEquals("0\r\n\r\n", client.readToEnd());
            }
            assertNull(server.join());
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFailureIsLoggedAndTheStopGoesOn(ServerKind kind) throws Exception {
        var failure = new UnsupportedOperationException();
        try (var server = serve(kind, () -> {
            throw failure;
        })) {
            server.connect().get("/").expectOk("alive").close();
            assertEquals(0, server.itself.stop(LONG));
            assertSame(failure, server.awaitEvent("turn_error").cause());
            assertNull(server.join());
        }
    }

    /** Nobody has a stream any more, or yet. */
    @ParameterizedTest
    @EnumSource
    void hearsOfNoOtherEnd(ServerKind kind) throws Exception {
        try (var server = serve(kind, calls::incrementAndGet)) {
            listen(server);
            server.itself.stop();
            assertNull(server.join());
            server.itself.stop(LONG);
        }
        serve(kind, calls::incrementAndGet).itself.close();
        var options = TestServer.options().withOnStopping(calls::incrementAndGet);
        kind.make(options, this::handle).stop(LONG);
        assertEquals(0, calls.get());
    }
}
