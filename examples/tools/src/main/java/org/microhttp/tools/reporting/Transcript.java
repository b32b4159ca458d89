package org.microhttp.tools.reporting;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.microhttp.Handler;
import org.microhttp.LogEntry;
import org.microhttp.Logger;
import org.microhttp.Response;

/**
 * Prints requests and responses, as a logger of the library and as a handler around the server's: events say
 * which connection a message belongs to and when a response was sent, and the handler has the messages. Both
 * must be given to the server.
 * <p>
 * A line of text begins with the number of its connection, then {@code >} for a request, {@code <} for a
 * response, and {@code *} for refusals, failures and what TLS reports, and from {@code -vv} on for
 * connections that begin and end. A response is printed as the handler gave it, without the fields that the
 * server adds; of a response that the server made itself only the start line is printed. Safe to share
 * between loops; the lines of one message stay together. It prints on the loops' threads, so slow output
 * blocks the server.
 */
public final class Transcript implements Logger {

    private static final Set<String> COMING_AND_GOING = Set.of("accept", "close");

    private static final String END = "\u001b[0m";
    private static final String CYAN = "\u001b[36m";
    private static final Map<Character, String> BY_STATUS =
            Map.of('2', "\u001b[32m", '3', "\u001b[34m", '4', "\u001b[33m", '5', "\u001b[31m");

    private final Report report;
    private final int verbosity;
    private final boolean coloured;

    /** The exchanges of each connection whose responses are not written yet, in the order of the requests. */
    private final Map<Long, Queue<Exchange>> pending = new ConcurrentHashMap<>();

    /** The exchange whose request the loop of this thread read last, until the handler is called with it. */
    private final ThreadLocal<Exchange> latest = new ThreadLocal<>();

    /** A request that was read, and its response. */
    private static final class Exchange {

        final long id;
        final String startLine;

        /** The handler's first answer, from any thread; null if there is none. */
        final AtomicReference<Response> response = new AtomicReference<>();

        /** Whether the handler was called: not if too many requests are pending. */
        boolean handled;
        boolean toHead;

        Exchange(long id, String startLine) {
            this.id = id;
            this.startLine = startLine;
        }
    }

    public Transcript(Report report, int verbosity, boolean coloured) {
        this.report = report;
        this.verbosity = verbosity;
        this.coloured = coloured;
    }

    /** {@return a handler that has another one answer, and prints what passes} */
    public Handler around(Handler handler) {
        return handler.wrappedBy((request, callback) -> {
            Exchange exchange = latest.get();
            latest.remove();
            if (exchange == null) {
                // there was no memory for its event
                handler.handle(request, callback);
                return;
            }
            exchange.handled = true;
            exchange.toHead = request.method().equals("HEAD");
            try {
                print(exchange.id, true, Message.of(request));
            } catch (OutOfMemoryError e) {
                // it is handled even if it cannot be shown
            }
            handler.handle(request, response -> {
                exchange.response.compareAndSet(null, response);
                callback.accept(response);
            });
        });
    }

    @Override
    public void log(LogEntry... entries) {
        Map<String, String> event = values(entries);
        String name = event.get("event");
        if (name.equals("read_request")) {
            begin(Long.parseLong(event.get("id")), event.get("request"));
        } else if (name.equals("write_response")) {
            end(Long.parseLong(event.get("id")), Integer.parseInt(event.get("status")));
        } else {
            if (name.equals("close")) {
                pending.remove(Long.valueOf(event.get("id")));
            }
            boolean rare = event.containsKey("rule") || name.startsWith("tls_");
            if (rare || verbosity > 1 && COMING_AND_GOING.contains(name)) {
                print(event);
            }
        }
    }

    @Override
    public void log(Exception e, LogEntry... entries) {
        Map<String, String> event = values(entries);
        event.put("cause", e.toString());
        print(event);
    }

    private static Map<String, String> values(LogEntry... entries) {
        Map<String, String> values = new LinkedHashMap<>();
        for (LogEntry entry : entries) {
            values.put(entry.key(), entry.value());
        }
        return values;
    }

    /** The loop calls the handler next, on this thread, unless it answers itself. */
    private void begin(long id, String startLine) {
        latest.remove();
        var exchange = new Exchange(id, startLine);
        pending.computeIfAbsent(id, any -> new ArrayDeque<>()).add(exchange);
        latest.set(exchange);
    }

    /** Responses are written in the order of the requests; that of a request that was refused is the last. */
    private void end(long id, int status) {
        Queue<Exchange> exchanges = pending.getOrDefault(id, new ArrayDeque<>());
        Exchange exchange = exchanges.poll();
        Response given = exchange == null ? null : exchange.response.get();
        if (exchange != null && !exchange.handled) {
            print(id, true, Message.of(exchange.startLine));
        }
        // else the server has answered in place of the handler, which failed, or was too late
        if (given != null && given.status() == status) {
            print(id, false, Message.of(given, exchange.toHead));
        } else {
            print(id, false, Message.of(status));
        }
    }

    /** Prints a message; of one that the heap has no room for, the start line. */
    private void print(long id, boolean request, Message message) {
        try {
            print(id, request, message, verbosity);
        } catch (OutOfMemoryError e) {
            print(id, request, Message.of(message.startLine() + " (too large to show)"), 1);
        }
    }

    private void print(long id, boolean request, Message message, int verbosity) {
        if (report.json) {
            Map<String, Object> members = new LinkedHashMap<>(Map.of("id", id));
            members.putAll(message.members(verbosity));
            report.event(request ? "request" : "response", members);
            return;
        }
        String mark = "#" + id + (request ? " >" : " <");
        List<String> lines = message.lines(verbosity);
        // HTTP/1.1 200 OK: the status is after nine characters
        String colour = request ? CYAN : BY_STATUS.get(lines.get(0).charAt(9));
        report.text(lines.stream().map(line -> line.isEmpty() ? mark : mark + " " + line)
                .map(line -> coloured ? colour + line + END : line).collect(Collectors.joining("\n")));
    }

    /** Prints another event. */
    private void print(Map<String, String> event) {
        String name = event.remove("event");
        String id = event.remove("id");
        if (report.json) {
            Map<String, Object> members = new LinkedHashMap<>();
            if (id != null) {
                members.put("id", Long.valueOf(id));
            }
            event.forEach((key, value) ->
                    members.put(key, key.equals("status") ? Long.valueOf(value) : value));
            report.event(name, members);
            return;
        }
        report.text((id == null ? "* " : "#" + id + " * ") + name + event.entrySet().stream()
                .map(entry -> " " + entry.getKey() + "=" + Report.oneLine(entry.getValue()))
                .collect(Collectors.joining()));
    }
}
