package org.microhttp.extras.testserver;

import static org.junit.jupiter.api.Assertions.*;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.microhttp.*;
import org.microhttp.testing.*;

/** Nothing of a server is left after its end, whatever its clients wait for; a failure is not kept silent. */
@Tier.Gate
@Timeout(60)
final class TestServerEndTest {

    private static final int CLIENTS = 60;
    private static final Duration DAY = Duration.ofDays(1);
    private static final Response LARGE = Response.of(200, "x/y", new byte[16 << 20]);

    private static List<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("test-server-")).toList();
    }

    /** A thread of an executor that has ended may be in its last lines. */
    private static void assertNoThreads(List<Thread> before) throws InterruptedException {
        for (Thread thread : threads()) {
            if (!before.contains(thread)) {
                thread.join(20_000);
                assertFalse(thread.isAlive(), "" + thread);
            }
        }
    }

    static Stream<Response> answers() {
        return Stream.of(Response.of(204), LARGE, Fault.never(), Fault.stall(LARGE, 9),
                Fault.cut(LARGE, 16 << 20), Fault.delay(LARGE, DAY), Fault.drip(LARGE, 1, DAY),
                Fault.delay(Fault.reset(), DAY));
    }

    /** The clients neither read nor end. */
    @ParameterizedTest
    @MethodSource("answers")
    void nothingIsLeft(Response answer) throws Exception {
        List<Thread> before = threads();
        List<RawClient> clients = new ArrayList<>();
        int port;
        long descriptors = Leaks.descriptors();
        try (var server = TestServer.start(Handler.of(request -> answer))) {
            port = server.getPort();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(new RawClient(port).get("/"));
                server.takeRequest(Duration.ofSeconds(20));
            }
        }
        for (RawClient client : clients) {
            client.close();
        }
        assertNoThreads(before);
        Leaks.bind(port);
        Leaks.assertDescriptors(descriptors);
    }

    /** Also before the end, what clients have left is not kept. */
    @Test
    void clientsThatLeaveTakeNothingWithThem() throws Exception {
        try (var server = TestServer.start(Handler.of(request -> Fault.never()))) {
            for (int i = 0; i < 3 * Relay.MAX_CONNECTIONS; i++) {
                var client = new RawClient(server.getPort()).get("/");
                server.takeRequest(Duration.ofSeconds(20));
                if (i % 2 == 0) {
                    client.reset();
                } else {
                    client.close();
                }
            }
            server.verify();
        }
    }

    @Test
    void closeReportsAServerThatEndedEarlier() throws Exception {
        var loop = new CompletableFuture<Thread>();
        var server = TestServer.start(Handler.of(request -> {
            loop.complete(Thread.currentThread());
            return Response.of(204);
        }));
        try (var client = new RawClient(server.getPort())) {
            client.get("/").response();
            loop.get().interrupt();
            client.readUntilItFails();
            awaitEnd(loop.get());
        }
        assertEquals("the server ended before it was closed",
                assertThrows(IllegalStateException.class, server::close).getMessage());
    }

    private static void awaitEnd(Thread thread) throws InterruptedException {
        // the executor may use the thread for another task
        while (List.of(thread.getStackTrace()).toString().contains("EventLoop")) {
            Thread.onSpinWait();
        }
    }

    @Test
    void closeReportsABlockingHandler() throws Exception {
        var blocks = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        var server = TestServer.start(Handler.of(request -> {
            blocks.countDown();
            go.await();
            return Response.of(204);
        }));
        try (var client = new RawClient(server.getPort())) {
            client.get("/");
            blocks.await();
            assertEquals("the server does not end: a handler blocks its event loop",
                    assertThrows(IllegalStateException.class, server::close).getMessage());
        } finally {
            go.countDown();
        }
    }
}
