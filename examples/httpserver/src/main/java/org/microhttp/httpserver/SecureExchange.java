package org.microhttp.httpserver;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpPrincipal;
import com.sun.net.httpserver.HttpsExchange;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import javax.net.ssl.SSLSession;

/** An exchange over TLS, of the JDK's class for these. */
final class SecureExchange extends HttpsExchange {

    private final Exchange exchange;
    private final SSLSession session;

    /** @param session null if the client is gone already */
    SecureExchange(Exchange exchange, SSLSession session) {
        this.exchange = exchange;
        this.session = session;
    }

    @Override
    public SSLSession getSSLSession() { return session; }

    @Override
    public Headers getRequestHeaders() { return exchange.getRequestHeaders(); }

    @Override
    public Headers getResponseHeaders() { return exchange.getResponseHeaders(); }

    @Override
    public URI getRequestURI() { return exchange.getRequestURI(); }

    @Override
    public String getRequestMethod() { return exchange.getRequestMethod(); }

    @Override
    public HttpContext getHttpContext() { return exchange.getHttpContext(); }

    @Override
    public void close() {
        exchange.close();
    }

    @Override
    public InputStream getRequestBody() { return exchange.getRequestBody(); }

    @Override
    public OutputStream getResponseBody() { return exchange.getResponseBody(); }

    @Override
    public void sendResponseHeaders(int status, long length) throws IOException {
        exchange.sendResponseHeaders(status, length);
    }

    @Override
    public InetSocketAddress getRemoteAddress() { return exchange.getRemoteAddress(); }

    @Override
    public int getResponseCode() { return exchange.getResponseCode(); }

    @Override
    public InetSocketAddress getLocalAddress() { return exchange.getLocalAddress(); }

    @Override
    public String getProtocol() { return exchange.getProtocol(); }

    @Override
    public Object getAttribute(String name) {
        return exchange.getAttribute(name);
    }

    @Override
    public void setAttribute(String name, Object value) {
        exchange.setAttribute(name, value);
    }

    @Override
    public void setStreams(InputStream input, OutputStream output) {
        exchange.setStreams(input, output);
    }

    @Override
    public HttpPrincipal getPrincipal() { return exchange.getPrincipal(); }
}
