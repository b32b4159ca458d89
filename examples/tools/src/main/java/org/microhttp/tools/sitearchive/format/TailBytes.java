package org.microhttp.tools.sitearchive.format;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.microhttp.tools.cdb.CdbBytes;

/** An archive whose last bytes were read into memory, where a search reads them without the file. */
final class TailBytes implements CdbBytes {

    private final CdbBytes archive;
    private final long from;
    private final byte[] tail;

    /** @param from where the tail begins, which fits into an array */
    TailBytes(CdbBytes archive, long from) throws IOException {
        this.archive = archive;
        this.from = from;
        tail = new byte[(int) (archive.length() - from)];
        archive.read(from, ByteBuffer.wrap(tail));
    }

    @Override
    public long length() {
        return archive.length();
    }

    @Override
    public void read(long at, ByteBuffer target) throws IOException {
        if (at < from || target.remaining() > length() - at) {
            archive.read(at, target);
        } else {
            target.put(tail, (int) (at - from), target.remaining());
        }
    }
}
