package org.microhttp.httpserver;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsServer;
import com.sun.net.httpserver.spi.HttpServerProvider;
import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * Has {@code HttpServer.create} make servers of this library. The JDK finds this class by the service file in
 * the jar, or by the system property {@code com.sun.net.httpserver.HttpServerProvider}. Thread-safe.
 * <p>
 * A server reads these system properties when it is bound. A value that is no number, or is 0 or less, counts
 * as not set; only for {@code drainAmount} 0 or less means 0. Options are those of
 * {@link org.microhttp.Options}. A large body is one above 64 KiB or in chunks.
 * <dl>
 * <dt>{@code sun.net.httpserver.idleInterval}
 * <dd>{@code socketTimeout} in seconds; default 75 (the JDK: 30)
 * <dt>{@code sun.net.httpserver.maxReqTime}
 * <dd>{@code requestTimeout} in seconds, and the most that {@code socketTimeout} and a TLS handshake can
 *     take; default 60 for a head and a body that is not large (the JDK: no limit). If the property is set, a
 *     large body must arrive at 16 KiB a second or more, on average over each period of this length.
 * <dt>{@code sun.net.httpserver.maxRspTime}
 * <dd>{@code handlerTimeout} in seconds; default 300 (the JDK: no limit). While a large body has not arrived,
 *     the handler must not stop reading it for longer. Once the body has arrived, the handler must respond,
 *     flush, or write more than 32 KiB within the same time. Otherwise the client gets a 503. The time that a
 *     client takes to read does not count.
 * <dt>{@code sun.net.httpserver.clockTick}, {@code sun.net.httpserver.timerMillis}
 * <dd>the smaller is {@code resolution}, in milliseconds; default 100
 * <dt>{@code sun.net.httpserver.maxReqHeaders}
 * <dd>{@code maxHeaders}; default 200
 * <dt>{@code sun.net.httpserver.maxReqHeaderSize}
 * <dd>{@code maxHeaderSize}: bytes as sent; default 32 KiB, at most 1 MiB
 * <dt>{@code sun.net.httpserver.drainAmount}
 * <dd>how many bytes of an unread body are read at most, so that the connection persists; default 65,536
 * <dt>{@code jdk.httpserver.maxConnections}
 * <dd>{@code maxConnections}, at which the server stops accepting; default: no limit, with TLS 1,000
 * <dt>{@code org.microhttp.httpserver.loops}
 * <dd>event loops on the port; default 1, at most 1,024
 * <dt>{@code org.microhttp.httpserver.maxPendingRequests}
 * <dd>requests without a response, beyond which a client gets a 503; default 10,000
 * <dt>{@code org.microhttp.httpserver.maxBodySize}
 * <dd>{@code maxStreamedSize}: bytes of a request with a large body, head and chunk framing included, beyond
 *     which the client gets a 413; default: no limit
 * </dl>
 * {@code sun.net.httpserver.nodelay} is always on. {@code maxIdleConnections}, {@code debug}, {@code
 * readTimeout}, {@code writeTimeout} and {@code selCacheTimeout} have no effect.
 */
public final class MicrohttpProvider extends HttpServerProvider {

    /** Makes a provider, as the JDK does. */
    public MicrohttpProvider() {
    }

    /**
     * Makes a server.
     *
     * @param address where to listen; null to call {@code bind} later
     * @param backlog how many connections may wait to be accepted; 0 or less for 1024
     * @throws IOException if the server cannot be bound
     */
    @Override
    public HttpServer createHttpServer(InetSocketAddress address, int backlog) throws IOException {
        return bound(new PlainServer(), address, backlog);
    }

    /** Makes an HTTPS server; give it a {@code HttpsConfigurator} before you start it. */
    @Override
    public HttpsServer createHttpsServer(InetSocketAddress address, int backlog) throws IOException {
        return bound(new SecureServer(), address, backlog);
    }

    private static <S extends HttpServer> S bound(S server, InetSocketAddress address, int backlog)
            throws IOException {
        if (address != null) {
            server.bind(address, backlog);
        }
        return server;
    }
}
