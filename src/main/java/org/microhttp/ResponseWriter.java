package org.microhttp;

import java.io.IOException;

/**
 * The sending side of a connection. Responses are collected in the loop's write buffer, so that a pipelined
 * batch leaves in one write, and go out when the turn ends or the buffer is full. A response that is larger
 * than the buffer goes through it: filled and written by turns, as long as the socket takes all and the turn
 * may write; what of a body need not be copied is written past it, together with what it holds. What the
 * socket does not take is kept here: of a large response as a position in it, of several small ones as bytes.
 * <p>
 * An exchange is over when its response is sent, or, of a pipelined batch, when the next one is added.
 */
final class ResponseWriter {

    private final LoopContext loop;
    private final ClientSocket socket;

    /**
     * The response that was encoded last, until all of it is sent. It is in the loop's encoder, which is the
     * connection's own as soon as the socket does not take all in a turn.
     */
    private ResponseEncoder current;

    /** What else is unsent; charged while it is here. */
    private byte[] unsent = ByteQueue.NONE;

    /** Whether something is unsent: it waits for the socket, or, paused, for the time of a body. */
    boolean blocked, paused;

    ResponseWriter(ClientSocket socket) {
        this.socket = socket;
        loop = socket.loop;
    }

    /**
     * Adds an answer, or the interim answer 100 for null, when nothing is blocked. True when it is sent, or
     * waits whole in the buffer. If its body fails before anything of it is sent, it becomes a 500.
     */
    boolean add(Exchange answered) throws IOException {
        letGo(0);
        current = loop.encoder;
        current.start(answered, answered == null ? ByteQueue.NONE : loop.tail.of(answered, loop.now()));
        loop.out.mark();
        try {
            if (encode()) return true;
        } catch (ResponseEncoder.BodyFailure e) {
            loop.out.limit(loop.out.capacity()).reset();
            answered.replace();
            current = null;
            return add(answered);
        }
        return flush();
    }

    /** Sends what it can, as long as the turn may write, and keeps the rest. True when nothing is left. */
    boolean flush() throws IOException {
        loop.out.put(unsent);
        giveBack();
        // what is here is sent before more is encoded, which may fail
        blocked = loop.out.position() > 0 && !write();
        while (!blocked && !(encode() && loop.out.position() == 0)) {
            blocked = !write();
        }
        if (blocked) {
            keep();
        } else {
            letGo(0);
        }
        return !blocked;
    }

    /** Until when it waits for the socket, or for the time of the body. */
    long deadline() { return socket.lastWritten + (paused ? current.body.delay : loop.socketTimeout); }

    /**
     * Whether its time is over, and nothing can be sent: it is tried once more first, for after a long turn
     * the socket may be ready and the loop not know it yet.
     */
    boolean isStuck() throws IOException {
        if (flush() || socket.lastWritten == loop.now()) return false;
        socket.reportTimeout();
        // else the kernel would go on offering megabytes to a client that does not read
        socket.dropUnsent();
        return true;
    }

    /** Puts what fits of the current response into the buffer; true if nothing of it is left. */
    private boolean encode() throws IOException {
        if (current == null) return true;
        boolean complete = current.encode(loop.out);
        if (complete && !current.reported) {
            // what the socket does not take is encoded again, but is no other response
            current.reported = true;
            loop.counters.add(Counters.ANSWERS + current.answered.response.status() / 100, 1);
            loop.log.responseWritten(socket.id, current);
        }
        return complete;
    }

    /**
     * Writes once, if the turn still may; true if the socket took all of it. What it did not take of the
     * buffer is in it still.
     */
    private boolean write() throws IOException {
        if (loop.writesLeft == 0) return false;
        loop.writesLeft--;
        paused = loop.out.position() == 0 && current.isEarly(socket, loop.now());
        if (paused) return false;
        try {
            return current.write(loop.out.flip(), socket);
        } finally {
            loop.out.compact();
        }
    }

    /**
     * Keeps what the buffer still has to be sent, and empties it. The end of it is the current response's: if
     * all of it is, that is rewound, and encoded again when the socket is ready, for pieces of large ones
     * would add up; else all is copied, charged, and goes out before the current one goes on.
     */
    private void keep() throws IOException {
        int left = loop.out.position();
        if (current == loop.encoder) loop.encoder = new ResponseEncoder();
        if (!current.takeBack(left)) {
            var copy = new byte[left];
            loop.out.flip().get(copy);
            if (!loop.group.bytes.tryTake(left)) throw new IOException("no buffer left for unread answers");
            unsent = copy;
        }
        if (current.answered != null) current.answered.charge();
        loop.out.clear();
    }

    private void giveBack() {
        loop.group.bytes.giveBack(unsent.length);
        unsent = ByteQueue.NONE;
    }

    private void letGo(int waiting) {
        if (current != null) current.clear(waiting);
        current = null;
    }

    /** Forgets everything, what is in the write buffer too. */
    void drop() {
        int waiting = loop.out.position() + unsent.length;
        loop.out.clear();
        giveBack();
        letGo(waiting);
    }
}
