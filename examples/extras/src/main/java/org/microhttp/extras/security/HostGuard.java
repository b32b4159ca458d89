package org.microhttp.extras.security;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.microhttp.Handler;
import org.microhttp.Request;
import org.microhttp.Response;

/**
 * Refuses requests for other hosts, so that no web page can use a server that only this machine, or a private
 * network, reaches. Without this guard, a site can make its own host name resolve to this server (DNS
 * rebinding): to the browser, site and server are then one origin. For a program that listens on localhost:
 * <pre>{@code
 *   new EventLoop(new Options().withPort(8080), HostGuard.local(handler)).start();
 * }</pre>
 * and for others {@code new HostGuard(handler, "www.example.com", "[2001:db8::1]:8080")}.
 * <p>
 * The host of a request is {@link Request#host}: that of a target in absolute form, otherwise the field Host.
 * Case, and a dot at the end of the name, do not matter. IPv6 addresses are in brackets, and must be written
 * as browsers do. A name given without a port allows any port. Fields of a proxy, such as X-Forwarded-Host,
 * do not count.
 * <p>
 * A request for another host gets a 421, which says that this server does not answer for that host (RFC 9110
 * §15.5.20). A request without a host, which HTTP/1.0 allows, gets a 421, too. A request that is refused for
 * its Origin gets a 403. Both responses have a line of text. A refused request does not reach the next
 * handler; its body is kept in memory, up to the server's {@code maxRequestSize}. WebSocket handshakes are
 * requests, too.
 * <p>
 * Nothing is kept between requests. Safe for any number of loops.
 */
public final class HostGuard implements Handler {

    private static final String[] LOCAL = {"localhost", "127.0.0.1", "[::1]"};

    /** uri-host [ ":" port ] (RFC 9110 §7.2); the first group is the name without a dot at its end. */
    private static final Pattern HOST =
            Pattern.compile("(\\[[0-9a-f:.]+]|[a-z0-9._-]*[a-z0-9_-])\\.?(?::([0-9]*))?");

    private static final Response OTHER_HOST =
            Response.text(421, "misdirected request: this server does not serve the host of the request\n");
    private static final Response OTHER_ORIGIN =
            Response.text(403, "forbidden: pages of this origin may not use this server\n");

    private final Handler next;

    /** As {@code name} or {@code name:port}, in lower case. */
    private final Set<String> hosts = new HashSet<>();

    /** Which origins are allowed besides those of the hosts; null if Origin is not checked. */
    private final Set<String> origins;

    /**
     * Makes a guard that checks only the host.
     *
     * @param next  gets the requests that are for one of the hosts
     * @param hosts at least one: {@code name} for any port, or {@code name:port}. Names of international
     *              domains are in ASCII
     * @throws IllegalArgumentException if there is no host, or one is not as above
     * @throws NullPointerException     if an argument is null
     */
    public HostGuard(Handler next, String... hosts) {
        this(next, null, hosts);
    }

    private HostGuard(Handler next, Set<String> origins, String... hosts) {
        this.next = Objects.requireNonNull(next, "next");
        this.origins = origins;
        for (String host : hosts) {
            String lower = host.toLowerCase(Locale.ROOT);
            check(HOST.matcher(lower).matches() && !lower.matches(".*(:|\\.(:.*)?)"), "a host", host,
                    "such as localhost, example.com:8080 or [::1]");
            this.hosts.add(lower);
        }
        check(!this.hosts.isEmpty(), "the list of hosts", "", "at least one");
    }

    /**
     * Makes a guard for a server on this machine: for {@code localhost}, {@code 127.0.0.1} and {@code [::1]},
     * with any port. The guard also checks Origin, if a request has it: only pages of these hosts, and of the
     * origins named here, may send requests. So a form or a script of another site is refused. But browsers
     * send no Origin with a simple GET, so no GET may change anything.
     *
     * @param next    gets the requests that are not refused
     * @param origins which other pages may send requests, as a browser sends their origin, such as {@code
     *                https://app.example.com}; {@code "null"} for pages without an origin
     * @return the guard
     * @throws IllegalArgumentException if an origin is not as above
     * @throws NullPointerException     if an argument is null
     */
    public static HostGuard local(Handler next, String... origins) {
        for (String origin : origins) {
            if (!origin.equals("null")) {
                Origin.check(origin);
            }
        }
        return new HostGuard(next, Set.copyOf(Arrays.asList(origins)), LOCAL);
    }

    private static void check(boolean valid, String what, String given, String allowed) {
        if (!valid) {
            throw new IllegalArgumentException(what + " is \"" + given + "\"; allowed: " + allowed);
        }
    }

    @Override
    public void handle(Request request, Consumer<Response> callback) {
        Response refusal = refusal(request);
        if (refusal == null) {
            next.handle(request, callback);
        } else {
            callback.accept(refusal);
        }
    }

    @Override
    public Flow.Subscriber<? super List<ByteBuffer>> receiver(Request request) {
        return refusal(request) == null ? next.receiver(request) : null;
    }

    private Response refusal(Request request) {
        if (!serves(request.host())) {
            return OTHER_HOST;
        }
        boolean allowed = origins == null || request.values("Origin").stream()
                .allMatch(origin -> origins.contains(origin) || serves(Origin.host(origin)));
        return allowed ? null : OTHER_ORIGIN;
    }

    private boolean serves(String host) {
        Matcher parts = HOST.matcher(host == null ? "" : host.toLowerCase(Locale.ROOT));
        return parts.matches()
                && (hosts.contains(parts.group(1)) || hosts.contains(parts.group(1) + ":" + parts.group(2)));
    }
}
