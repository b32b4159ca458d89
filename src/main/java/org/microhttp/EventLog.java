package org.microhttp;

import java.util.function.Supplier;

/**
 * Every event a loop reports, one per line, so that this file is the list of them. With logging off an event
 * costs a branch: nothing is built and nothing is boxed.
 */
final class EventLog {

    private final Logger logger;
    final Counters counters = new Counters();

    EventLog(Logger logger) { this.logger = logger; }

    // The loop's own.
    void listening(Object address) { if (on()) log(null, "listen", "local_address", address); }
    void optionSkipped(Object option) { if (on()) log(null, "option_skipped", "option", option); }
    void acceptFailed(Throwable cause) { if (on()) log(cause, "accept_error"); }
    void acceptPaused(int open) { if (on()) log(null, "accept_pause", "connections", open); }
    void acceptResumed(int open) { if (on()) log(null, "accept_resume", "connections", open); }
    void leaving(int open) { if (on()) log(null, "leave", "connections", open); }
    void blocked(long millis, Throwable t) { if (on()) log(t, "loop_blocked", "millis", millis); }
    void loopFailed(Throwable cause) { if (on()) log(cause, "loop_error"); }

    // A connection's.
    void accepted(long id, Object peer) {
        counters.add(Counters.ACCEPTED, 1);
        if (on()) log(null, "accept", "id", id, "remote_address", peer);
    }

    void read(long id, int count) {
        counters.add(Counters.BYTES_IN, count);
        if (on()) log(null, "read_bytes", "id", id, "num_bytes", count);
    }

    void readClosed(long id) { if (on()) log(null, "read_close", "id", id); }
    void readFailed(long id, Throwable t) { if (on()) log(t, "read_error", "id", id); }
    void requestRead(long id, Request r) {
        counters.add(Counters.REQUESTS, 1);
        if (on()) log(null, "read_request", "id", id, "request", r, "message", wanted(r::message));
    }

    void requestPipelined(long id) { if (on()) log(null, "pipeline_request", "id", id); }
    void handlerFailed(long id, Throwable t) { if (on()) log(t, "handler_error", "id", id); }
    void interruptCleared(long id) { if (on()) log(null, "handler_interrupt", "id", id); }
    void responseReady(long id, Response r) { if (on()) log(null, "response_ready", "id", id, "status", r); }
    void responseMissing(long id) { if (on()) log(null, "response_ready_error", "id", id); }
    void responseIgnored(long id) { if (on()) log(null, "response_ignored", "id", id); }
    void wrote(long id, int count) {
        counters.add(Counters.BYTES_OUT, count);
        if (on()) log(null, "write", "id", id, "num_bytes", count);
    }

    void responseWritten(long id, Exchange x) {
        counters.add(Counters.ANSWERS + x.response.status() / 100, 1);
        if (on()) log(null, "write_response", "id", id, "status", x.response, "message", wanted(x::message));
    }

    void closedAfterResponse(long id) { if (on()) log(null, "close_after_response", "id", id); }
    void lingering(long id) { if (on()) log(null, "linger", "id", id); }
    void timedOut(long id) {
        counters.add(Counters.TIMEOUTS, 1);
        if (on()) log(null, "socket_timeout", "id", id);
    }

    void writeFailed(long id, Throwable t) { if (on()) log(t, "write_error", "id", id); }
    void overloaded(long id) {
        counters.refused("overload");
        if (on()) log(null, "overload", "id", id);
    }

    void failed(long id, Throwable t) { if (on()) log(t, "connection_error", "id", id); }
    void closed(long id) {
        counters.add(Counters.CLOSED, 1);
        if (on()) log(null, "close", "id", id);
    }

    void refused(long id, HttpError e) {
        counters.refused(e.code);
        boolean timeout = e.code.endsWith("_timeout");
        counters.add(Counters.TIMEOUTS, timeout ? 1 : 0);
        String other = timeout ? e.code : "refuse";
        String event = e.status == 413 ? "exceed_request_max_close" : other;
        if (on()) log(null, event, "id", id, "status", e.status, "code", e.code, "rule", e.getMessage());
    }

    private boolean on() { try { return logger.enabled(); } catch (Throwable t) { return false; } }

    /** A message, or null, which makes no entry. */
    private String wanted(Supplier<String> message) {
        try { return logger.messages() ? message.get() : null; } catch (Throwable t) { return null; }
    }

    /** What a logger throws is dropped, as {@link Logger} says: it must not end the server. */
    private void log(Throwable cause, Object... eventKeysAndValues) {
        int length = eventKeysAndValues.length;
        var entries = new LogEntry[(eventKeysAndValues[length - 1] == null ? length - 1 : length + 1) / 2];
        entries[0] = new LogEntry("event", (String) eventKeysAndValues[0]);
        for (int i = 1; i < entries.length; i++) {
            Object value = eventKeysAndValues[2 * i];
            entries[i] = new LogEntry((String) eventKeysAndValues[2 * i - 1], String.valueOf(value));
        }
        try {
            if (cause == null) logger.log(entries);
            else logger.log(cause instanceof Exception e ? e : new RuntimeException(cause), entries);
        } catch (Throwable t) { return; }
    }
}
