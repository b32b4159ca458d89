package org.microhttp.extras.websocket;

import java.util.function.Consumer;

/** The part of the shared memory that one connection holds. Safe for all threads. */
final class Share {

    final SharedMemory memory;

    /** How many bytes are held, and since when it is more than none; guarded by the memory. */
    long held;
    long since;

    private final Consumer<CloseStatus> onGivenUp;

    /** Bytes of input that is not read yet. */
    private long unread;

    /** Bytes of an incomplete message, and since when. */
    private long received;
    private long begun;

    /** Whether nothing more is received, so that nothing more is counted. */
    private boolean over;

    /** @param onGivenUp ends the connection; any thread may call it, even more than once */
    Share(SharedMemory memory, Consumer<CloseStatus> onGivenUp) {
        this.memory = memory;
        this.onGivenUp = onGivenUp;
    }

    /**
     * Sets the bytes of the unfinished message, 0 for none.
     *
     * @return false if the connection is given up or over
     */
    boolean receive(long bytes) {
        return set(bytes) && memory.relieve(this);
    }

    /**
     * Sets the bytes of input that is not read yet, 0 for none.
     *
     * @return false if the connection is given up or over
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

    /** How long ago the unfinished message began; below 0 if there is none. */
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
