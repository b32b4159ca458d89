package org.microhttp.tools.testing;

import java.io.EOFException;
import java.nio.ByteBuffer;
import org.microhttp.tools.cdb.CdbBytes;

/** A database in memory that counts how often, and how much, is read of it. For one thread. */
public final class CountingCdbBytes implements CdbBytes {

    private final byte[] bytes;
    private long reads;
    private long read;

    public CountingCdbBytes(byte[] bytes) {
        this.bytes = bytes;
    }

    @Override
    public long length() {
        return bytes.length;
    }

    @Override
    public void read(long at, ByteBuffer target) throws EOFException {
        reads++;
        read += target.remaining();
        if (at < 0 || at + target.remaining() > bytes.length) {
            throw new EOFException("at " + at + " are not " + target.remaining() + " of " + bytes.length);
        }
        target.put(bytes, (int) at, target.remaining());
    }

    public long reads() {
        return reads;
    }

    /** {@return how many bytes were read} */
    public long read() {
        return read;
    }
}
