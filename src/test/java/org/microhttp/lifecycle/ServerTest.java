package org.microhttp.lifecycle;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.*;
import org.microhttp.testing.*;

/** One call runs a loop or a group on a thread of its own, and reports how it ended. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ServerTest {

    private static Server bound(ServerKind kind) throws IOException {
        return kind.make(TestServer.options(), TestServer::nameThread);
    }

    @ParameterizedTest
    @EnumSource
    void runsOnAThreadOfItsOwnUntilItIsClosed(ServerKind kind) throws Exception {
        CompletableFuture<Void> ended;
        try (Server server = bound(kind)) {
            ended = server.startAsync();
            try (var client = RawClient.to(server.getAddress())) {
                String thread = client.get("/").response().text();
                assertTrue(thread.matches(kind.loops == 1 ? "microhttp" : "microhttp(-[12])?"), thread);
            }
            assertFalse(ended.isDone());
        }
        ended.get(30, TimeUnit.SECONDS);
        assertNull(ended.join());
    }

    @ParameterizedTest
    @EnumSource
    void leavesNoThread(ServerKind kind) throws Exception {
        Server server = bound(kind);
        CompletableFuture<Void> ended = server.startAsync();
        assertEquals(0, server.stop(Duration.ofSeconds(10)));
        ended.get(30, TimeUnit.SECONDS);
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
        CompletableFuture<Void> ended = server.startAsync();
        Inside.of(Inside.loops(server).get(0), Selector.class).close();
        var thrown = assertThrows(ExecutionException.class, () -> ended.get(30, TimeUnit.SECONDS));
        assertInstanceOf(IllegalStateException.class, thrown.getCause());
        assertNotNull(thrown.getCause().getCause());
        Freed.bind(server.getPort());
    }

    @ParameterizedTest
    @EnumSource
    void reportsThatItIsStartedTwice(ServerKind kind) throws Exception {
        try (Server server = bound(kind)) {
            List<CompletableFuture<Void>> both = List.of(server.startAsync(), server.startAsync());
            Object first = CompletableFuture.anyOf(both.toArray(CompletableFuture[]::new))
                    .handle((nothing, failure) -> failure).get(30, TimeUnit.SECONDS);
            assertInstanceOf(IllegalStateException.class,
                    assertInstanceOf(CompletionException.class, first).getCause());
            try (var client = RawClient.to(server.getAddress())) {
                assertEquals(200, client.get("/").response().status());
            }
        }
    }

    /** Whichever comes first, the thread or the end: no port, no thread and no future is left. */
    @ParameterizedTest
    @EnumSource
    void mayBeClosedAtOnce(ServerKind kind) throws Exception {
        for (int i = 0; i < 100; i++) {
            CompletableFuture<Void> ended;
            try (Server server = bound(kind)) {
                ended = server.startAsync();
            }
            ended.get(30, TimeUnit.SECONDS);
        }
    }

    @ParameterizedTest
    @EnumSource
    void isNotStoppedByWhoForgetsTheFuture(ServerKind kind) throws Exception {
        try (Server server = bound(kind)) {
            assertTrue(server.startAsync().cancel(true));
            try (var client = RawClient.to(server.getAddress())) {
                assertEquals(200, client.get("/").response().status());
            }
        }
    }
}
