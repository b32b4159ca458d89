package org.microhttp;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A server: its constructor binds the port, and it runs once. Any thread may call any method. */
public interface Server extends AutoCloseable {

    /**
     * Runs the server on this thread; returns when everything is closed.
     *
     * @throws IllegalStateException if it was started before and not stopped, or fails
     */
    default void start() { start(() -> { }); }

    /**
     * Does the same as {@link #start()}.
     *
     * @param running called once by a thread of the server, when it serves; must not block. What it
     *                throws ends the server
     */
    void start(Runnable running);

    /**
     * Runs the server on a new thread, a daemon if the calling one is. In a test:
     * <pre>{@code
     *   try (Server server = new EventLoop(new Options().withPort(0), handler)) {
     *       server.startAsync().join();
     *       URI uri = URI.create("http://localhost:" + server.getPort());
     *       assertEquals("hello", new String(uri.toURL().openStream().readAllBytes()));
     *   }
     * }</pre>
     *
     * @return a future that completes when the server serves, or fails with the reason
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
        // the caller's next stages may block, for example for a response of this server
        return started.whenCompleteAsync((nothing, failure) -> { });
    }

    /**
     * {@return a new future that completes when the server has ended, or fails as {@link #start()} does;
     * cancelling it stops nothing}
     */
    CompletableFuture<Void> ended();

    /** {@return the port; -1 for a Unix domain socket} */
    default int getPort() { return getAddress() instanceof InetSocketAddress inet ? inet.getPort() : -1; }

    /** {@return the address and port listened on, or the path of the Unix domain socket} */
    SocketAddress getAddress();

    /** Makes {@link #start()} return soon, also if that is called later. Does not wait. */
    void stop();

    /**
     * Stops gracefully, see {@link EventLoop#stop(Duration)}. On SIGTERM:
     * <pre>{@code
     *   Runtime.getRuntime().addShutdownHook(new Thread(() -> server.stop(Duration.ofSeconds(20))));
     * }</pre>
     *
     * @param grace how long requests may take, 0 to 365 days
     * @return how many requests were dropped; 0 on a thread of the server, where the stop only begins
     * @throws IllegalArgumentException if the grace is out of its range
     */
    int stop(Duration grace);

    /** {@return what the server has done so far} */
    Stats stats();

    /**
     * Does {@link #stop()}, and returns
     * <ul>
     * <li>when the server has ended
     * <li>at once on a thread of the server, or if interrupted
     * <li>after ten seconds if a handler blocks the server, and logs {@code leave_timeout}
     * </ul>
     */
    @Override
    default void close() {
        stop();
        stop(Duration.ofSeconds(10));
    }
}
