package accesslog;

import java.nio.channels.WritableByteChannel;
import java.time.Instant;
import java.util.Arrays;
import java.util.Set;
import org.microhttp.LogEntry;
import org.microhttp.Logger;

/**
 * Writes an access log: a line for each exchange, whoever answered it. All other events, and this one too if
 * it is wanted there, go to another logger, which gets what it would get alone. Safe to share between loops.
 * <p>
 * A loop only queues the event. A thread makes lines of what is queued and writes them, many at a time and at
 * most some 50 ms late. When so much is queued that there is no room for another it is dropped and counted:
 * the loop never waits. How many were dropped, and why the output cannot be written, is said on standard
 * error, since a log has a line for each exchange and no other. {@link #close} writes what is queued; close
 * it when the loops have ended.
 */
public final class AccessLogger implements Logger, AutoCloseable {

    /** Of the heap, roughly: some 10,000 requests of a browser. */
    private static final int MAX_QUEUED_BYTES = 16 << 20;

    /** What an event takes besides the characters of its values: ten entries with their strings, and more. */
    private static final int EVENT_BYTES = 1000;

    private static final String EVENT = "exchange";

    /** The entries that a logger gets only if it wants messages. */
    private static final Set<String> OF_MESSAGES = Set.of("message", "fields");

    private final LineWriter lines;
    private final AccessFormat format;
    private final Trust trust;
    private final Logger next;

    /**
     * Makes one, and starts its thread.
     *
     * @param out    where lines go; it is written to and closed by the logger's thread alone
     * @param format how they look
     * @param trust  which peers are believed when they say for whom they ask
     * @param next   where all other events go, as a {@link org.microhttp.NoopLogger}
     */
    public AccessLogger(WritableByteChannel out, AccessFormat format, Trust trust, Logger next) {
        this(out, format, trust, next, MAX_QUEUED_BYTES);
    }

    /** @param maxQueuedBytes of the heap, that may be queued */
    public AccessLogger(WritableByteChannel out, AccessFormat format, Trust trust, Logger next,
            int maxQueuedBytes) {
        this.format = format;
        this.trust = trust;
        this.next = next;
        lines = new LineWriter(out, maxQueuedBytes);
    }

    @Override
    public boolean enabled() {
        return true;
    }

    @Override
    public boolean enabled(String event) {
        return event.equals(EVENT) || next.enabled(event);
    }

    /**
     * Fields are wanted for what a client says of itself, and what a proxy says of it. The question is not of
     * one event alone, so messages that the other logger does not want are made as well, and taken away.
     */
    @Override
    public boolean messages() {
        return format.hasFields() || !trust.isEmpty() || next.messages();
    }

    @Override
    public void log(LogEntry... entries) {
        String event = entries[0].value();
        if (event.equals(EVENT)) {
            Instant now = Instant.now();
            lines.offer(size(entries), () -> format.line(AccessRecord.of(now, trust, entries)));
        }
        if (next.enabled(event)) {
            next.log(wanted(entries));
        }
    }

    @Override
    public void log(Exception e, LogEntry... entries) {
        if (next.enabled(entries[0].value())) {
            next.log(e, wanted(entries));
        }
    }

    @Override
    public void log(Throwable cause, LogEntry... entries) {
        if (next.enabled(entries[0].value())) {
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

    private LogEntry[] wanted(LogEntry... entries) {
        if (next.messages()) {
            return entries;
        }
        return Arrays.stream(entries)
                .filter(entry -> !OF_MESSAGES.contains(entry.key()))
                .toArray(LogEntry[]::new);
    }

    /** {@return how many lines have been written, from any thread} */
    public long written() {
        return lines.written();
    }

    /** {@return how many exchanges have no line because there was no room or no way to write it} */
    public long dropped() {
        return lines.dropped();
    }

    /**
     * Writes what is queued, and closes the output. What the output does not take within two seconds is
     * dropped; so is what comes later. Called again it does nothing.
     */
    @Override
    public void close() {
        lines.close();
    }
}
