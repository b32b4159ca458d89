package org.microhttp.checks.proxies.tools;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of a proxy's log: what became of one request.
 *
 * @param clientPort  where the client's connection comes from
 * @param status      what the client was answered; not positive if the client went away before
 * @param serverPorts the servers the request was sent to, wholly or in part, one for each time; none if the
 *                    proxy answered by itself
 */
public record ProxyLine(int clientPort, int status, List<Integer> serverPorts, String method, String target) {

    private static final Pattern LINE =
            Pattern.compile("request (\\d+) (-?\\d+) \\[(.*?)\\] \\[(.*?)\\] (\\S+) (.*)");

    private static final Pattern NGINX_ESCAPE = Pattern.compile("\\\\x([0-9A-F]{2})");
    private static final Pattern HAPROXY_ESCAPE = Pattern.compile("#([0-9A-F]{2})");

    /** How much HAProxy logs of a request line; with more of it a line might not fit into the pipe. */
    private static final int LOGGED = 1023;

    /** Reads a line; null if it is not about a request. */
    public static ProxyLine parse(ProxyKind kind, String text) {
        Matcher m = LINE.matcher(text);
        return !m.matches() ? null
                : new ProxyLine(Integer.parseInt(m.group(1)), Integer.parseInt(m.group(2)),
                        sentTo(kind, m.group(3).split(", "), m.group(4).split(", ")),
                        unescape(kind, m.group(5)), asSent(unescape(kind, m.group(6))));
    }

    /** The client may have broken off: HAProxy has no answer then, nginx one of its own. */
    boolean isAbandoned() {
        return status <= 0 || status == 400;
    }

    /** Whether it has the method and the target of that request line, as far as they are logged. */
    boolean names(String requestLine) {
        String logged = method + " " + target;
        return logged.length() >= LOGGED ? requestLine.startsWith(logged)
                : requestLine.startsWith(logged + " ");
    }

    /** A server was chosen, and nginx sent it bytes, or HAProxy knows how long it took to connect. */
    private static List<Integer> sentTo(ProxyKind kind, String[] servers, String[] numbers) {
        String none = kind.isNginx() ? "-|0" : "-1";
        var ports = new ArrayList<Integer>();
        for (int i = 0; i < servers.length; i++) {
            if (servers[i].startsWith("127.0.0.1:") && !numbers[i].matches(none)) {
                ports.add(Integer.parseInt(servers[i].substring(servers[i].indexOf(':') + 1)));
            }
        }
        return ports;
    }

    /** nginx does not log the slash that it adds to http://host?query (RFC 9112 §3.2.1). */
    private static String asSent(String target) {
        return target.startsWith("?") ? "/" + target : target;
    }

    private static String unescape(ProxyKind kind, String text) {
        return (kind.isNginx() ? NGINX_ESCAPE : HAPROXY_ESCAPE).matcher(text).replaceAll(m ->
                Matcher.quoteReplacement("" + (char) Integer.parseInt(m.group(1), 16)));
    }
}
