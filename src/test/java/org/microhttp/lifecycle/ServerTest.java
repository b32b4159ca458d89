package org.microhttp.lifecycle;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.*;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.*;
import org.microhttp.testing.*;

/** One call runs a loop or a group on a thread of its own; futures say when it serves, and how it ended. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ServerTest {

    private static Server bound(ServerKind kind) throws IOException {
        return kind.make(TestServer.options(), TestServer::nameThread);
    }

    private static void await(CompletableFuture<Void> future) throws Exception {
        assertNull(future.get(30, TimeUnit.SECONDS));
    }

    /** {@return the reason, which the caller has to know as it was thrown} */
    private static IllegalStateException reason(CompletableFuture<Void> failed) {
        var thrown = assertThrows(ExecutionException.class, () -> failed.get(30, TimeUnit.SECONDS));
        return assertInstanceOf(IllegalStateException.class, thrown.getCause());
    }

    @ParameterizedTest
    @EnumSource
    void runsOnAThreadOfItsOwnUntilItIsClosed(ServerKind kind) throws Exception {
        CompletableFuture<Void> ended;
        try (Server server = bound(kind)) {
            ended = server.ended();
            await(server.startAsync());
            try (var client = RawClient.to(server.getAddress())) {
                String thread = client.get("/").response().text();
                assertTrue(thread.matches(kind.loops == 1 ? "microhttp" : "microhttp(-[12])?"), thread);
            }
            assertFalse(ended.isDone());
            assertFalse(server.ended().isDone());
        }
        await(ended);
    }

    /** It would wait for itself on the thread of its loop. */
    @ParameterizedTest
    @EnumSource
    void servesWhoWaitsForAResponseAsSoonAsItServes(ServerKind kind) throws Exception {
        for (int i = 0; i < 20; i++) {
            try (Server server = bound(kind)) {
                CompletableFuture<Integer> status = server.startAsync().thenApply(nothing -> {
                    try (var client = RawClient.to(server.getAddress())) {
                        return client.get("/").response().status();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
                assertEquals(200, status.get(30, TimeUnit.SECONDS));
            }
        }
    }

    /** On the thread of a loop, when each of them has one. */
    @ParameterizedTest
    @EnumSource
    void saysThatItRunsWhenAllLoopsDo(ServerKind kind) throws Exception {
        try (Server server = bound(kind)) {
            var present = new CompletableFuture<List<String>>();
            var thread = new Thread(() -> server.start(() -> present.complete(
                    TestServer.threads("microhttp").stream().map(Thread::getName).toList())), "microhttp");
            thread.start();
            List<String> names = present.get(30, TimeUnit.SECONDS);
            assertTrue(names.contains(kind.loops == 1 ? "microhttp" : "microhttp-2"), names.toString());
            server.stop();
            TestServer.join(thread);
        }
    }

    @ParameterizedTest
    @EnumSource
    void endsWhenWhatIsToldThatItRunsFails(ServerKind kind) throws Exception {
        Server server = bound(kind);
        var thrown = assertThrows(IllegalStateException.class, () -> server.start(() -> {
            throw new UnsupportedOperationException();
        }));
        assertInstanceOf(UnsupportedOperationException.class, thrown.getCause());
        assertEquals(thrown.getMessage(), reason(server.ended()).getMessage());
        Freed.bind(server.getPort());
    }

    @ParameterizedTest
    @EnumSource
    void leavesNoThread(ServerKind kind) throws Exception {
        Server server = bound(kind);
        server.startAsync();
        assertEquals(0, server.stop(Duration.ofSeconds(10)));
        await(server.ended());
        Freed.bind(server.getPort());
        // its thread has completed the future, and has nothing else to do
        for (Thread thread : TestServer.threads("microhttp")) {
            TestServer.join(thread);
        }
    }

    @ParameterizedTest
    @EnumSource
    void reportsAFailure(ServerKind kind) throws Exception {
        Server server = bound(kind);
        CompletableFuture<Void> ended = server.ended();
        await(server.startAsync());
        Inside.of(Inside.loops(server).get(0), Selector.class).close();
        assertNotNull(reason(ended).getCause());
        assertSame(reason(ended), reason(server.ended()));
        Freed.bind(server.getPort());
    }

    @ParameterizedTest
    @EnumSource
    void reportsThatItIsStartedTwice(ServerKind kind) throws Exception {
        try (Server server = bound(kind)) {
            await(server.startAsync());
            assertTrue(reason(server.startAsync()).getMessage().endsWith("starts once"));
            assertFalse(server.ended().isDone());
            try (var client = RawClient.to(server.getAddress())) {
                assertEquals(200, client.get("/").response().status());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void reportsThatItWasStoppedBefore(ServerKind kind) throws Exception {
        try (Server server = bound(kind)) {
            server.stop();
            assertFalse(server.ended().isDone());
            assertEquals("stopped before it ran", reason(server.startAsync()).getMessage());
            await(server.ended());
        }
    }

    @ParameterizedTest
    @EnumSource
    void endsWithoutAStart(ServerKind kind) throws Exception {
        Server server = bound(kind);
        CompletableFuture<Void> ended = server.ended();
        server.close();
        assertTrue(ended.isDone() && server.ended().isDone());
        assertEquals("stopped before it ran", reason(server.startAsync()).getMessage());
    }

    /** Whichever comes first, the thread or the end: no port, no thread and no future is left. */
    @ParameterizedTest
    @EnumSource
    void mayBeClosedAtOnce(ServerKind kind) throws Exception {
        for (int i = 0; i < 100; i++) {
            Server server = bound(kind);
            CompletableFuture<Void> started = server.startAsync();
            server.close();
            assertTrue(server.ended().isDone());
            await(server.ended());
            started.handle((nothing, failure) -> nothing).get(30, TimeUnit.SECONDS);
        }
    }

    /** Who cancels or completes a future changes neither the server nor what others see. */
    @ParameterizedTest
    @EnumSource
    void isNotStoppedByWhoForgetsAFuture(ServerKind kind) throws Exception {
        try (Server server = bound(kind)) {
            CompletableFuture<Void> ended = server.ended();
            server.startAsync().cancel(true);
            assertTrue(server.ended().cancel(true) && server.ended().complete(null));
            try (var client = RawClient.to(server.getAddress())) {
                assertEquals(200, client.get("/").response().status());
            }
            assertFalse(ended.isDone() || server.ended().isDone());
        }
    }

    /** What a program's test may write, to see what the program does with its server. */
    private static final class FakeServer implements Server {

        private final CountDownLatch stopped = new CountDownLatch(1);
        private final CompletableFuture<Void> end = new CompletableFuture<>();

        @Override
        public void start(Runnable running) {
            running.run();
            TestServer.await(stopped);
            end.complete(null);
        }

        @Override
        public CompletableFuture<Void> ended() {
            return end;
        }

        @Override
        public SocketAddress getAddress() {
            return InetSocketAddress.createUnresolved("fake", 1);
        }

        @Override
        public void stop() {
            stopped.countDown();
        }

        @Override
        public int stop(Duration grace) {
            return 0;
        }

        @Override
        public Stats stats() {
            return null;
        }
    }

    @Test
    void mayBeAFake() throws Exception {
        Server fake = new FakeServer();
        try (fake) {
            await(fake.startAsync());
            assertEquals(1, fake.getPort());
        }
        await(fake.ended());
    }
}
