package org.microhttp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * The sending side of a connection. Answers are collected in the loop's write buffer, so that a pipelined
 * batch leaves in one write, and go out when the turn ends or the buffer is full. What the socket does not
 * take is kept here: of a large answer as a position in it, of several small ones as bytes.
 */
final class Outlet {

    /**
     * A client that reads as fast as we write must not hold the loop for the length of its response: 1 MiB.
     */
    private static final int MAX_WRITES_PER_TURN = 16;

    private final Shared loop;
    private final SocketChannel channel;
    private final long id;

    /** The answer that was encoded last, until all of it is sent; what else was encoded and not sent. */
    private Exchange current;
    private byte[] unsent;

    /** Whether something waits for the socket to become writable. */
    boolean blocked;

    /** When the socket last took something. */
    long progress;

    Outlet(Shared loop, SocketChannel channel, long id) {
        this.loop = loop; this.channel = channel; this.id = id;
        progress = loop.now();
    }

    /** Adds an answer, when nothing is blocked. True when it is sent, or waits whole in the buffer. */
    boolean add(Exchange answer) throws IOException { current = answer; return encode(loop.out) || flush(); }

    /** Sends what it can, and keeps the rest. True when nothing is left. */
    boolean flush() throws IOException {
        ByteBuffer out = loop.out;
        restore(out);
        blocked = true;
        for (int i = 0; blocked && i < MAX_WRITES_PER_TURN; i++) {
            boolean complete = encode(out);
            if (out.position() > 0 && !write(out)) return false;
            blocked = !complete;
        }
        if (!blocked) current = null;
        return !blocked;
    }

    private boolean encode(ByteBuffer out) {
        if (current == null || current.position == current.end) return true;
        boolean complete = current.encode(out);
        // what the socket does not take is encoded again, but is no other response
        if (complete && !current.told) loop.log.responseWritten(id, current);
        current.told |= complete;
        return complete;
    }

    /** Writes once. False when the socket did not take all; the buffer is empty in either case. */
    private boolean write(ByteBuffer out) throws IOException {
        int count = channel.write(out.flip());
        if (count > 0) progress = loop.now();
        if (count > 0) loop.log.wrote(id, count);
        int left = out.remaining();
        // encoded again when the socket is ready: a piece of each large response, copied, would add up
        if (current != null && left <= current.position) current.position -= left;
        else if (left > 0) {
            if (!loop.common.bytes.tryTake(left)) throw new IOException("no buffer left for unread answers");
            out.get(unsent = new byte[left]);
        }
        out.clear();
        return left == 0;
    }

    private void restore(ByteBuffer out) {
        if (unsent == null) return;
        out.put(unsent);
        loop.common.bytes.giveBack(unsent.length);
        unsent = null;
    }

    /** Forgets everything, what is in the write buffer too. */
    void drop() { restore(loop.out.clear()); loop.out.clear(); current = null; }
}
