package org.microhttp.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.microhttp.EventLoop;
import org.microhttp.Handler;
import org.microhttp.Header;
import org.microhttp.NoopLogger;
import org.microhttp.Options;
import org.microhttp.Response;

/**
 * The server that concurrency is measured against: answers each request after a second, from one other
 * thread, so that as many requests are open as there are connections. With {@code --reuse-port} several of
 * these share a port, where one process may not open files enough. Runs until it is killed.
 */
public final class ConcurrencyServer {

    private static final String USAGE = """
            usage: ConcurrencyServer [--host NAME] [--port N] [--delay MILLIS] [--reuse-port]
              --host NAME     where to listen, default 127.0.0.1
              --port N        0 to 65535, default 8080; 0 takes a free port
              --delay MILLIS  how long an answer takes, default 1000
              --reuse-port    share the port with others that were started so""";

    /** Clients come in bursts; the kernel may cut it down (net.core.somaxconn). */
    private static final int BACKLOG = 16_384;

    private static final Response HELLO = new Response(200, "OK",
            List.of(new Header("Content-Type", "text/plain")),
            "hello world\n".getBytes(StandardCharsets.US_ASCII));

    private record Waiting(long dueNanos, Consumer<Response> callback) { }

    private ConcurrencyServer() { }

    public static void main(String[] args) throws IOException {
        String host = "127.0.0.1";
        int port = 8080, delay = 1000;
        boolean reusePort = false;
        for (int i = 0; i < args.length; i++) {
            boolean number = i + 1 < args.length && args[i + 1].matches("[0-9]{1,5}");
            if (args[i].equals("--reuse-port")) {
                reusePort = true;
            } else if (i + 1 < args.length && args[i].equals("--host")) {
                host = args[++i];
            } else if (number && args[i].equals("--port")) {
                port = Integer.parseInt(args[++i]);
            } else if (number && args[i].equals("--delay")) {
                delay = Integer.parseInt(args[++i]);
            } else {
                System.err.println(USAGE);
                System.exit(2);
            }
        }
        Options options = new Options().withHost(host).withPort(port).withReusePort(reusePort)
                .withAcceptLength(BACKLOG);
        try (EventLoop loop = new EventLoop(options, new NoopLogger(), delaying(delay))) {
            System.out.println("listening on " + host + ":" + loop.getPort());
            loop.start();
        }
    }

    /** All wait equally long, so a queue does what a timer would, and costs the same for any number. */
    private static Handler delaying(int millis) {
        BlockingQueue<Waiting> queue = new LinkedBlockingQueue<>();
        Thread thread = new Thread(() -> answer(queue), "answers");
        thread.setDaemon(true);
        thread.start();
        long nanos = millis * 1_000_000L;
        return (request, callback) -> queue.add(new Waiting(System.nanoTime() + nanos, callback));
    }

    private static void answer(BlockingQueue<Waiting> queue) {
        try {
            while (true) {
                Waiting next = queue.take();
                long nanos = next.dueNanos - System.nanoTime();
                if (nanos > 0) Thread.sleep(nanos / 1_000_000, (int) (nanos % 1_000_000));
                next.callback.accept(HELLO);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts this", e);
        }
    }
}
