package tls;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSession;
import org.microhttp.Logger;
import org.microhttp.Options;
import org.microhttp.Server;

/**
 * A port for TLS in front of a server of the same process. It decrypts what clients send and passes it on to
 * the server with their addresses (PROXY protocol), and encrypts what the server answers. {@link TlsServer}
 * makes both.
 * <p>
 * The server listens at a Unix domain socket in a folder that no other user may enter. Where there are none, as
 * in Windows before 2018, and with {@link TlsSettings#withLoopback}, it listens at a port of 127.0.0.1, where
 * any program of this machine could connect and claim to come from any address.
 */
public final class TlsFront implements AutoCloseable {

    /** How long after its grace a stop waits for clients to take the rest. */
    private static final long LAST_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final FrontLoop loop;
    private final InetSocketAddress address;

    /** Where the server listens; null for a port. */
    private final Path folder;

    /** Makes the server behind a front. */
    @FunctionalInterface
    public interface Maker<S extends Server> {

        /** @return a server that has just these options and this logger, and is not started */
        S make(Options options, Logger logger) throws IOException;
    }

    /**
     * A server that is still to be started, and the front before it.
     *
     * @param front null for none
     */
    public record Pair<S extends Server>(TlsFront front, S server) {

        /** Stops both; see {@link TlsFront#stop}. */
        public int stop(Duration grace) {
            return front == null ? server.stop(grace) : front.stop(server, grace);
        }
    }

    /**
     * Opens the port of the options, and has the server behind it made.
     *
     * @param options of both; they are as before when this returns
     * @param logger  of both, called by the front's threads, too
     * @throws IOException              if the port cannot be bound, or a file cannot be read
     * @throws IllegalArgumentException if the options are those of another place than a port, or of a proxy
     */
    public static <S extends Server> Pair<S> open(TlsSettings settings, Options options, Logger logger,
            Maker<S> maker) throws IOException {
        boolean port = options.unixSocket() == null && !options.inheritedSocket() && !options.proxyProtocol();
        if (!port) {
            throw new IllegalArgumentException("TLS is for a port, without the PROXY protocol");
        }
        var ends = new ExchangeEnds(logger);
        var front = new TlsFront(settings, options, logger, ends);
        try {
            S server = front.behind(options, () -> maker.make(options, ends));
            front.loop.start(server.getAddress(), server::stop);
            return new Pair<>(front, server);
        } catch (Throwable t) {
            front.close();
            throw t;
        }
    }

    private TlsFront(TlsSettings settings, Options options, Logger logger, ExchangeEnds ends)
            throws IOException {
        loop = new FrontLoop(settings, options, new Events(logger), ends);
        address = loop.address();
        folder = !settings.loopback && hasUnixSockets() ? Files.createTempDirectory("microhttp-tls-") : null;
    }

    private static boolean hasUnixSockets() throws IOException {
        try {
            ServerSocketChannel.open(StandardProtocolFamily.UNIX).close();
            return true;
        } catch (UnsupportedOperationException e) {
            return false;
        }
    }

    private interface Making<S> {
        S make() throws IOException;
    }

    /** Makes a server with other options, and sets them back. */
    private <S> S behind(Options options, Making<S> making) throws IOException {
        String host = options.host();
        int port = options.port();
        List<String> trusted = options.trustedProxies();
        try {
            options.withProxyProtocol(true);
            if (folder == null) {
                options.withHost("127.0.0.1").withPort(0).withTrustedProxies(List.of("127.0.0.0/8"));
            } else {
                // with an empty list only clients of the Unix domain socket
                options.withUnixSocket(folder.resolve("server")).withTrustedProxies(List.of());
            }
            return making.make();
        } finally {
            options.withHost(host).withPort(port).withUnixSocket(null).withProxyProtocol(false)
                    .withTrustedProxies(trusted);
        }
    }

    /** {@return where clients connect to} */
    public InetSocketAddress address() {
        return address;
    }

    /**
     * Says what was agreed with a client, its certificates for example. From any thread.
     *
     * @param client the remote address of its request
     * @return null if it has no connection any more
     */
    public SSLSession session(InetSocketAddress client) {
        TlsConnection connection = loop.ends.open.get(ProxyHeaders.name(client));
        return connection == null ? null : connection.session();
    }

    /**
     * Stops both gracefully: no more clients are accepted, handshakes are finished, the server answers what
     * has come, and clients get the rest. Not from a handler.
     *
     * @param server the one behind this front
     * @param grace  how long requests may take
     * @return how many requests were dropped
     */
    public int stop(Server server, Duration grace) {
        long until = System.nanoTime() + grace.toNanos();
        loop.execute(loop::leave);
        await(loop.settled, until);
        int dropped = server.stop(Duration.ofNanos(Math.max(0, until - System.nanoTime())));
        await(loop.emptied, until + LAST_NANOS);
        close();
        return dropped;
    }

    private static void await(CountDownLatch latch, long until) {
        try {
            boolean over = latch.await(until - System.nanoTime(), TimeUnit.NANOSECONDS);
            assert over || until - System.nanoTime() < 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Closes the port and all connections at once. The server is closed before, or after. */
    @Override
    public void close() {
        try {
            loop.end();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        try {
            if (folder != null) {
                Files.deleteIfExists(folder.resolve("server"));
                Files.deleteIfExists(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
