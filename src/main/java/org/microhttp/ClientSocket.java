package org.microhttp;

import static org.microhttp.Event.*;

import java.io.IOException;
import java.net.*;
import java.nio.ByteBuffer;
import java.nio.channels.*;

/**
 * A client's socket. It remembers when it was last read and written, and what the selector watches.
 */
final class ClientSocket {

    private static final SocketAddress UNNAMED = UnixDomainSocketAddress.of("");

    /** The number of the connection, in events. */
    final long id;

    final LoopContext context;
    private final SocketChannel channel;
    private final SelectionKey key;

    /** Whether the client has ended its side. */
    boolean endOfStream;

    /** The event that logs an I/O failure. */
    private Event failing = WRITE_ERROR;

    /**
     * When the client's present time to take {@code minTaken} bytes began: when it had taken the last ones,
     * or the queue began to fill. Moved later by the time that the connection waits in line.
     */
    long takingSince;

    /** How many bytes the client has taken in that time. */
    private long taken;

    /**
     * The time of the last successful write, read of request bytes, or end of the client's side; or when a
     * subscriber requested more of a body after a pause.
     */
    long lastActive;

    /** Returns the peer's address, empty at a Unix domain socket, where a client could choose any name. */
    static SocketAddress peer(SocketChannel channel) throws IOException {
        SocketAddress named = channel.getRemoteAddress();
        return named instanceof InetSocketAddress ? named : UNNAMED;
    }

    ClientSocket(LoopContext context, SocketChannel channel, SelectionKey key) {
        this.context = context;
        this.channel = channel;
        this.key = key;
        id = context.group.nextId.getAndIncrement();
        takingSince = context.clock.now();
        lastActive = takingSince;
    }

    /**
     * Reads into the loop's buffer and returns how many bytes; -1 if no more will come. A caller that takes
     * the bytes for a request sets {@code lastActive}.
     */
    int read(int most) throws IOException {
        context.buffers.received.clear().limit(Math.min(most, context.buffers.received.capacity()));
        failing = READ_ERROR;
        int count = channel.read(context.buffers.received);
        failing = WRITE_ERROR;
        if (count > 0) {
            context.counters.add(Counters.BYTES_IN, count);
            context.log.report(READ_BYTES, id, count);
        } else if (count < 0) {
            endOfStream = true;
            report(READ_CLOSE);
        }
        return count;
    }

    /** Writes what the socket takes at once; returns how many bytes. */
    int write(ByteBuffer out) throws IOException { return written(channel.write(out)); }

    /** Writes the buffer, and after it at most so many bytes of a body; returns how many bytes. */
    int write(ByteBuffer out, Body body, long from, int most) throws IOException {
        return written(body.write(out, from, most, channel));
    }

    private int written(int count) {
        if (count == 0) return 0;
        lastActive = context.clock.now();
        taken += count;
        if (taken >= context.limits.minTaken) {
            takingSince = lastActive;
            taken = 0;
        }
        context.counters.add(Counters.BYTES_OUT, count);
        context.log.report(WRITE, id, count);
        return count;
    }

    /** Begins the client's time to take what is queued now. */
    void beginTaking() {
        takingSince = context.clock.now();
        taken = 0;
    }

    boolean isUnixDomain() throws IOException { return peer(channel) == UNNAMED; }

    /** Logs and counts that nothing was read or written for too long. */
    void reportTimeout() {
        context.counters.add(Counters.TIMEOUTS, 1);
        report(SOCKET_TIMEOUT);
    }

    void report(Event event) { context.log.report(event, id, null); }

    /** Makes a failure that ends the connection, and is logged as this event. */
    IOException failure(Event event, String why) {
        failing = event;
        return new IOException(why);
    }

    /** Logs the failure that ends the connection. */
    void report(Throwable cause) {
        context.log.report(cause instanceof IOException ? failing : CONNECTION_ERROR, id, cause);
    }

    /** Sets the interest if it has changed, because setting it costs 70 ns. */
    void watch(int wanted) {
        if (wanted != key.interestOps()) key.interestOps(wanted);
    }

    /** Ends our side. */
    void endOutput() throws IOException { channel.shutdownOutput(); }

    /** Makes the close a reset, so that the kernel drops what it has not sent. */
    void dropUnsent() {
        try {
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException e) {
            // the socket has failed, and is closed next
        }
    }

    void close() { close(channel, key); }

    /**
     * Closes a channel. The key is cancelled first, because the descriptor lasts as long as its key, and the
     * close may fail before it cancels the key. A closed selector may keep the key.
     */
    static void close(SelectableChannel channel, SelectionKey key) {
        try (channel) {
            if (key != null) {
                key.cancel();
                key.attach(null);
            }
        } catch (Throwable t) {
            // no more can be done to close it
        }
    }
}
