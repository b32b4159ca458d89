package org.microhttp.extras.accesslog;

import java.nio.channels.WritableByteChannel;
import java.time.Instant;
import java.util.Arrays;
import org.microhttp.LogEntry;
import org.microhttp.Logger;

/**
 * Writes an access log: a line for each exchange, whether the handler or the server answered. Another logger
 * gets the events that it would get alone, exchanges included. Safe to share between loops.
 * <p>
 * A loop only queues the event. A thread makes lines of queued events and writes many lines at once, at most
 * some 50 ms late. An event for which the queue has no room is dropped and counted: the loop never waits. The
 * number of dropped events, and the reason why the output cannot be written, are reported on standard error,
 * since each line of the log is an exchange. Close the logger when the loops have ended: {@link #close}
 * writes what is queued.
 */
public final class AccessLogger implements Logger, AutoCloseable {

    /** Of the heap, roughly: some 10,000 requests of a browser. */
    private static final int MAX_QUEUED_BYTES = 16 << 20;

    /** What an event takes besides the characters of its values: ten entries, their strings, and more. */
    private static final int EVENT_BYTES = 1000;

    private static final String EVENT = "exchange";

    /** The entry that a logger gets only if it wants it. */
    private static final String FIELDS = "fields";

    private final LineWriter lines;
    private final AccessFormat format;
    private final Trust trust;
    private final Logger next;

    /**
     * Makes one, and starts its thread.
     *
     * @param out    where lines go; only the logger's thread writes to it and closes it
     * @param format the format of a line
     * @param trust  the proxies whose word about their clients is believed
     * @param next   the logger for all events, for instance a {@link org.microhttp.NoopLogger}
     */
    public AccessLogger(WritableByteChannel out, AccessFormat format, Trust trust, Logger next) {
        this(out, format, trust, next, MAX_QUEUED_BYTES);
    }

    /**
     * @param out where lines go; only the logger's thread writes to it and closes it
     * @param format the format of a line
     * @param trust the proxies whose word about their clients is believed
     * @param next the logger for all events
     * @param maxQueuedBytes how many bytes of the heap the queue may take
     */
    public AccessLogger(WritableByteChannel out, AccessFormat format, Trust trust, Logger next,
            int maxQueuedBytes) {
        this.format = format;
        this.trust = trust;
        this.next = next;
        lines = new LineWriter(out, maxQueuedBytes);
    }

    @Override
    public boolean enabled(String event) {
        return event.equals(EVENT) || next.enabled(event);
    }

    /** The format may show fields in which clients describe themselves; proxies name them in others. */
    @Override
    public boolean wantsFields() {
        return format.hasFields() || !trust.isEmpty() || next.wantsFields();
    }

    @Override
    public void log(Exception e, LogEntry... entries) {
        log((Throwable) e, entries);
    }

    @Override
    public void log(Throwable cause, LogEntry... entries) {
        String event = entries[0].value();
        if (event.equals(EVENT)) {
            Instant now = Instant.now();
            lines.offer(size(entries), () -> format.line(AccessRecord.of(now, trust, entries)));
        }
        if (next.enabled(event)) {
            next.log(cause, wanted(entries));
        }
    }

    private static int size(LogEntry... entries) {
        int size = EVENT_BYTES;
        for (LogEntry entry : entries) {
            size += entry.value().length();
        }
        return size;
    }

    /** Fields that only this logger wants are not for the other. */
    private LogEntry[] wanted(LogEntry... entries) {
        if (next.wantsFields()) {
            return entries;
        }
        return Arrays.stream(entries)
                .filter(entry -> !entry.key().equals(FIELDS))
                .toArray(LogEntry[]::new);
    }

    /** {@return how many lines have been written, from any thread} */
    public long written() {
        return lines.written();
    }

    /** {@return how many exchanges have no line, because the queue was full or the output failed} */
    public long dropped() {
        return lines.dropped();
    }

    /**
     * Writes the queued lines and closes the output. Lines that the output does not take within two seconds
     * are dropped, and so are later events. Does nothing when called again.
     */
    @Override
    public void close() {
        lines.close();
    }
}
