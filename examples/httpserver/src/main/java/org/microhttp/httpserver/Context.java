package org.microhttp.httpserver;

import com.sun.net.httpserver.Authenticator;
import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A path and its handler, filters and authenticator. Safe for all threads. */
final class Context extends HttpContext {

    private final String path;
    private final HttpServer server;
    private final Map<String, Object> attributes = new ConcurrentHashMap<>();
    private final List<Filter> filters = new CopyOnWriteArrayList<>();
    private volatile HttpHandler handler;
    private volatile Authenticator authenticator;

    Context(String path, HttpServer server) {
        this.path = path;
        this.server = server;
    }

    @Override
    public HttpHandler getHandler() { return handler; }

    @Override
    public void setHandler(HttpHandler handler) {
        Objects.requireNonNull(handler, "handler");
        if (this.handler != null) {
            throw new IllegalArgumentException("the context has a handler already");
        }
        this.handler = handler;
    }

    @Override
    public String getPath() { return path; }

    @Override
    public HttpServer getServer() { return server; }

    @Override
    public Map<String, Object> getAttributes() { return attributes; }

    @Override
    public List<Filter> getFilters() { return filters; }

    @Override
    public Authenticator setAuthenticator(Authenticator authenticator) {
        Authenticator old = this.authenticator;
        this.authenticator = authenticator;
        return old;
    }

    @Override
    public Authenticator getAuthenticator() { return authenticator; }
}
