package org.microhttp.lifecycle;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.SubmissionPublisher;
import java.util.function.Consumer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.*;
import org.microhttp.*;
import org.microhttp.testing.*;

/** A program is called when a graceful stop begins, and may end what else would last until its end. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class OnStoppingTest {

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final int CLIENTS = 9;

    /** How a server with open streams is stopped, and how often the program is called for it. */
    enum End {

        GRACE(1), IN_HANDLER(1), TWO_GRACES(1), STOP(0), CLOSE(0), NEVER_STARTED(0);

        private final int calls;

        End(int calls) {
            this.calls = calls;
        }

        private void end(TestServer server) throws Exception {
            switch (this) {
                case GRACE -> assertEquals(0, server.itself.stop(LONG));
                case IN_HANDLER -> server.connect().get("/run").expectOk("/run");
                case TWO_GRACES -> {
                    PendingStop first = server.beginGracefulStop(LONG);
                    assertEquals(0, server.itself.stop(SHORT));
                    first.dropped();
                }
                case STOP -> server.itself.stop();
                default -> server.itself.close();
            }
        }
    }

    private final SubmissionPublisher<ByteBuffer> events = new SubmissionPublisher<>(Runnable::run, 8);
    private final HoldingHandler handler = new HoldingHandler(this::handle);
    private final List<String> threads = new ArrayList<>();

    private void handle(Request request, Consumer<Response> callback) {
        if (request.path().equals("/events")) {
            callback.accept(new Response(200, List.of(), Body.of(events).withHeadAtOnce()));
        } else {
            TestServer.echoTarget(request, callback);
        }
    }

    private static List<Arguments> ends() {
        return ServerKind.with((Object[]) End.values());
    }

    private void onStopping() {
        threads.add(Thread.currentThread().getName());
        events.close();
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

    /** Once, on the thread of one of the loops; then the streams that it ends do not delay the stop. */
    @ParameterizedTest
    @MethodSource("ends")
    void isCalledOnceInAGracefulStop(ServerKind kind, End end) throws Exception {
        Options options = TestServer.options().withOnStopping(this::onStopping);
        if (end == End.NEVER_STARTED) {
            assertEquals(0, kind.make(options, handler).stop(LONG));
        } else {
            try (var server = new TestServer(kind, options, handler)) {
                handler.task = () -> assertEquals(0, server.itself.stop(LONG));
                List<RawClient> clients = listen(server);
                long began = System.nanoTime();
                end.end(server);
                for (RawClient client : clients) {
                    assertEquals(end.calls > 0 ? "0\r\n\r\n" : "", client.readUntilItFails());
                }
                assertNull(server.join());
                assertTrue(System.nanoTime() - began < LONG.toNanos(), "it waits for its grace");
                server.itself.stop(LONG);
                assertTrue(server.threadNames().containsAll(threads), threads::toString);
            }
        }
        assertEquals(end.calls, threads.size());
    }

    @ParameterizedTest
    @EnumSource
    void streamsThatGoOnAreDroppedAfterTheGrace(ServerKind kind) throws Exception {
        try (var server = new TestServer(kind, handler)) {
            List<RawClient> clients = listen(server);
            long began = System.nanoTime();
            assertEquals(CLIENTS, server.itself.stop(SHORT));
            assertTrue(System.nanoTime() - began >= SHORT.toNanos());
            for (RawClient client : clients) {
                assertEquals("", client.readUntilItFails());
            }
        }
    }

    /** Nor does an interrupt flag that it leaves, which would turn the graceful stop into one at once. */
    @ParameterizedTest
    @EnumSource
    void aFailureOfItDoesNotEndTheGrace(ServerKind kind) throws Exception {
        var failure = new UnsupportedOperationException();
        var options = TestServer.options().withOnStopping(() -> {
            Thread.currentThread().interrupt();
            throw failure;
        });
        try (var server = new TestServer(kind, options, handler)) {
            RawClient client = server.connect().get("/later");
            Consumer<Response> callback = handler.pending.take();
            PendingStop stopping = server.beginGracefulStop(LONG);
            server.awaitEvent("handler_interrupt");
            assertSame(failure, server.awaitEvent("turn_error").cause());
            callback.accept(TestServer.ok("in time"));
            assertEquals("in time", client.response().text());
            assertEquals(0, stopping.dropped());
            assertEquals(0, server.log.count("loop_interrupt"));
            assertNull(server.join());
        }
    }
}
