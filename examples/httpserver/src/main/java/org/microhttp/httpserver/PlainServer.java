package org.microhttp.httpserver;

import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;

/** An HTTP server, as the JDK's class describes it. Thread-safe. */
final class PlainServer extends HttpServer {

    private final Serving serving = new Serving(this, null);

    @Override
    public void bind(InetSocketAddress address, int backlog) throws IOException {
        serving.bind(address, backlog);
    }

    @Override
    public void start() {
        serving.start();
    }

    @Override
    public void setExecutor(Executor executor) {
        serving.setExecutor(executor);
    }

    @Override
    public Executor getExecutor() { return serving.executor(); }

    @Override
    public void stop(int delay) {
        serving.stop(delay);
    }

    @Override
    public HttpContext createContext(String path, HttpHandler handler) {
        HttpContext context = serving.contexts().add(path);
        context.setHandler(handler);
        return context;
    }

    @Override
    public HttpContext createContext(String path) {
        return serving.contexts().add(path);
    }

    @Override
    public void removeContext(String path) {
        serving.contexts().remove(path);
    }

    @Override
    public void removeContext(HttpContext context) {
        serving.contexts().remove(context);
    }

    @Override
    public InetSocketAddress getAddress() { return serving.address(); }
}
