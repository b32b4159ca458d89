package tls;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.microhttp.EventLoop;
import org.microhttp.Handler;
import org.microhttp.Logger;
import org.microhttp.Options;
import org.microhttp.Stats;

/**
 * An HTTPS server in one call:
 * <pre>{@code
 *   TlsSettings tls = TlsSettings.ofPem(Path.of("certificate.pem"), Path.of("key.pem"));
 *   new TlsServer(new Options().withPort(8443), logger, handler, tls).start();
 * }</pre>
 * It is an {@link EventLoop} behind a {@link TlsFront}, which has two threads of its own.
 */
public final class TlsServer implements AutoCloseable {

    private final TlsFront front;
    private final EventLoop loop;

    /**
     * Binds.
     *
     * @param options of the server; the port is that for TLS
     * @param logger  where events go, called by the loop's thread and the front's
     * @param handler called by the loop's thread
     * @throws IOException              if the port cannot be bound, or a file cannot be read
     * @throws IllegalArgumentException if the options are those of another place than a port, or of a proxy
     */
    public TlsServer(Options options, Logger logger, Handler handler, TlsSettings tls) throws IOException {
        TlsFront.Pair<EventLoop> pair = TlsFront.open(tls, options, logger,
                (given, around) -> new EventLoop(given, around, handler));
        front = pair.front();
        loop = pair.server();
    }

    /** Serves on the calling thread until it is stopped, as {@link EventLoop#start} does. */
    public void start() {
        try {
            loop.start();
        } finally {
            front.close();
        }
    }

    /** Serves on a new thread; see {@link EventLoop#startAsync}. */
    public CompletableFuture<Void> startAsync() {
        return CompletableFuture.runAsync(this::start, task -> new Thread(task, "microhttp").start());
    }

    public InetSocketAddress getAddress() {
        return front.address();
    }

    public int getPort() {
        return front.address().getPort();
    }

    public Stats stats() {
        return loop.stats();
    }

    /** Makes {@link #start} return soon. From any thread. */
    public void stop() {
        loop.stop();
    }

    /** Stops gracefully, see {@link TlsFront#stop}, and says how many requests were dropped. */
    public int stop(Duration grace) {
        return front.stop(loop, grace);
    }

    /** Stops, and returns when the port is free. Not from a handler. */
    @Override
    public void close() {
        stop(Duration.ZERO);
        loop.close();
    }
}
