package org.microhttp.checks.proxies.clients;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.microhttp.checks.proxies.tools.Proxy;
import org.microhttp.checks.proxies.tools.ProxyKind;

/** Between a client and the server. */
enum Way {

    DIRECT("nothing", null, true),
    NGINX_1_0("nginx by HTTP/1.0", ProxyKind.NGINX, true),
    NGINX_1_0_COLLECTS("nginx by HTTP/1.0, which collects", ProxyKind.NGINX, false),
    NGINX("nginx by HTTP/1.1", ProxyKind.NGINX, true),
    NGINX_COLLECTS("nginx by HTTP/1.1, which collects", ProxyKind.NGINX, false),

    /** As the first of HTTP/1.1, but of requests. */
    NGINX_UNBUFFERED("nginx by HTTP/1.1", ProxyKind.NGINX_STREAMING, true),
    HAPROXY("HAProxy", ProxyKind.HAPROXY, true);

    static final List<Way> OF_RESPONSES =
            List.of(DIRECT, NGINX_1_0, NGINX_1_0_COLLECTS, NGINX, NGINX_COLLECTS, HAPROXY);
    static final List<Way> OF_REQUESTS = List.of(DIRECT, NGINX_COLLECTS, NGINX_UNBUFFERED, HAPROXY);

    final String title;
    private final ProxyKind kind;

    /** Whether a body is passed on as it comes. */
    final boolean passesOn;

    Way(String title, ProxyKind kind, boolean passesOn) {
        this.title = title;
        this.kind = kind;
        this.passesOn = passesOn;
    }

    boolean isInstalled() {
        return kind == null || Proxy.isInstalled(kind);
    }

    /** Starts the proxy; null if there is none. */
    Proxy start(Path folder, int serverPort) throws IOException {
        if (kind == null) return null;
        UnaryOperator<String> change = name().startsWith("NGINX_1_0")
                ? text -> text.replace("proxy_http_version 1.1", "proxy_http_version 1.0") : text -> text;
        return Proxy.start(kind, change, folder, List.of(serverPort));
    }
}
