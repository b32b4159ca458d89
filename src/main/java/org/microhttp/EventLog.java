package org.microhttp;

import java.util.*;
import java.util.concurrent.Callable;

/**
 * Gives events to the logger. With logging off an event costs a branch: nothing is built and nothing is
 * boxed. From any thread. Most are a line in {@link Event}; those of a turn that takes too long, of a
 * request, of an answer and of a refusal have more to tell, which stands here.
 */
final class EventLog {

    private final Logger logger;

    EventLog(Logger logger) { this.logger = logger; }

    /** Reports what happened to the loop, with the value of the event, or with a cause. */
    void report(Event event, Object what) { report(event, null, what); }

    /** Reports what happened to a connection, with the value of the event, or with a cause, or null. */
    void report(Event event, long id, Object what) {
        if (wants(event.text)) give(event.text, null, "id", id, event.key, what);
    }

    /** Reports how much was read or written. */
    void report(Event event, long id, int count) {
        if (wants(event.text)) give(event.text, null, "id", id, event.key, count);
    }

    /** Reports what happened to a request, or to the loop for null, likewise. */
    void report(Event event, Exchange of, Object what) {
        if (wants(event.text)) give(event.text, of, event.key, what);
    }

    void blocked(long millis, Throwable stack) {
        if (wants("loop_blocked")) give("loop_blocked", null, "millis", millis, null, stack);
    }

    void requestRead(long id, Request request) {
        if (wants("read_request")) {
            give("read_request", null, "id", id, "request", request,
                    "message", wanted(request::message));
        }
    }

    void responseWritten(long id, ResponseEncoder sent) {
        if (wants("write_response")) {
            give("write_response", null, "id", id, "status", sent.answered.response.status(),
                    "message", wanted(sent::message));
        }
    }

    void refused(Exchange of, RefusalException e) {
        Refusal why = e.refusal;
        if (wants(why.event())) {
            give(why.event(), of, "status", why.status, "code", why.code, "rule", why.rule(e.limit));
        }
    }

    /** Of an exchange that somebody wanted to be told of when it began, as {@link Exchange#end} has it. */
    void exchanged(Exchange of, long sent, long nanos) {
        Response response = of.response;
        give("exchange", of, "version", of.head.version, "status", sent < 0 ? null : response.status(),
                "bytes", Math.max(0, sent), "nanos", nanos, "code", response == null ? null : response.code,
                "fields", wanted(of.head::lines));
    }

    /** Whether the logger wants an event of that name. */
    boolean wants(String event) {
        try {
            return logger.enabled(event);
        } catch (Throwable t) {
            return false;
        }
    }

    /** A message, or null, which makes no entry. */
    private String wanted(Callable<String> message) {
        try {
            return logger.messages() ? message.call() : null;
        } catch (Throwable t) {
            return null;
        }
    }

    /**
     * An event, with what names the request in front, if it is about one; a cause comes last. What is not
     * known is null, and no entry. What a logger throws is dropped, as {@link Logger} says: it must not end
     * the server.
     */
    private void give(String event, Exchange of, Object... more) {
        try {
            var known = new ArrayList<LogEntry>();
            add(known, "event", event);
            if (of != null) {
                add(known, "id", of.id, "peer", of.peer(),
                        "method", of.head.method, "target", of.head.target);
            }
            add(known, more);
            LogEntry[] entries = known.toArray(LogEntry[]::new);
            if (more[more.length - 1] instanceof Throwable cause) {
                logger.log(cause, entries);
            } else {
                logger.log(entries);
            }
        } catch (Throwable t) {
            // it has nowhere to report to
        }
    }

    /** Adds what is known; a cause, which is no entry, has no key. */
    private static void add(List<LogEntry> entries, Object... keysAndValues) {
        for (int i = 0; i < keysAndValues.length; i += 2) {
            Object value = keysAndValues[i + 1];
            if (value == null || value instanceof Throwable) continue;
            entries.add(new LogEntry((String) keysAndValues[i], value.toString()));
        }
    }
}
