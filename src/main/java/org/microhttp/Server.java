package org.microhttp;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * What every server does. It has its port from its constructor on, and runs once. Any thread may call any
 * method at any time.
 */
public interface Server extends AutoCloseable {

    /**
     * Runs the server on the calling thread until it has ended: everything is closed then.
     *
     * @throws IllegalStateException if it was started before and not stopped, or fails
     */
    default void start() { start(() -> { }); }

    /**
     * Does the same.
     *
     * @param running runs once on a thread of the server, when it serves; it must not block, and what it
     *                throws ends the server
     */
    void start(Runnable running);

    /**
     * Runs the server on a new thread, a daemon if the calling one is. For example, in a test:
     * <pre>{@code
     *   try (Server server = new EventLoop(new Options().withPort(0), new NoopLogger(), handler)) {
     *       server.startAsync().join();
     *       URI uri = URI.create("http://localhost:" + server.getPort());
     *       HttpRequest request = HttpRequest.newBuilder(uri).build();
     *       HttpClient client = HttpClient.newHttpClient();
     *       assertEquals("hello", client.send(request, BodyHandlers.ofString()).body());
     *   }
     * }</pre>
     *
     * @return a future that completes when the server serves, or fails with the reason; clients may connect
     *         before
     */
    default CompletableFuture<Void> startAsync() {
        var started = new CompletableFuture<Void>();
        new Thread(() -> {
            try {
                start(() -> started.complete(null));
                // this has no effect if the server has run
                started.completeExceptionally(new IllegalStateException("stopped before it ran"));
            } catch (Throwable t) {
                started.completeExceptionally(t);
            }
        }, "microhttp").start();
        // what the caller does then may block, for example for a response of this server
        return started.whenCompleteAsync((nothing, failure) -> { });
    }

    /**
     * Tells of the end. For example, to print a failure:
     * <pre>{@code
     *   server.ended().exceptionally(failure -> {
     *       failure.printStackTrace();
     *       return null;
     *   });
     * }</pre>
     *
     * @return a new future that completes when the server has ended, or fails with what {@link #start()}
     *         throws; cancelling it stops nothing
     */
    CompletableFuture<Void> ended();

    /** {@return the port, also after the end; -1 for a Unix domain socket} */
    default int getPort() { return getAddress() instanceof InetSocketAddress inet ? inet.getPort() : -1; }

    /** {@return the address and port, or the path, also after the end} */
    SocketAddress getAddress();

    /** Makes {@link #start()} return soon, also if that is called later. This does not wait. */
    void stop();

    /**
     * Stops gracefully, as {@link EventLoop#stop(Duration)} says. For example, on SIGTERM:
     * <pre>{@code
     *   Runtime.getRuntime().addShutdownHook(new Thread(() -> server.stop(Duration.ofSeconds(20))));
     * }</pre>
     *
     * @param grace how long requests may take, 0 to 365 days
     * @return how many were dropped; 0 on a thread of the server, where the stop only begins
     * @throws IllegalArgumentException if the grace period is out of its range
     */
    int stop(Duration grace);

    /** {@return what the server has done so far} */
    Stats stats();

    /**
     * Stops as {@link #stop()} does, and returns when the server has ended, or
     * <ul>
     * <li>at once on a thread of the server, or if the waiting thread is interrupted
     * <li>after ten seconds if a handler blocks the server, with {@code leave_timeout} in the log
     * </ul>
     */
    @Override
    default void close() {
        stop();
        stop(Duration.ofSeconds(10));
    }
}
