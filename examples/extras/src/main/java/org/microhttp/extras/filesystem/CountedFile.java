package org.microhttp.extras.filesystem;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A file that is open for several. Who uses it takes it first and releases it once; who opened it has taken
 * it. The last one closes it. For any thread; but an interrupt of one that reads from it closes it for all.
 */
public final class CountedFile {

    private final FileChannel channel;

    /** The first is who opened it. */
    private final AtomicInteger users = new AtomicInteger(1);

    public CountedFile(FileChannel channel) {
        this.channel = channel;
    }

    public FileChannel channel() {
        return channel;
    }

    /** Takes it; false if it is closed. */
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

    /** {@return how many have taken it and not released it} */
    public int users() {
        return users.get();
    }

    /** Lets go of it, once for each time that it was taken. */
    public void release() {
        if (users.decrementAndGet() == 0) {
            close();
        }
    }

    /** Closes it for all who have taken it; they release it all the same. */
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // nothing was written to it, so nothing is lost
            return;
        }
    }
}
