package org.microhttp.extras.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.microhttp.Body;
import org.microhttp.Response;
import org.microhttp.extras.filesystem.CountedFile;

/**
 * An open file, with the response of its whole content. A user calls {@link #take} first and {@link #release}
 * once; a response calls {@code release} itself. The last user closes the file. For any thread.
 */
final class OpenFile {

    /** Bytes that the kernel reads into its cache before a loop sends them. */
    private static final int WARMED = 1 << 20;

    /** For so long after it was sent, a file is assumed to be in the kernel's cache. */
    private static final long WARM_NANOS = 30_000_000_000L;

    /** The time of use is updated at most once in this time. */
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

    /** {@return a body that releases this file} */
    Body body(long first, long count) {
        return Body.of(channel, first, count).onReleased(this::release);
    }

    /** Adds a user; false if the last user has closed the file. */
    boolean take() {
        return counted.take();
    }

    void release() {
        counted.release();
    }

    /** False also after an interrupt of a thread that reads: this closes the channel. */
    boolean isOpen() {
        return channel.isOpen();
    }

    /** Whether sending from the beginning needs no wait for the disk; if so, counts as sending. */
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
