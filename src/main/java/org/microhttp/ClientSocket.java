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

    /** The number of the connection, in events. */
    final long id;

    /** The other end; as text only once that was asked for. */
    final SocketAddress client;
    private String peer;
    private final LoopContext loop;
    private final SocketChannel channel;
    private final SelectionKey key;

    /** The interest set that the key has. */
    private int interest = SelectionKey.OP_READ;

    /** Whether the client has ended its side. */
    boolean endOfStream;

    /** Whether it is being read, so that a failure is known for one of reading. */
    private boolean reading;

    /** When bytes of a request last came, and when the socket last took some: at first, when it was made. */
    long lastRead, lastWritten;

    ClientSocket(LoopContext loop, SocketChannel channel, SelectionKey key, long id) throws IOException {
        this.loop = loop;
        this.channel = channel;
        this.key = key;
        this.id = id;
        client = channel.getRemoteAddress();
        lastRead = loop.now();
        lastWritten = lastRead;
    }

    /** Reads into the loop's buffer, and says how much; less than 0 when no more will come. */
    int receive(int most) throws IOException {
        int count = read(most);
        if (count > 0) lastRead = loop.now();
        return count;
    }

    /** Reads what nobody wants any more, which is no use of the connection. */
    int discard() throws IOException { return read(Integer.MAX_VALUE); }

    private int read(int most) throws IOException {
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

    /** Writes what the socket takes at once, with at most so much of a body, or null; says how much. */
    int write(ByteBuffer out, Body body, long from, int most) throws IOException {
        int count = (int) (body == null ? channel.write(out) : body.write(out, from, most, channel));
        if (count == 0) return 0;
        lastWritten = loop.now();
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

    /** Its client's address as text, which takes long to make. */
    String peer() {
        if (peer == null) peer = client.toString();
        return peer;
    }

    long lastActive() { return lastRead - lastWritten > 0 ? lastRead : lastWritten; }

    /** What was noted to have happened at the beginning of a long turn may have been at its end. */
    void postpone(long beginning, long end) {
        if (lastRead == beginning) lastRead = end;
        if (lastWritten == beginning) lastWritten = end;
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
     * which the descriptor hangs.
     */
    static void close(SelectableChannel channel, SelectionKey key) {
        try {
            channel.close();
        } catch (Throwable t) {
            // as closed as it can be
        }
        try {
            if (key != null) key.cancel();
        } catch (Throwable t) {
            // likewise
        }
    }
}
