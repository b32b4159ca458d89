package org.microhttp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.testing.*;

/**
 * R4c: {@code stop(grace)} returns at most a second after the grace, whatever a handler does, and says how
 * many requests are not answered then; also in a shutdown hook, while a handler waits for the JVM's end.
 */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class GracefulStopTimeoutTest {

    private static final Duration GRACE = Duration.ofMillis(100);

    /** It is a promise about the library, not about the machine: one of so many tries keeps it. */
    private static final int TRIES = 4;

    /** The loops have one grace: all that block are waited for at once. */
    @ParameterizedTest
    @EnumSource
    void returnsThoughHandlersBlockEachLoop(ServerKind kind) throws Exception {
        long best = Long.MAX_VALUE;
        for (int i = 0; i < TRIES && best > 1_000; i++) {
            var handler = new HoldingHandler();
            try (var server = new TestServer(kind, handler)) {
                List<RawClient> blocked = fill(server, kind.loops);
                try {
                    long began = System.nanoTime();
                    assertEquals(2 * kind.loops, server.stopGracefully(GRACE).dropped());
                    best = (System.nanoTime() - began - GRACE.toNanos()) / 1_000_000;
                    assertTrue(best >= 0, "ended " + -best + " ms before the grace was over");
                    for (int loop = 1; loop <= kind.loops; loop++) {
                        assertEquals("2", server.awaitEvent("leave_timeout", loop).value("requests"));
                    }
                } finally {
                    handler.released.countDown();
                }
                for (RawClient client : blocked) {
                    client.expectOk("/block");
                }
                server.join();
                assertEquals(kind.loops, server.itself.stop(GRACE), "dropped in the end");
            }
        }
        assertTrue(best <= 1_000, best + " ms after the grace");
    }

    /** Each loop gets one that is pending, then one that blocks it: a new one goes to the emptiest. */
    private static List<RawClient> fill(TestServer server, int loops) throws Exception {
        var blocked = new ArrayList<RawClient>();
        for (int i = 1; i <= loops; i++) {
            server.connect().get("/later");
            server.awaitEvent("read_request", i);
        }
        for (int i = 0; i < loops; i++) {
            blocked.add(server.connect());
        }
        server.awaitEvent("accept", 2 * loops);
        for (RawClient client : blocked) {
            client.get("/block");
        }
        server.awaitEvent("read_request", 2 * loops);
        return blocked;
    }

    /** One loop that blocks does not keep another from ending, and what that drops is counted too. */
    @Test
    void countsRequestsDroppedByOtherLoops() throws Exception {
        var handler = new HoldingHandler();
        try (var server = new TestServer(ServerKind.HANDING_OVER, TestServer.options(), handler, 2)) {
            server.connect().get("/later");
            handler.pending.take();
            server.connect().get("/block");
            TestServer.await(handler.blocks);
            try {
                assertEquals(2, server.stopGracefully(GRACE).dropped());
                assertEquals("1", server.awaitEvent("leave_timeout").value("requests"));
                assertEquals(1, server.log.count("leave_timeout"));
            } finally {
                handler.released.countDown();
            }
        }
    }

    /** Though its response is not read, or was given while, or just before, the handler blocked the loop. */
    @Test
    void answeredRequestsAreNotCountedAsDropped() throws Exception {
        Response large = new Response(200, List.of(), new byte[10_000_000]);
        var handler = new HoldingHandler((request, callback) -> callback.accept(large));
        try (var server = new TestServer((request, callback) -> {
            boolean blocks = request.target().equals("/block");
            if (blocks) callback.accept(large);
            handler.handle(request, blocks ? ignored -> { } : callback);
        })) {
            List<String> targets = List.of("/unread", "/later", "/later", "/block");
            for (int i = 0; i < targets.size(); i++) {
                server.connect().get(targets.get(i));
                server.awaitEvent("read_request", i + 1);
            }
            TestServer.await(handler.blocks);
            try {
                Consumer<Response> callback = handler.pending.take();
                callback.accept(large);
                callback.accept(large);
                server.stopGracefully(GRACE).dropped();
                assertEquals("1", server.awaitEvent("leave_timeout").value("requests"));
            } finally {
                handler.released.countDown();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LOOP", "GROUP"})
    @Tier.Gate
    void returnsInAShutdownHook(ServerKind kind) throws Exception {
        ServerProcess.assumePossible();
        try (var server = new ServerProcess("true", Exiting.class.getName(), "-Dkind=" + kind);
                var pending = new RawClient(server.port); var client = new RawClient(server.port)) {
            pending.get("/later");
            assertEquals("pending", server.nextLine());
            client.get("/exit");
            assertTrue(server.process.waitFor(20, TimeUnit.SECONDS), "the process ends");
            assertEquals("2 dropped", server.nextLine());
            assertEquals(3, server.process.exitValue());
        }
    }

    /** A program whose handler ends the JVM, and whose hook stops the server gracefully before. */
    static final class Exiting {

        private Exiting() {
        }

        public static void main(String[] arguments) throws IOException {
            var server = ServerKind.valueOf(System.getProperty("kind"))
                    .make(TestServer.options(), Exiting::handle);
            var hook = new Thread(() -> System.out.println(server.stop(GRACE) + " dropped"));
            Runtime.getRuntime().addShutdownHook(hook);
            new Thread(server::start).start();
            System.out.println(server.getPort());
        }

        private static void handle(Request request, Consumer<Response> callback) {
            if (request.target().equals("/exit")) {
                System.exit(3);
            }
            System.out.println("pending");
        }
    }
}
