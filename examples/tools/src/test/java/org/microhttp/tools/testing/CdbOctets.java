package org.microhttp.tools.testing;

import java.io.EOFException;
import java.nio.ByteBuffer;
import org.microhttp.tools.cdb.CdbBytes;

/** A database in memory that counts how often, and how much, is read of it. For one thread. */
public final class CdbOctets implements CdbBytes {

    private final byte[] octets;
    private long reads;
    private long read;

    public CdbOctets(byte[] octets) {
        this.octets = octets;
    }

    @Override
    public long length() {
        return octets.length;
    }

    @Override
    public void read(long at, ByteBuffer target) throws EOFException {
        reads++;
        read += target.remaining();
        if (at < 0 || at + target.remaining() > octets.length) {
            throw new EOFException("at " + at + " are not " + target.remaining() + " of " + octets.length);
        }
        target.put(octets, (int) at, target.remaining());
    }

    public long reads() {
        return reads;
    }

    /** {@return how many octets were read} */
    public long read() {
        return read;
    }
}
