package org.microhttp.tools.cdb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Reads a part of a file from its beginning to its end, by a buffer. */
final class CdbCursor {

    private static final int PIECE = 1 << 12;

    private final CdbBytes bytes;
    private final long end;
    private final ByteBuffer buffer = ByteBuffer.allocate(PIECE).order(ByteOrder.LITTLE_ENDIAN).limit(0);

    /** Where the next byte is; that of the buffer is the same. */
    private long at;

    CdbCursor(CdbBytes bytes, long begin, long end) {
        this.bytes = bytes;
        this.end = end;
        at = begin;
    }

    long at() {
        return at;
    }

    long remaining() {
        return end - at;
    }

    /** {@return the next number, without sign} */
    long readNumber() throws IOException {
        if (buffer.remaining() < Integer.BYTES) {
            fill(Integer.BYTES);
        }
        at += Integer.BYTES;
        return Integer.toUnsignedLong(buffer.getInt());
    }

    byte[] readBytes(int count) throws IOException {
        require(count);
        var copy = new byte[count];
        if (buffer.remaining() < count && count <= PIECE) {
            fill(count);
        }
        if (buffer.remaining() >= count) {
            buffer.get(copy);
        } else {
            bytes.read(at, ByteBuffer.wrap(copy));
            buffer.limit(buffer.position());
        }
        at += count;
        return copy;
    }

    void skip(long count) throws IOException {
        require(count);
        at += count;
        if (count > buffer.remaining()) {
            buffer.limit(buffer.position());
        } else {
            buffer.position(buffer.position() + (int) count);
        }
    }

    private void fill(int least) throws IOException {
        require(least);
        buffer.clear().limit((int) Math.min(PIECE, remaining()));
        bytes.read(at, buffer);
        buffer.flip();
    }

    private void require(long count) throws IOException {
        if (count > remaining()) {
            throw new IOException("at position " + at + " are " + count + " bytes needed, and there are "
                    + remaining() + " up to position " + end + ": the file is damaged");
        }
    }
}
