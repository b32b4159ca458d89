package org.microhttp.faults.tools;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.microhttp.EventLoop;
import org.microhttp.Handler;
import org.microhttp.NoopLogger;
import org.microhttp.Options;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.Stats;
import org.microhttp.tools.Heap;
import org.microhttp.tools.Orders;
import org.microhttp.tools.TestServer;

/**
 * A server whose handler fails where it is asked to, for {@code ServerProcess}. It answers with the target,
 * so that an answer can be told from another. On its standard input "heap" prints the live heap after full
 * collections, "direct" what direct buffers have, anything else how many connections are open, and how many
 * there were.
 */
public final class FaultServer {

    /** The name of the server's program. */
    public static final String MAIN = FaultServer.class.getName();

    /** Targets at which the handler fails, each in a way of its own. */
    public static final List<String> FAILING = List.of("/throw", "/error", "/null", "/twice", "/never",
            "/stall");

    /** As many threads as are stalled at most by what one load sends, so that no queue of them is kept. */
    private static final int STALLED = 64;

    private static final long STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final Response large = new Response(200, "OK", List.of(), new byte[8 << 20]);
    private final Handler stalling;
    private final EventLoop loop;

    private FaultServer() throws IOException {
        var threads = Executors.newFixedThreadPool(STALLED);
        stalling = Handler.blocking(threads, request -> {
            LockSupport.parkNanos(STALL_NANOS);
            return TestServer.ok("late");
        });
        var silence = Duration.ofSeconds(Integer.getInteger("socketTimeout", 15));
        var options = new Options().withHost(System.getProperty("host", "127.0.0.1")).withPort(0)
                .withAcceptLength(16_384).withSendBufferSize(16_384).withSocketTimeout(silence)
                .withHandlerTimeout(silence);
        options.withProxyProtocol(Boolean.getBoolean("proxy"));
        if (System.getProperty("unix") != null) {
            options.withUnixSocket(Path.of(System.getProperty("unix")));
        }
        loop = new EventLoop(options, new NoopLogger(), this::handle);
    }

    public static void main(String[] arguments) throws Exception {
        var server = new FaultServer();
        System.out.println(server.loop.getPort());
        Orders.answer(line -> switch (line) {
            case "heap" -> Heap.live();
            case "direct" -> Heap.direct();
            default -> server.counts();
        });
        server.loop.start();
    }

    private void handle(Request request, Consumer<Response> callback) {
        switch (request.uri()) {
            case "/large" -> callback.accept(large);
            case "/throw" -> throw new IllegalStateException("on purpose");
            case "/error" -> throw new StackOverflowError("on purpose");
            case "/null" -> callback.accept(null);
            case "/never" -> { }
            case "/stall" -> stalling.handle(request, callback);
            default -> {
                TestServer.echoTarget(request, callback);
                if (request.uri().equals("/twice")) {
                    TestServer.echoTarget(request, callback);
                }
            }
        }
    }

    private String counts() {
        Stats stats = loop.stats();
        return stats.connections() + " " + stats.accepted();
    }
}
