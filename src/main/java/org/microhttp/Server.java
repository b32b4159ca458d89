package org.microhttp;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * What an {@link EventLoop} and an {@link EventLoopGroup} have in common, for programs and tests that take
 * either. A server has its port from its constructor on. It runs once, on the thread that calls {@link
 * #start} or on one that {@link #startAsync} makes. All other methods may be called from any thread, also
 * before it runs and after it has ended.
 */
public interface Server extends AutoCloseable {

    /**
     * Runs the server on the calling thread, and returns when it has ended. By then every connection, the
     * port and every descriptor are closed.
     *
     * @throws IllegalStateException if it was started before and not stopped since; or if it failed, with
     *                               the failure as the cause
     */
    void start();

    /**
     * Runs {@link #start} on a new thread named {@code microhttp}, and returns at once. The thread is a
     * daemon if the calling one is. For example, a test:
     * <pre>{@code
     *   Options options = new Options().withPort(0);
     *   try (Server server = new EventLoop(options, new NoopLogger(), handler)) {
     *       server.startAsync();
     *       URI uri = URI.create("http://localhost:" + server.getPort());
     *       HttpRequest request = HttpRequest.newBuilder(uri).build();
     *       HttpClient client = HttpClient.newHttpClient();
     *       assertEquals("hello", client.send(request, BodyHandlers.ofString()).body());
     *   }
     * }</pre>
     * A failed loop is also logged as {@code loop_error}. To have any failure reported:
     * <pre>{@code
     *   server.startAsync().exceptionally(failure -> {
     *       failure.printStackTrace();
     *       return null;
     *   });
     * }</pre>
     * Clients may connect as soon as the constructor has returned; they are served when the thread runs. A
     * server stopped before that is closed as one that was never started.
     *
     * @return a future that completes when the server has ended. If the server failed, {@code join} throws a
     *         {@link java.util.concurrent.CompletionException} whose cause is what {@code start} has thrown.
     *         Cancelling the future does not stop the server
     */
    default CompletableFuture<Void> startAsync() {
        // this returns a copy, because cancelling the original before its thread runs would keep it from
        // running
        return CompletableFuture.runAsync(this::start, task -> new Thread(task, "microhttp").start()).copy();
    }

    /** {@return the port listened on, also after the server has ended; -1 for a Unix domain socket} */
    default int getPort() { return getAddress() instanceof InetSocketAddress inet ? inet.getPort() : -1; }

    /** {@return the address and port listened on, or the path, also after the server has ended} */
    SocketAddress getAddress();

    /**
     * Makes {@link #start} return soon, also if it is called later. No more requests are taken. Responses
     * given before are still written, as far as the sockets take them at once. It only signals: to know that
     * the port is free, wait for the thread that runs {@code start}, or call {@link #close}.
     */
    void stop();

    /**
     * Stops gracefully: drops no request if the grace period suffices, as {@link EventLoop#stop(Duration)}
     * describes. For example, on SIGTERM:
     * <pre>{@code
     *   Runtime.getRuntime().addShutdownHook(new Thread(() -> server.stop(Duration.ofSeconds(20))));
     * }</pre>
     *
     * @param grace how long requests may take, 0 to 365 days; then the rest is dropped
     * @return how many requests were dropped; 0 on a thread of the server, where the stop only begins
     * @throws IllegalArgumentException if the grace period is out of its range
     */
    int stop(Duration grace);

    /**
     * Returns what the server has done so far. For example:
     * <pre>{@code
     *   Stats stats = server.stats();
     *   gauge("connections", stats.connections());
     *   gauge("overload", stats.refusals().getOrDefault("overload", 0L));
     * }</pre>
     *
     * @return a snapshot; of a group the sum of its loops
     */
    Stats stats();

    /**
     * Stops as {@link #stop()} does, and returns when the server has ended and the port is free. On a thread
     * of the server, or if the waiting thread is interrupted, it returns at once. If a handler keeps the
     * server from ending, it returns after ten seconds and logs {@code leave_timeout}. A server that was
     * never started is closed.
     */
    @Override
    default void close() {
        stop();
        stop(Duration.ofSeconds(10));
    }
}
