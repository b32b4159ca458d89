package org.microhttp;

import java.util.*;
import java.util.function.Supplier;

/**
 * Every event a loop reports, one per line, so that this file is the list of them; those of a refusal are
 * named by {@link Refusal}. With logging off an event costs a branch: nothing is built and nothing is boxed.
 * From any thread.
 * <p>
 * A new event is a line here and a call where it happens; one that has a cause is listed in
 * {@link SystemLogger#WARNINGS}, too, and each in {@code doc-files/events.md}, which a test compares.
 */
final class EventLog {

    private final Logger logger;

    EventLog(Logger logger) { this.logger = logger; }

    // The loop's own.
    void listening(Object address) { log("listen", "local_address", address); }
    void optionSkipped(Object option) { log("option_skipped", "option", option); }
    void acceptFailed(Throwable cause) { log("accept_error", cause); }
    void acceptPaused(int open) { log("accept_pause", "connections", open); }
    void acceptResumed(int open) { log("accept_resume", "connections", open); }
    void leaving(int open) { log("leave", "connections", open); }
    void leaveTimedOut(int requests) { log("leave_timeout", "requests", requests); }
    void turnFailed(Throwable cause) { log("turn_error", cause); }
    void loopFailed(Throwable cause) { log("loop_error", cause); }

    void blocked(long millis, Throwable stack) {
        if (on("loop_blocked")) give(stack, "event", "loop_blocked", "millis", millis);
    }

    // A connection's.
    void accepted(long id, Object peer) { log("accept", id, "remote_address", peer); }
    void read(long id, int count) { log("read_bytes", id, "num_bytes", count); }
    void readClosed(long id) { log("read_close", id, null); }
    void readFailed(long id, Throwable cause) { log("read_error", id, cause); }

    void requestRead(long id, Request request) {
        if (on("read_request")) {
            String message = wanted(request::message);
            give(null, "event", "read_request", "id", id, "request", request, "message", message);
        }
    }

    void requestPipelined(long id) { log("pipeline_request", id, null); }
    void handlerFailed(Exchange of, Throwable cause) { log("handler_error", of, cause); }
    void interruptCleared(long id) { log("handler_interrupt", id, null); }
    void responseReady(long id, Response response) { log("response_ready", id, "status", response); }
    void responseMissing(Exchange of) { log("response_ready_error", of, null); }
    void responseIgnored(Exchange of) { log("response_ignored", of, null); }
    void wrote(long id, int count) { log("write", id, "num_bytes", count); }

    void responseWritten(long id, ResponseEncoder sent) {
        if (on("write_response")) {
            String message = wanted(sent::message);
            Response response = sent.answered.response;
            give(null, "event", "write_response", "id", id, "status", response, "message", message);
        }
    }

    void closedAfterResponse(long id) { log("close_after_response", id, null); }
    void lingering(long id) { log("linger", id, null); }
    // the same name as that of a refusal, which has further entries: this one is without an answer
    void timedOut(long id) { log("socket_timeout", id, null); }
    void writeFailed(long id, Throwable cause) { log("write_error", id, cause); }
    void overloaded(Exchange of) { log("overload", of, null); }
    void failed(long id, Throwable cause) { log("connection_error", id, cause); }
    void closed(long id) { log("close", id, null); }

    void refused(Exchange of, RefusalException e) {
        Refusal why = e.refusal;
        if (on(why.event)) {
            give(null, why.event, of, "status", why.status, "code", why.code, "rule", e.rule());
        }
    }

    boolean wantsExchanges() { return on("exchange"); }

    /** Of an exchange that somebody wanted to be told of when it began. */
    void exchanged(Exchange of, boolean answered, long bytes, long nanos) {
        ClientSocket socket = of.connection.socket;
        RequestHead head = of.head;
        Response response = of.response;
        // in one piece, for it comes with each request
        give(null, "event", "exchange", "id", socket.id, "peer", socket.peer(), "method", head.method,
                "target", head.target, "version", head.version, "status", answered ? response.status() : null,
                "bytes", bytes, "nanos", nanos, "code", response == null ? null : response.code,
                "fields", wanted(head::lines));
    }

    // What is asked first, so that nothing is made of an event that nobody wants.
    private void log(String event, Throwable cause) {
        if (on(event)) give(cause, "event", event);
    }

    private void log(String event, String key, Object value) {
        if (on(event)) give(null, "event", event, key, value);
    }

    private void log(String event, long id, Throwable cause) {
        if (on(event)) give(cause, "event", event, "id", id);
    }

    private void log(String event, Exchange of, Throwable cause) {
        if (on(event)) give(cause, event, of);
    }

    private void log(String event, long id, String key, Object value) {
        if (on(event)) give(null, "event", event, "id", id, key, value);
    }

    private void log(String event, long id, String key, int value) {
        if (on(event)) give(null, "event", event, "id", id, key, value);
    }

    private boolean on(String event) {
        try {
            return logger.enabled(event);
        } catch (Throwable t) {
            return false;
        }
    }

    /** A message, or null, which makes no entry. */
    private String wanted(Supplier<String> message) {
        try {
            return logger.messages() ? message.get() : null;
        } catch (Throwable t) {
            return null;
        }
    }

    /** An event about a request that is no ordinary one, with what names the request in front. */
    private void give(Throwable cause, String event, Exchange of, Object... more) {
        ClientSocket socket = of.connection.socket;
        Object[] named = {"event", event, "id", socket.id, "peer", socket.peer(), "method", of.head.method,
            "target", of.head.target};
        Object[] all = Arrays.copyOf(named, named.length + more.length);
        System.arraycopy(more, 0, all, named.length, more.length);
        give(cause, all);
    }

    /**
     * What is not known is null, and no entry. What a logger throws is dropped, as {@link Logger} says: it
     * must not end the server.
     */
    private void give(Throwable cause, Object... keysAndValues) {
        try {
            var known = new ArrayList<LogEntry>();
            for (int i = 0; i < keysAndValues.length; i += 2) {
                Object value = keysAndValues[i + 1];
                if (value != null) known.add(new LogEntry((String) keysAndValues[i], value.toString()));
            }
            LogEntry[] entries = known.toArray(LogEntry[]::new);
            if (cause == null) {
                logger.log(entries);
            } else {
                logger.log(cause, entries);
            }
        } catch (Throwable t) {
            // it has nowhere to report to
        }
    }
}
