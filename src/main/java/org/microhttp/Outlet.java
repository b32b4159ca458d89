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

    private final Shared loop;
    private final SocketChannel channel;
    private final long id;

    /** The answer encoded last, until all of it is sent; what else is unsent, charged while it is here. */
    private Exchange current;
    private byte[] unsent;

    /** Whether something waits for the socket to become writable. */
    boolean blocked;

    /** When the socket last took something. */
    long progress;

    Outlet(Shared loop, SocketChannel channel, long id) {
        this.loop = loop;
        this.channel = channel;
        this.id = id;
        progress = loop.now();
    }

    /** Adds an answer, when nothing is blocked. True when it is sent, or waits whole in the buffer. */
    boolean add(Exchange answer) throws IOException {
        current = answer;
        return encode(loop.out) || flush();
    }

    /** Sends what it can, as long as the turn may write, and keeps the rest. True when nothing is left. */
    boolean flush() throws IOException {
        ByteBuffer out = loop.out;
        restore(out);
        blocked = true;
        while (blocked && loop.writesLeft > 0) {
            boolean complete = encode(out);
            if (out.position() > 0 && !write(out)) return false;
            blocked = !complete;
        }
        if (blocked) keep(out.flip());
        else current = null;
        return !blocked;
    }

    private boolean encode(ByteBuffer out) {
        if (current == null || current.position == current.end) return true;
        boolean complete = current.encode(out);
        // what the socket does not take is encoded again, but is no other response
        if (complete && !current.told) {
            current.told = true;
            loop.log.responseWritten(id, current);
        }
        return complete;
    }

    /** Writes once. False when the socket did not take all; the buffer is empty in either case. */
    private boolean write(ByteBuffer out) throws IOException {
        loop.writesLeft--;
        int count = channel.write(out.flip());
        if (count > 0) {
            progress = loop.now();
            loop.log.wrote(id, count);
        }
        boolean all = !out.hasRemaining();
        keep(out);
        return all;
    }

    /**
     * Keeps what the buffer still has to be sent, and empties it. The end of it is the current answer's: if
     * all of it is, that is encoded again when the socket is ready, for pieces of large answers would add up.
     */
    private void keep(ByteBuffer out) throws IOException {
        int left = out.remaining();
        if (current != null && left <= current.position) {
            current.position -= left;
        } else if (left > 0) {
            var copy = new byte[left];
            out.get(copy);
            if (!loop.common.bytes.tryTake(left)) throw new IOException("no buffer left for unread answers");
            unsent = copy;
        }
        out.clear();
    }

    private void restore(ByteBuffer out) {
        if (unsent == null) return;
        out.put(unsent);
        letGo();
    }

    private void letGo() {
        if (unsent != null) loop.common.bytes.giveBack(unsent.length);
        unsent = null;
    }

    /** Forgets everything, what is in the write buffer too. */
    void drop() {
        loop.out.clear();
        letGo();
        if (current != null) loop.log.answered(current);
        current = null;
    }
}
