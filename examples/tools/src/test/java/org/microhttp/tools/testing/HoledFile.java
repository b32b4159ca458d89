package org.microhttp.tools.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import org.microhttp.testing.MemoryFile;

/** A file to which pieces of zeros are not written: where it has them it has holes. */
public class HoledFile extends MemoryFile {

    private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(1 << 16).asReadOnlyBuffer();

    private final FileChannel file;

    public HoledFile(FileChannel file) {
        this.file = file;
    }

    @Override
    public int write(ByteBuffer source, long position) throws IOException {
        int count = source.remaining();
        boolean zero = count <= ZEROS.capacity() && source.equals(ZEROS.slice(0, count));
        if (!zero) {
            return file.write(source, position);
        }
        source.position(source.limit());
        return count;
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
        return file.read(target, position);
    }

    @Override
    public long size() throws IOException {
        return file.size();
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
        return file.transferTo(position, count, target);
    }

    @Override
    protected void implCloseChannel() throws IOException {
        file.close();
    }

    /** {@return what is to be read as so many zeros, with a text behind them} */
    public static FileChannel zeros(long zeros, String end) {
        ByteBuffer last = UTF_8.encode(end);
        return new MemoryFile() {
            @Override
            public long size() {
                return zeros + last.limit();
            }

            @Override
            public int read(ByteBuffer target, long position) {
                ByteBuffer source = position < zeros ? ZEROS : last;
                int from = (int) Math.max(0, position - zeros);
                long left = (position < zeros ? zeros : size()) - position;
                int count = (int) Math.min(Math.min(source.limit() - from, left), target.remaining());
                target.put(source.slice(from, count));
                return count == 0 ? -1 : count;
            }

            @Override
            public long transferTo(long position, long count, WritableByteChannel target) {
                throw new UnsupportedOperationException();
            }

            @Override
            protected void implCloseChannel() {
            }
        };
    }
}
