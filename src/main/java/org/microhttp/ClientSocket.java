package org.microhttp;

import static org.microhttp.Event.*;

import java.io.IOException;
import java.net.*;
import java.nio.ByteBuffer;
import java.nio.channels.*;

/**
 * A client's socket: reads and writes it, remembers when that was, and what the selector watches it for.
 */
final class ClientSocket {

    private static final SocketAddress UNNAMED = UnixDomainSocketAddress.of("");

    /** The number of the connection, in events. */
    final long id;

    final LoopContext loop;
    private final SocketChannel channel;
    private final SelectionKey key;

    /** The interest set that the key has. */
    private int interest = SelectionKey.OP_READ;

    /** Whether the client has ended its side. */
    boolean endOfStream;

    /** Whether it is being read, so that a failure is logged as one of reading. */
    private boolean reading;

    /** When the client had last taken enough, or something was queued after that; at first the creation. */
    long lastWritten;

    /** How many bytes it has taken since. */
    private long taken;

    /** The last successful write, the last read of a request's bytes, or the client's end. */
    long lastActive;

    /** Who is at the other end. A client of a Unix domain socket has no name: it could choose any. */
    static SocketAddress peer(SocketChannel channel) throws IOException {
        SocketAddress named = channel.getRemoteAddress();
        return named instanceof InetSocketAddress ? named : UNNAMED;
    }

    ClientSocket(LoopContext loop, SocketChannel channel, SelectionKey key) {
        this.loop = loop;
        this.channel = channel;
        this.key = key;
        id = loop.group.nextId.getAndIncrement();
        lastWritten = loop.now();
        lastActive = lastWritten;
    }

    /**
     * Reads into the loop's buffer and returns how many bytes; below 0 if no more will come. A caller that
     * takes them for a request sets {@code lastActive}.
     */
    int read(int most) throws IOException {
        loop.received.clear().limit(Math.min(most, loop.received.capacity()));
        reading = true;
        int count = channel.read(loop.received);
        reading = false;
        if (count > 0) {
            loop.counters.add(Counters.BYTES_IN, count);
            loop.log.report(READ_BYTES, id, count);
        } else if (count < 0) {
            endOfStream = true;
            report(READ_CLOSE);
        }
        return count;
    }

    /** Writes what the socket takes at once; returns how many bytes. */
    int write(ByteBuffer out) throws IOException { return written(channel.write(out)); }

    /** Writes, after the buffer, at most so much of a body. */
    int write(ByteBuffer out, Body body, long from, int most) throws IOException {
        return written(body.write(out, from, most, channel));
    }

    private int written(int count) {
        loop.writesLeft--;
        if (count == 0) return 0;
        lastActive = loop.now();
        taken += count;
        if (taken >= loop.minTaken) {
            lastWritten = lastActive;
            taken = 0;
        }
        loop.counters.add(Counters.BYTES_OUT, count);
        loop.log.report(WRITE, id, count);
        return count;
    }

    /** Whether it has failed, by a reset for example, though what has come may not be read. */
    boolean hasFailed() {
        try (Selector probe = channel.provider().openSelector()) {
            // which is ready, too, if an error is pending; at a Unix domain socket also after a close
            channel.register(probe, SelectionKey.OP_CONNECT);
            return !isUnnamed() && probe.selectNow() > 0;
        } catch (Throwable t) {
            // there may be no descriptor for it
            return false;
        }
    }

    /** Whether it is a Unix domain socket. */
    boolean isUnnamed() throws IOException { return peer(channel) == UNNAMED; }

    /** Logs and counts that nothing was read or written for too long. */
    void reportTimeout() {
        loop.counters.add(Counters.TIMEOUTS, 1);
        report(SOCKET_TIMEOUT);
    }

    /** Logs an event of the connection. */
    void report(Event event) { loop.log.report(event, id, null); }

    /** Logs what has ended the connection. */
    void report(Throwable cause) {
        Event network = reading ? READ_ERROR : WRITE_ERROR;
        loop.log.report(cause instanceof IOException ? network : CONNECTION_ERROR, id, cause);
    }

    /** Tells the selector what to watch for, only if that has changed: a call costs 70 ns. */
    void watch(int wanted) {
        if (wanted != interest) key.interestOps(wanted);
        interest = wanted;
    }

    /** Tells the selector again, which may have lost it in a failure. */
    void rearm() {
        if (!key.isValid()) return;
        // first another set, because to set what is set does nothing
        key.interestOps(interest ^ SelectionKey.OP_READ);
        key.interestOps(interest);
    }

    /** Ends our side. */
    void endOutput() throws IOException { channel.shutdownOutput(); }

    /** Makes the close a reset, so that the kernel drops what it has not sent. */
    void dropUnsent() {
        try {
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException e) {
            // it has failed, and is closed all the same
        }
    }

    void close() { close(channel, key); }

    /**
     * Closes a channel, even without memory: then its close may fail before it cancels the key, and the
     * descriptor lasts as long as the key, so the key is cancelled first. A closed selector may keep the key.
     */
    static void close(SelectableChannel channel, SelectionKey key) {
        try (channel) {
            if (key != null) {
                key.cancel();
                key.attach(null);
            }
        } catch (Throwable t) {
            // as closed as it can be
        }
    }
}
