package org.microhttp.httpserver;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsServer;
import com.sun.net.httpserver.spi.HttpServerProvider;
import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * Has {@code HttpServer.create} make servers of this library. The JDK finds it by the service file in the
 * jar, or by the system property {@code com.sun.net.httpserver.HttpServerProvider}. From any thread.
 */
public final class MicrohttpProvider extends HttpServerProvider {

    /** Makes one, as the JDK does. */
    public MicrohttpProvider() {
    }

    /**
     * Makes a server.
     *
     * @param address where to listen; null to call {@code bind} later
     * @param backlog how many connections may wait to be accepted; 0 or less for 1024
     */
    @Override
    public HttpServer createHttpServer(InetSocketAddress address, int backlog) throws IOException {
        return bound(new PlainServer(), address, backlog);
    }

    /** Makes a server of HTTPS; the program gives it a {@code HttpsConfigurator} before it is started. */
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
