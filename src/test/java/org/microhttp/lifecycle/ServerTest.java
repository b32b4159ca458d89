package org.microhttp.lifecycle;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.*;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.Server;
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

    private static String ask(Server server) {
        try (var client = RawClient.to(server.getAddress())) {
            return client.get("/").response().text();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
            String thread = ask(server);
            assertTrue(thread.matches(kind.loops == 1 ? "microhttp" : "microhttp(-[12])?"), thread);
            assertFalse(ended.isDone());
        }
        await(ended);
        // its threads have completed the future, and have nothing else to do
        for (Thread thread : TestServer.threads("microhttp")) {
            TestServer.join(thread);
        }
    }

    /** A caller that continues when it serves does not do so on the thread of its loop. */
    @ParameterizedTest
    @EnumSource
    void aCallerMayWaitForAResponseAsSoonAsItServes(ServerKind kind) throws Exception {
        for (int i = 0; i < 20; i++) {
            try (Server server = bound(kind)) {
                CompletableFuture<String> answer = server.startAsync().thenApply(nothing -> ask(server));
                assertTrue(answer.get(30, TimeUnit.SECONDS).startsWith("microhttp"));
            }
        }
    }

    /** The action runs on the thread of a loop, when each of them has one. */
    @ParameterizedTest
    @EnumSource
    void itsActionRunsWhenAllLoopsDo(ServerKind kind) throws Exception {
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
    void endsWhenItsActionFails(ServerKind kind) throws Exception {
        Server server = bound(kind);
        var thrown = assertThrows(IllegalStateException.class, () -> server.start(() -> {
            throw new UnsupportedOperationException();
        }));
        assertInstanceOf(UnsupportedOperationException.class, thrown.getCause());
        assertEquals(thrown.getMessage(), reason(server.ended()).getMessage());
        Leaks.bind(server.getPort());
    }

    /** Nor does a future that its owner cancels or completes end it, or change what others see. */
    @ParameterizedTest
    @EnumSource
    void aSecondStartDoesNotEndIt(ServerKind kind) throws Exception {
        try (Server server = bound(kind)) {
            CompletableFuture<Void> ended = server.ended();
            server.startAsync().cancel(true);
            ask(server);
            assertThrows(IllegalStateException.class, server::start);
            assertTrue(reason(server.startAsync()).getMessage().endsWith("starts once"));
            assertTrue(server.ended().cancel(true) && server.ended().complete(null));
            ask(server);
            assertFalse(ended.isDone() || server.ended().isDone());
        }
    }

    @ParameterizedTest
    @EnumSource
    void aStopBeforeItRunsIsReported(ServerKind kind) throws Exception {
        try (Server server = bound(kind)) {
            server.stop();
            assertFalse(server.ended().isDone());
            assertEquals("stopped before it ran", reason(server.startAsync()).getMessage());
            await(server.ended());
        }
    }

    /** Whichever comes first, the thread or the end: no future is left. */
    @ParameterizedTest
    @EnumSource
    void mayBeClosedAtOnce(ServerKind kind) throws Exception {
        for (int i = 0; i < 100; i++) {
            Server server = bound(kind);
            CompletableFuture<Void> started = server.startAsync();
            assertEquals(0, server.stop(Duration.ofSeconds(10)));
            assertTrue(server.ended().isDone());
            await(server.ended());
            started.handle((nothing, failure) -> nothing).get(30, TimeUnit.SECONDS);
        }
    }
}
