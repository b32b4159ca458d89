package org.microhttp.extras.websocket;

import java.util.function.Consumer;

/** What one connection holds of the memory that connections share. Safe for all threads. */
final class Share {

    final SharedMemory memory;

    /** How much it is, and since when it was not nothing; guarded by the memory. */
    long held;
    long since;

    private final Consumer<CloseStatus> onGivenUp;

    /** What it holds of input that is not read yet; nothing more once it is over. */
    private long unread;

    /** What it holds of a message that has not come whole, and since when. */
    private long received;
    private long begun;
    private boolean over;

    /** @param onGivenUp ends the connection; called by any thread, also more than once */
    Share(SharedMemory memory, Consumer<CloseStatus> onGivenUp) {
        this.memory = memory;
        this.onGivenUp = onGivenUp;
    }

    /**
     * Sets how much the unfinished message takes, 0 for none.
     *
     * @return false if the connection is given up
     */
    boolean receive(long bytes) {
        return set(bytes) && memory.relieve(this);
    }

    /**
     * Sets how much input is not read yet, 0 for none.
     *
     * @return false if the connection is given up
     */
    boolean keep(long bytes) {
        return setUnread(bytes) && memory.relieve(this);
    }

    private synchronized boolean set(long bytes) {
        if (over || bytes == received) {
            return !over;
        }
        begun = received == 0 ? System.nanoTime() : begun;
        hold(bytes - received);
        received = bytes;
        return true;
    }

    private synchronized boolean setUnread(long bytes) {
        if (!over && bytes != unread) {
            hold(bytes - unread);
            unread = bytes;
        }
        return !over;
    }

    private void hold(long more) {
        memory.use(more);
        memory.hold(this, more);
    }

    /** How long ago the unfinished message was begun; below 0 if there is none. */
    synchronized long receivingNanos(long now) {
        return received > 0 ? now - begun : -1;
    }

    /** Nothing more is received. */
    synchronized void end() {
        set(0);
        setUnread(0);
        over = true;
    }

    void giveUp(CloseStatus why) {
        end();
        onGivenUp.accept(why);
    }
}
