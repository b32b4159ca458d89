package org.microhttp;

import java.net.SocketAddress;
import java.util.*;
import org.microhttp.protocol.*;

/**
 * Gives events to the logger. Any thread may use it. {@link Event} lists the events. With logging off, the
 * usual events of a request cost a branch: no entry is built for them.
 */
final class EventLog {

    private final Logger logger;

    EventLog(Logger logger) { this.logger = logger; }

    /** Reports an event with the values of its keys, in their order, then perhaps its cause. */
    void report(Event event, Object... values) {
        if (wants(event)) give(event, values);
    }

    /** Reports an event with a connection's number and a value, a cause or null. */
    void report(Event event, long id, Object what) {
        if (wants(event)) give(event, id, what);
    }

    /** Reports an event with a connection's number and another number. */
    void report(Event event, long id, int value) {
        if (wants(event)) give(event, id, value);
    }

    /** Reports that a request, or a part of a request, is refused. */
    void refused(long id, SocketAddress client, RequestHead of, RefusalException e) {
        Refusal why = e.refusal;
        report(Event.of(why), id, client, of.method, of.target, why.status, why.code,
                why.loggedRule(e.limit));
    }

    void exchanged(ExchangeSummary of) {
        boolean cut = of.status() != 0 && !of.complete();
        report(Event.EXCHANGE, of.connection(), of.client(), of.method(), of.target(), of.version(),
                of.status() == 0 ? null : (Integer) of.status(), of.bytes(), of.duration().toNanos(),
                cut ? "incomplete" : of.code());
    }

    boolean wants(Event event) {
        try {
            return logger.enabled(event.text);
        } catch (Throwable t) {
            return false;
        }
    }

    /**
     * Gives an event with an entry for each key whose value is not null, and with a cause if that is the last
     * value. What a logger throws is dropped, as {@link Logger} says: it must not end the server.
     */
    private void give(Event event, Object... values) {
        // the timeout of a connection without a request has the first key alone
        assert event == Event.SOCKET_TIMEOUT || event.keys.size() - values.length <= 1 : event;
        try {
            var entries = new ArrayList<LogEntry>();
            Iterator<String> keys = event.keys.iterator();
            entries.add(new LogEntry(keys.next(), event.text));
            for (Object value : values) {
                // a cause has no key
                if (!keys.hasNext()) break;
                String key = keys.next();
                if (value != null) entries.add(new LogEntry(key, value.toString()));
            }
            Throwable cause = values[values.length - 1] instanceof Throwable t ? t : null;
            logger.log(cause, entries.toArray(LogEntry[]::new));
        } catch (Throwable t) {
            // there is nowhere to report this to
        }
    }
}
