package org.microhttp.tools.sitearchive.format;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/**
 * What a body of an archive is sent from, wherever the archive is. A body that is sent from a channel can
 * fail, and its connection is then closed in the middle of it: once the archive is cut, and if its file was
 * changed. The last bytes are sent only when they, and a look at the file after them, are in: so no client
 * gets all of a body of which a part was written over.
 */
final class BodyChannel extends FileChannel {

    /** What is sent last, from a copy that nobody writes over. */
    private static final int LAST = 4 << 10;

    private final ArchiveBytes archive;
    private final long end;
    private final BodyCheck check;

    /** @param end where in the archive the body ends */
    BodyChannel(ArchiveBytes archive, long end, BodyCheck check) {
        this.archive = archive;
        this.end = end;
        this.check = check;
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
        int from = target.position();
        int count = target.remaining();
        try {
            archive.read(position, target);
            requireUnchanged(position + count);
        } catch (IOException e) {
            target.position(from);
            throw e;
        }
        return count;
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
        long first = end - LAST - position;
        if (first > 0) {
            return archive.transfer(position, (int) Math.min(count, first), target);
        }
        var last = ByteBuffer.allocate((int) Math.min(count, end - position));
        read(last, position);
        return target.write(last.flip());
    }

    private void requireUnchanged(long sent) throws IOException {
        if (sent >= end) {
            check.requireUnchanged();
        }
    }

    @Override
    public long size() {
        return archive.length();
    }

    // a body needs no more

    @Override
    public int read(ByteBuffer target) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int write(ByteBuffer source) {
        throw new NonWritableChannelException();
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) {
        throw new NonWritableChannelException();
    }

    @Override
    public int write(ByteBuffer source, long position) {
        throw new NonWritableChannelException();
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) {
        throw new NonWritableChannelException();
    }

    @Override
    public FileChannel truncate(long size) {
        throw new NonWritableChannelException();
    }

    @Override
    public void force(boolean metadata) {
        throw new NonWritableChannelException();
    }

    @Override
    public long position() {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileChannel position(long position) {
        throw new UnsupportedOperationException();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) {
        throw new UnsupportedOperationException();
    }

    @Override
    protected void implCloseChannel() {
        // the archive is closed by those who took it
    }
}
