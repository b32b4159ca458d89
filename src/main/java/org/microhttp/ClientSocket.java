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

    /** Every client of a Unix domain socket: it chooses the name of its own socket, so that says nothing. */
    private static final SocketAddress UNNAMED = UnixDomainSocketAddress.of("");

    /** The number of the connection, in events. */
    final long id;

    /** The other end, which may be a proxy. */
    final SocketAddress client;

    /** The client's address as text; null until that was asked for. */
    private String peer;
    final LoopContext loop;
    private final SocketChannel channel;
    private final SelectionKey key;

    /** The interest set that the key has. */
    private int interest = SelectionKey.OP_READ;

    /** Whether the client has ended its side. */
    boolean endOfStream;

    /** Whether it is being read, so that a failure is known for one of reading. */
    private boolean reading;

    /** When the socket was made, or last took bytes; and when it did, or bytes of a request came. */
    long lastWritten, lastActive;

    ClientSocket(LoopContext loop, SocketChannel channel, SelectionKey key) throws IOException {
        this.loop = loop;
        this.channel = channel;
        this.key = key;
        id = loop.group.nextId.getAndIncrement();
        client = channel.getRemoteAddress() instanceof InetSocketAddress named ? named : UNNAMED;
        lastWritten = loop.now();
        lastActive = lastWritten;
    }

    /**
     * Reads into the loop's buffer, and says how much; less than 0 when no more will come. Whoever wants it
     * notes that the connection is active.
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

    /** Writes what the socket takes at once, with at most so much of a body, if any; says how much. */
    int write(ByteBuffer out, Body body, long from, int most) throws IOException {
        int count = most == 0 ? channel.write(out) : body.write(out, from, most, channel);
        if (count == 0) return 0;
        lastWritten = loop.now();
        lastActive = lastWritten;
        loop.counters.add(Counters.BYTES_OUT, count);
        loop.log.report(WRITE, id, count);
        return count;
    }

    /** Says that nothing was read or written for too long. */
    void reportTimeout() {
        loop.counters.add(Counters.TIMEOUTS, 1);
        report(SOCKET_TIMEOUT);
    }

    /** Says what has happened to the connection. */
    void report(Event event) { loop.log.report(event, id, null); }

    /** Says what has ended the connection. */
    void report(Throwable cause) {
        Event network = reading ? READ_ERROR : WRITE_ERROR;
        loop.log.report(cause instanceof IOException ? network : CONNECTION_ERROR, id, cause);
    }

    /** The client's address, which stays the same, as text, which takes long to make. */
    String peer(SocketAddress client) {
        if (peer == null) peer = client.toString();
        return peer;
    }

    /** What was noted to have happened at the beginning of a long turn may have been at its end. */
    void postpone(long beginning, long end) {
        if (lastWritten == beginning) lastWritten = end;
        if (lastActive == beginning) lastActive = end;
    }

    /** Says what to watch for, if it is something else than before: that costs even without need. */
    void watch(int wanted) {
        if (wanted != interest) key.interestOps(wanted);
        interest = wanted;
    }

    /** Tells the selector anew, which may have forgotten when it failed. */
    void rearm() {
        if (!key.isValid()) return;
        key.interestOps(0);
        key.interestOps(interest);
    }

    /** Ends our side. */
    void endOutput() throws IOException { channel.shutdownOutput(); }

    /** Has the close be a reset, so that the kernel drops what it has not sent. */
    void dropUnsent() throws IOException { channel.setOption(StandardSocketOptions.SO_LINGER, 0); }

    void close() { close(channel, key); }

    /**
     * Closes also when there is no memory: then a channel's close may fail before it cancels the key, on
     * which the descriptor hangs, so that comes first. A selector may keep the key, even a closed one.
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
