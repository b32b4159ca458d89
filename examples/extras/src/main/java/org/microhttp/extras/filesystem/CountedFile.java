package org.microhttp.extras.filesystem;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An open file with several users. A user calls {@link #take} first and {@link #release} once; the opener is
 * a user from the start. The last user closes the file. For any thread, but an interrupt of a thread that
 * reads from the file closes it for all users.
 */
public final class CountedFile {

    private final FileChannel channel;

    /** The number of users; the first is the opener. */
    private final AtomicInteger users = new AtomicInteger(1);

    public CountedFile(FileChannel channel) {
        this.channel = channel;
    }

    public FileChannel channel() {
        return channel;
    }

    /** Adds a user; false if the last user has closed the file. */
    public boolean take() {
        int count = users.get();
        while (count > 0) {
            if (users.compareAndSet(count, count + 1)) {
                return true;
            }
            count = users.get();
        }
        return false;
    }

    /** {@return how many users have not released the file} */
    public int users() {
        return users.get();
    }

    /** Removes a user: called once for the opener and for each {@link #take}. */
    public void release() {
        if (users.decrementAndGet() == 0) {
            close();
        }
    }

    /** Closes the file for all users, who still call {@link #release}. */
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // nothing was written to the file, so nothing is lost
            return;
        }
    }
}
