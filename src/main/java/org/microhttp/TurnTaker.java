package org.microhttp;

import java.io.IOException;

/**
 * What is served in turns on the loop's thread: a turn takes a step, then sends what came of it, as often as
 * there is more behind that, then says what is waited for. A turn is an error boundary: what the client did
 * wrong is refused, and whatever else goes wrong ends this connection, and nothing else. The frame of a turn
 * is here, and {@link Connection} has the steps, so that each can be read by itself.
 */
abstract class TurnTaker extends Scheduler.Entry {

    /** What a turn begins with, or goes on with. */
    interface Step { void run(Connection connection) throws IOException; }

    // made beforehand, for a step that there is no memory for would be taken by nobody
    private static final Step RECEIVE = Connection::receive;
    private static final Step GIVE_UP = Connection::giveUp;
    static final Step FOLLOW = Connection::follow;

    final LoopContext loop;
    final ClientSocket socket;

    TurnTaker(ClientSocket socket) {
        this.socket = socket;
        loop = socket.loop;
    }

    /** The channel is ready. */
    final void onReady() { turn(RECEIVE); }

    @Override
    final void onDeadline() { turn(GIVE_UP); }

    /** Has a turn take a step soon; false if none will, for the loop has ended. From any thread. */
    final boolean later(Step step) { return loop.tasks.add(() -> turn(step)); }

    /** Takes a step, and says what is waited for; on the loop's thread. */
    final void turn(Step step) {
        assert loop.tasks.isLoopThread();
        try {
            loop.beginConnectionTurn();
            attempt(step);
            while (deliver()) {
                attempt(FOLLOW);
            }
            settle();
        } catch (Throwable t) {
            fail(t);
        }
    }

    /** Takes a step, and refuses what is wrong with what it has found. */
    abstract void attempt(Step step) throws IOException;

    /** Sends what the turn has collected. True if all is sent, and more is to be done behind it. */
    abstract boolean deliver() throws IOException;

    /** Says what is waited for, and until when. */
    abstract void settle();

    /** Frees everything; harmless when done already. */
    abstract void close();

    private void fail(Throwable cause) {
        try {
            if (cause instanceof ResponseEncoder.BodyFailure) {
                cut();
                settle();
                return;
            }
            socket.report(cause);
        } catch (Throwable t) {
            // no memory even for that
        }
        free();
    }

    /** Sends nothing more, and lets the client take what was written before. */
    abstract void cut() throws IOException;

    /** Closes, whatever happens. */
    final void free() {
        try {
            close();
        } catch (Throwable t) {
            // all that counts is done before anybody is told
        }
    }
}
