package org.microhttp.httpserver;

import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpServer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

/** The contexts of a server. Safe for all threads: a loop looks one up while another thread adds one. */
final class Contexts {

    private final HttpServer server;
    private final List<Context> all = new CopyOnWriteArrayList<>();

    Contexts(HttpServer server) {
        this.server = server;
    }

    /**
     * Adds a context without a handler.
     *
     * @throws IllegalArgumentException if the path does not begin with a slash, or has a context
     */
    synchronized Context add(String path) {
        if (!Objects.requireNonNull(path, "path").startsWith("/")) {
            throw new IllegalArgumentException("path is \"" + path + "\"; allowed: one that begins with /");
        }
        if (exactly(path) != null) {
            throw new IllegalArgumentException("the path " + path + " has a context already");
        }
        var context = new Context(path, server);
        all.add(context);
        return context;
    }

    synchronized void remove(String path) {
        remove(exactly(Objects.requireNonNull(path, "path")));
    }

    void remove(HttpContext context) {
        if (context == null || !all.remove(context)) {
            throw new IllegalArgumentException("the server has no such context");
        }
    }

    /** Finds the context with the longest path that the given path begins with; null if there is none. */
    Context find(String path) {
        Context found = null;
        for (Context context : all) {
            boolean longer = found == null || context.getPath().length() > found.getPath().length();
            if (longer && path.startsWith(context.getPath())) {
                found = context;
            }
        }
        return found;
    }

    private Context exactly(String path) {
        return all.stream().filter(context -> context.getPath().equals(path)).findFirst().orElse(null);
    }
}
