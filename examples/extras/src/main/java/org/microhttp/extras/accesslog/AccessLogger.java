package org.microhttp.extras.accesslog;

import java.nio.channels.WritableByteChannel;
import java.time.Instant;
import java.util.function.Consumer;
import org.microhttp.ExchangeSummary;

/**
 * Writes an access log: a line for each exchange, whether the handler or the server answered. Give it to
 * {@link org.microhttp.Options#withExchangeListener}. Safe to share between loops.
 * <p>
 * A loop only queues the exchange. A thread makes lines of queued exchanges and writes many lines at once, at
 * most some 50 ms late. If the queue is full, an exchange is dropped and counted: the loop never waits. The
 * number of dropped exchanges, and the reason why the output cannot be written, are reported on standard
 * error, since each line of the log is an exchange. Close the log when the loops have ended: {@link #close}
 * writes the queued lines.
 */
public final class AccessLogger implements Consumer<ExchangeSummary>, AutoCloseable {

    /** Of the heap, roughly: room for some 10,000 requests of a browser. */
    private static final int MAX_QUEUED_BYTES = 16 << 20;

    private final LineWriter lines;
    private final AccessFormat format;
    private final Trust trust;

    /**
     * Makes a log, and starts its thread.
     *
     * @param out    where lines go; only the log's thread writes to it and closes it
     * @param format the format of a line
     * @param trust  the proxies that are believed when they name a client
     */
    public AccessLogger(WritableByteChannel out, AccessFormat format, Trust trust) {
        this(out, format, trust, MAX_QUEUED_BYTES);
    }

    /**
     * Makes a log with another limit for its queue, and starts its thread.
     *
     * @param out            where lines go; only the log's thread writes to it and closes it
     * @param format         the format of a line
     * @param trust          the proxies that are believed when they name a client
     * @param maxQueuedBytes how many bytes of the heap the queue may take, roughly, instead of 16 MiB
     */
    public AccessLogger(WritableByteChannel out, AccessFormat format, Trust trust, int maxQueuedBytes) {
        this.format = format;
        this.trust = trust;
        lines = new LineWriter(out, maxQueuedBytes);
    }

    @Override
    public void accept(ExchangeSummary exchange) {
        // a format with headers shows Referer and User-Agent; trust reads Forwarded and X-Forwarded-For
        boolean headers = format.hasFields() || !trust.isEmpty();
        AccessRecord of = AccessRecord.of(Instant.now(), exchange, headers);
        lines.offer(of.size(), () -> format.line(of, trust));
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
     * are dropped, and so are later exchanges. Does nothing when called again.
     */
    @Override
    public void close() {
        lines.close();
    }
}
