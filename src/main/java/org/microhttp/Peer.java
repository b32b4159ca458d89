package org.microhttp;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/**
 * The other end of a connection: its channel, what the selector watches that for, and the turns in which it
 * is served on the loop's thread. A turn is an error boundary: it takes a step, then sends what came of it,
 * as often as there is more behind that, then says what it waits for. What the peer did wrong is refused;
 * whatever else goes wrong ends this connection, and nothing else.
 */
abstract class Peer extends Scheduler.Entry {

    interface Step { void run(Connection connection) throws HttpError, IOException; }

    final Shared loop;
    final SocketChannel channel;
    final long id;
    private final SelectionKey key;

    /** The interest set that the key has. */
    private int interest = SelectionKey.OP_READ;

    /** Whether the peer has ended its side. */
    boolean endOfStream;

    Peer(Shared loop, SocketChannel channel, SelectionKey key, long id) {
        this.loop = loop;
        this.channel = channel;
        this.key = key;
        this.id = id;
    }

    /** Takes a step within a turn, and refuses what is wrong with it. */
    abstract void attempt(Step step) throws HttpError, IOException;

    /** Sends what the turn collected. True if all is sent, and more is to be done behind it. */
    abstract boolean deliver() throws IOException;

    /** Brings in line with the state what is waited for, once a turn: each costs even without need. */
    abstract void settle();

    /** Frees everything; harmless when done already. */
    abstract void close();

    final void turn(Step step, Step follow) {
        try {
            loop.beginTurn();
            attempt(step);
            while (deliver()) attempt(follow);
            settle();
        } catch (Throwable t) {
            end(t);
        }
    }

    private void end(Throwable cause) {
        try {
            if (cause instanceof IOException) loop.log.writeFailed(id, cause);
            else loop.log.failed(id, cause);
        } catch (Throwable t) {
            // no memory even for that
        }
        free();
    }

    final void free() {
        try {
            close();
        } catch (Throwable t) {
            // all that counts is done before anybody is told
        }
    }

    /** Says what to watch for, if it is something else than before. */
    final void watch(int wanted) {
        if (wanted != interest) key.interestOps(wanted);
        interest = wanted;
    }

    /** Tells the selector anew, which may have forgotten when it failed. */
    final void rearm() {
        if (!key.isValid()) return;
        key.interestOps(0);
        key.interestOps(interest);
    }

    /** Reads into the loop's buffer, and says how much; less than 0 when no more will come. */
    final int receive(int most) {
        loop.received.clear().limit(Math.min(most, loop.received.capacity()));
        try {
            int count = channel.read(loop.received);
            if (count < 0) loop.log.readClosed(id);
            if (count > 0) loop.log.read(id, count);
            endOfStream |= count < 0;
            return count;
        } catch (IOException e) {
            loop.log.readFailed(id, e);
            close();
            return 0;
        }
    }

    final void closeChannel() { Closing.close(channel, key); }
}
