package org.microhttp.extras.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.microhttp.Body;
import org.microhttp.Response;
import org.microhttp.extras.filesystem.CountedFile;

/**
 * A file that is open, with the response of all of it. Who uses it takes it first and releases it once, the
 * responses on their own; the last one closes it. For any thread.
 */
final class OpenFile {

    /** What the kernel is asked to have in memory before a loop sends it. */
    private static final int WARMED = 1 << 20;

    /** A file that was sent so lately is taken to be in the kernel's memory still. */
    private static final long WARM_NANOS = 30_000_000_000L;

    /** So often is written down that it is used. */
    private static final long USE_NANOS = 1_000_000_000L;

    private static final int PIECE = 1 << 16;

    final Response whole;
    private final CountedFile counted;
    private final FileChannel channel;
    private final long length;

    /** When the beginning was last sent or read. */
    private volatile long usedAt;

    OpenFile(FileChannel channel, FileContent content, long now) {
        this.channel = channel;
        counted = new CountedFile(channel);
        length = content.variant().length();
        usedAt = now - WARM_NANOS;
        whole = content.response(body(0, length));
    }

    /** {@return a body that releases this} */
    Body body(long first, long count) {
        return Body.of(channel, first, count).onReleased(this::release);
    }

    /** Takes it; false if it is closed. */
    boolean take() {
        return counted.take();
    }

    void release() {
        counted.release();
    }

    /** An interrupt of a thread that reads from a channel closes it. */
    boolean isOpen() {
        return channel.isOpen();
    }

    /** Whether sending it from its beginning will not have to wait for the disk; counts as doing so. */
    boolean isWarm(long now) {
        long idle = now - usedAt;
        if (length > PIECE && idle >= WARM_NANOS) {
            return false;
        }
        if (idle >= USE_NANOS) {
            usedAt = now;
        }
        return true;
    }

    /** Has the kernel read the beginning of a region, so that the loop need not wait for the disk there. */
    void warm(long first, long count, long now) throws IOException {
        var into = ByteBuffer.allocate(PIECE);
        long end = first + Math.min(count, WARMED);
        long at = first;
        int read = 0;
        while (at < end && read >= 0) {
            into.clear().limit((int) Math.min(PIECE, end - at));
            read = channel.read(into, at);
            at += read;
        }
        if (first == 0) {
            usedAt = now;
        }
    }
}
