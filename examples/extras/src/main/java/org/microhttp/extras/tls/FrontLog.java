package org.microhttp.extras.tls;

import java.io.IOException;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import javax.net.ssl.SSLSession;
import org.microhttp.ExchangeSummary;
import org.microhttp.LogEntry;
import org.microhttp.Logger;

/**
 * Logs the front's events, and listens to the server's exchanges. The server reports each exchange before it
 * closes the connection, so the front, which sees only the close, knows whether the last answer was complete.
 * In these reports the client has the address that the front wrote into the PROXY header. Called by the
 * threads of the loops and of the front.
 */
final class FrontLog {

    /** The logger of the program. */
    final Logger inner;

    /**
     * Open connections, by the client's address as the server's text has it. Several may have one address, if
     * they go to different addresses of this machine; an event may belong to any of these.
     */
    private final Map<String, List<TlsConnection>> open = new ConcurrentHashMap<>();

    FrontLog(Logger inner) {
        this.inner = inner;
    }

    /** Adds an open connection, and returns all of that name. */
    List<TlsConnection> add(String name, TlsConnection connection) {
        return open.merge(name, List.of(connection), FrontLog::join);
    }

    private static List<TlsConnection> join(List<TlsConnection> some, List<TlsConnection> more) {
        var all = new ArrayList<>(some);
        all.addAll(more);
        return all;
    }

    void remove(String name, TlsConnection connection) {
        open.computeIfPresent(name, (same, all) -> {
            var others = new ArrayList<>(all);
            others.remove(connection);
            return others.isEmpty() ? null : others;
        });
    }

    private List<TlsConnection> open(String name) {
        return open.getOrDefault(name, List.of());
    }

    /** The TLS session of the client with this address; null if not known. */
    SSLSession session(SocketAddress client) {
        List<TlsConnection> connections = open("" + client);
        return connections.isEmpty() ? null : connections.get(0).session();
    }

    /**
     * Makes a listener that notes whether the last answer to a client was complete.
     *
     * @param next the program's own listener, called after this one; may be null
     */
    Consumer<ExchangeSummary> listener(Consumer<ExchangeSummary> next) {
        return exchange -> {
            for (TlsConnection connection : open("" + exchange.client())) {
                connection.complete = exchange.complete();
            }
            if (next != null) {
                next.accept(exchange);
            }
        };
    }

    /** Escapes client input that the JDK quotes, such as a host name: it must not look like log lines. */
    private static Throwable harmless(Throwable cause) {
        var text = new StringBuilder();
        for (Throwable each = cause; each != null; each = each.getCause()) {
            text.append(text.isEmpty() ? "" : ": ").append(each.getMessage());
        }
        if (text.chars().allMatch(c -> c >= ' ' && c <= '~')) {
            return cause;
        }
        var escaped = new StringBuilder();
        text.chars().forEach(c -> escaped.append(
                c >= ' ' && c <= '~' ? "" + (char) c : String.format("\\u%04x", c)));
        var replaced = new IOException(cause.getClass().getName() + ": " + escaped);
        replaced.setStackTrace(cause.getStackTrace());
        return replaced;
    }

    /** Logs an event of a client of the front; the client and the cause may be null. */
    void report(String event, SocketAddress client, Throwable cause) {
        var entries = new ArrayList<LogEntry>();
        entries.add(new LogEntry("event", event));
        if (client != null) {
            entries.add(new LogEntry("remote_address", client.toString()));
        }
        report(event, cause, entries);
    }

    /** Logs an event with the number of connections. */
    void reportCount(String event, int connections) {
        report(event, null, List.of(new LogEntry("event", event),
                new LogEntry("connections", "" + connections)));
    }

    private void report(String event, Throwable cause, List<LogEntry> entries) {
        try {
            if (inner.enabled(event)) {
                inner.log(harmless(cause), entries.toArray(LogEntry[]::new));
            }
        } catch (Throwable t) {
            // a failing logger must not end the front, as it does not end the server
        }
    }
}
