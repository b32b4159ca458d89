package org.microhttp.testing;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.*;

/** A file that is in no file system: what a server does not ask of one. */
public abstract class MemoryFile extends FileChannel {

    @Override
    public final int read(ByteBuffer target) {
        throw unused();
    }

    @Override
    public final long read(ByteBuffer[] targets, int from, int count) {
        throw unused();
    }

    @Override
    public final int write(ByteBuffer source) {
        throw unused();
    }

    @Override
    public int write(ByteBuffer source, long position) throws IOException {
        throw unused();
    }

    @Override
    public final long write(ByteBuffer[] sources, int from, int count) {
        throw unused();
    }

    @Override
    public final long position() {
        throw unused();
    }

    @Override
    public final FileChannel position(long position) {
        throw unused();
    }

    @Override
    public final FileChannel truncate(long size) {
        throw unused();
    }

    @Override
    public final void force(boolean metaData) {
        throw unused();
    }

    @Override
    public final long transferFrom(ReadableByteChannel source, long position, long count) {
        throw unused();
    }

    @Override
    public final MappedByteBuffer map(MapMode mode, long position, long size) {
        throw unused();
    }

    @Override
    public final FileLock lock(long position, long size, boolean shared) {
        throw unused();
    }

    @Override
    public final FileLock tryLock(long position, long size, boolean shared) {
        throw unused();
    }

    private static UnsupportedOperationException unused() {
        return new UnsupportedOperationException();
    }
}
