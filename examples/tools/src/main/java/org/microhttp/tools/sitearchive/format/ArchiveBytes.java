package org.microhttp.tools.sitearchive.format;

import static java.nio.file.StandardOpenOption.READ;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.microhttp.Body;
import org.microhttp.extras.filesystem.CountedFile;
import org.microhttp.tools.cdb.CdbBytes;

/**
 * The bytes of an archive: in its file, in memory, or mapped. Who uses them takes them first and releases
 * them once; bodies release them on their own. Who opened them has taken them. The last one closes the file.
 * For any thread; but an interrupt of a thread that reads from the file closes it for all.
 */
public abstract class ArchiveBytes implements CdbBytes {

    /** Where the bytes are from which bodies are sent. */
    public enum Kind { FILE, MEMORY, MAPPED }

    private static final int PIECE = 1 << 16;
    private static final int LONGEST_ARRAY = Integer.MAX_VALUE - 8;

    private final CountedFile counted;
    private final FileChannel file;
    private final long length;

    ArchiveBytes(FileChannel file) throws IOException {
        this.file = file;
        counted = new CountedFile(file);
        length = file.size();
    }

    /** Opens an archive. Only one that a buffer has no room for is looked at, record by record. */
    public static ArchiveBytes open(Path path, Kind kind) throws IOException {
        return open(path, kind, Integer.MAX_VALUE);
    }

    /** @param largest how many bytes a buffer may have, 1 or more */
    public static ArchiveBytes open(Path path, Kind kind, int largest) throws IOException {
        if (largest < 1) {
            throw new IllegalArgumentException("buffers of " + largest + " bytes; allowed are 1 and more");
        }
        if (!Files.readAttributes(path, BasicFileAttributes.class).isRegularFile()) {
            throw new FileSystemException(path.toString(), null, "it is not a regular file");
        }
        FileChannel file = FileChannel.open(path, READ);
        boolean opened = false;
        try {
            ArchiveBytes bytes = switch (kind) {
                case FILE -> new FileBytes(file);
                case MEMORY -> new MemoryBytes(file, largest);
                case MAPPED -> new MappedBytes(file, largest);
            };
            opened = true;
            return bytes;
        } finally {
            if (!opened) {
                file.close();
            }
        }
    }

    @Override
    public final long length() {
        return length;
    }

    @Override
    public void read(long at, ByteBuffer target) throws IOException {
        require(at, target.remaining());
        long from = at;
        while (target.hasRemaining()) {
            int count = file.read(target, from);
            if (count < 0) {
                throw new EOFException("the archive was cut, at position " + from + " or before");
            }
            from += count;
        }
    }

    /**
     * {@return a body of a part of one record, which releases this}
     *
     * @param check before the last of it is sent
     * @throws EOFException if there is no such part
     */
    public final Body body(long position, long length, BodyCheck check) throws IOException {
        require(position, length);
        requireBody(position, length);
        var channel = new BodyChannel(this, position + length, check);
        return Body.of(channel, position, length).onReleased(this::release);
    }

    /** Fails if it is not of one record. */
    abstract void requireBody(long position, long length) throws IOException;

    /**
     * Sends some of a body.
     *
     * @return how much the target took
     */
    abstract long transfer(long position, int count, WritableByteChannel target) throws IOException;

    /** Whether all of it is still there: false if the file was cut. */
    public boolean isWhole() throws IOException {
        return file.size() == length;
    }

    /**
     * {@return the same bytes, of which those from a position on are read from memory}
     *
     * @param most how many bytes of the heap that may take; where it needs more, all stay where they are
     */
    public CdbBytes withTail(long from, long most) throws IOException {
        return length - from > Math.min(most, LONGEST_ARRAY) ? this : new TailBytes(this, from);
    }

    /** Reads all of it once, so that the first requests need not wait for the disk. */
    public void preload() throws IOException {
        var into = ByteBuffer.allocateDirect(PIECE);
        for (long at = 0; at < length; at += into.limit()) {
            into.clear().limit((int) Math.min(PIECE, length - at));
            read(at, into);
        }
    }

    /** Takes it; false if it is closed. */
    public final boolean take() {
        return counted.take();
    }

    /** Lets go of it, once for each time that it was taken. */
    public final void release() {
        counted.release();
    }

    /**
     * Ends all use of it: a body that is being sent fails at its next write, and its connection is closed.
     * Who has taken it releases it all the same.
     */
    public void cut() {
        counted.close();
    }

    /** {@return how many have taken it} */
    public final int users() {
        return counted.users();
    }

    /** Fails if there is no such part. */
    final void require(long position, long count) throws EOFException {
        if (position < 0 || count < 0 || count > length - position) {
            throw new EOFException("the archive has " + length + " bytes, and not " + count
                    + " from position " + position + " on");
        }
    }
}
