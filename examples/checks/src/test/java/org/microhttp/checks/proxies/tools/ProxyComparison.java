package org.microhttp.checks.proxies.tools;

import java.util.Collections;
import java.util.List;

/**
 * Proxy and server agree on the requests of a client if for each one the proxy sent the server saw one, the
 * same one and in the same order. Where they do not, a request was smuggled past the proxy, or one was lost.
 */
public final class ProxyComparison {

    /** How the target of a request begins that a client sends only as no server refuses it. */
    public static final String MARKER = "/marker/";

    private ProxyComparison() {
    }

    /** Says in what they differ; null if they agree. */
    public static String difference(List<ProxyLine> lines, List<SeenRequest> seen) {
        List<ProxyLine> sent = lines.stream()
                .flatMap(line -> Collections.nCopies(line.serverPorts().size(), line).stream()).toList();
        for (int i = 0; i < Math.min(sent.size(), seen.size()); i++) {
            if (!agree(sent.get(i), seen.get(i))) {
                return "the proxy sent " + sent.get(i) + " but the server saw " + seen.get(i);
            }
        }
        return sent.size() == seen.size() ? null
                : "the proxy sent " + sent.size() + " requests but the server saw " + seen.size();
    }

    /**
     * A server does not tell what it refuses but answers it, with a status that the proxy must have passed on
     * unless its client had gone. So what was smuggled may pass for the next request if both are refused as
     * one: that one must be a marker then.
     */
    private static boolean agree(ProxyLine sent, SeenRequest seen) {
        boolean answered = sent.status() == seen.status() || sent.isAbandoned();
        boolean marker = sent.method().equals("GET") && sent.target().startsWith(MARKER);
        return switch (seen.outcome()) {
            case BEGUN -> false;
            case HANDLED -> answered && sent.names(seen.request());
            case REFUSED -> answered && !marker;
            case CUT -> sent.isAbandoned() && !marker;
        };
    }
}
