package org.microhttp.faults.tools;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.microhttp.EventLoop;
import org.microhttp.NoopLogger;
import org.microhttp.Occupancy;
import org.microhttp.Options;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.Stats;
import org.microhttp.tools.Orders;
import org.microhttp.tools.TestServer;

/**
 * A server that says what it keeps, for {@link ServerProcess}: "heap" prints the live heap after full
 * collections, "counts" what the budget counts, what was read, and how many connections are open and requests
 * were refused. "answer" answers the requests that wait.
 */
public final class HostileServer {

    private final Response ok = TestServer.ok("ok");
    private final Response medium = new Response(200, "OK", List.of(), new byte[1_000]);
    private final Response large = new Response(200, "OK", List.of(), new byte[1 << 20]);
    private final Queue<Consumer<Response>> waiting = new ConcurrentLinkedQueue<>();
    private final EventLoop loop;
    private final Occupancy occupied;

    private HostileServer() throws IOException, ReflectiveOperationException {
        var options = new Options().withHost("127.0.0.1").withPort(0).withSendBufferSize(4096);
        loop = new EventLoop(options, new NoopLogger(), this::handle);
        occupied = new Occupancy(loop);
    }

    public static void main(String[] arguments) throws Exception {
        var server = new HostileServer();
        System.out.println(server.loop.getPort());
        Orders.answer(server::obey);
        server.loop.start();
    }

    private void handle(Request request, Consumer<Response> callback) {
        String target = request.uri();
        if (target.startsWith("/pending")) {
            waiting.add(callback);
        } else {
            callback.accept(target.equals("/large") ? large : target.equals("/medium") ? medium : ok);
        }
    }

    private Object obey(String line) {
        return switch (line) {
            case "heap" -> liveHeap();
            case "answer" -> answer();
            default -> counts();
        };
    }

    private int answer() {
        int count = 0;
        for (Consumer<Response> callback; (callback = waiting.poll()) != null; count++) {
            callback.accept(ok);
        }
        return count;
    }

    private String counts() {
        Stats stats = loop.stats();
        long refused = stats.refusals().values().stream().mapToLong(n -> n).sum();
        return occupied.bytes() + " " + stats.bytesIn() + " " + stats.connections() + " " + refused;
    }

    /** What a full collection left, whatever was allocated since; the collector has to compact each time. */
    private static long liveHeap() {
        System.gc();
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .mapToLong(pool -> pool.getCollectionUsage().getUsed()).sum();
    }
}
