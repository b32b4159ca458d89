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
 * What the front logs and hears. The server tells the end of each exchange before it ends the connection, so
 * the front, which sees only that end, knows whether the last answer was complete. The client's address in
 * what it tells is what the front wrote into the PROXY header. Called by the threads of the loops and of the
 * front.
 */
final class FrontLog {

    /** The logger of the program. */
    final Logger inner;

    /**
     * The connections that are open, by the text of the address that the server has for the client. There may
     * be several, to different addresses of this machine; an event may belong to any of these.
     */
    private final Map<String, List<TlsConnection>> open = new ConcurrentHashMap<>();

    FrontLog(Logger inner) {
        this.inner = inner;
    }

    /** Adds an open connection, and returns all with its name. */
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

    /** What was agreed with the client of the address that the server has; null if that is not known. */
    SSLSession session(SocketAddress client) {
        List<TlsConnection> connections = open("" + client);
        return connections.isEmpty() ? null : connections.get(0).session();
    }

    /**
     * Notes whether the last answer to a client was complete, and tells the program's own listener.
     *
     * @param next may be null
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

    /** The JDK quotes what a client sends, as a name of a server; that must not look like lines of a log. */
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
            // a logger that fails must not end the front, as it does not end the server
        }
    }
}
