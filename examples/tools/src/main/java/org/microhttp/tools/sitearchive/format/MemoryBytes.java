package org.microhttp.tools.sitearchive.format;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.microhttp.tools.cdb.CdbBytes;

/** An archive that was read into memory beside the heap, from where it is sent with one copy less. */
final class MemoryBytes extends RegionBytes {

    /** @param largest how many bytes a buffer may have */
    MemoryBytes(FileChannel file, int largest) throws IOException {
        super(file, largest, (position, length) -> copy(file, position, length));
        file.close();
    }

    private static ByteBuffer copy(FileChannel file, long position, int length) throws IOException {
        var inFile = new FileBytes(file);
        ByteBuffer copy;
        try {
            copy = ByteBuffer.allocateDirect(length);
        } catch (OutOfMemoryError e) {
            throw new IOException("the archive does not fit into memory: it has " + inFile.length()
                    + " bytes; -XX:MaxDirectMemorySize sets what a JVM has beside its heap", e);
        }
        inFile.read(position, copy);
        return copy.flip();
    }

    @Override
    public void read(long at, ByteBuffer target) throws IOException {
        require(at, target.remaining());
        regions().read(at, target);
    }

    /** It is there already. */
    @Override
    public CdbBytes withTail(long from, long most) {
        return this;
    }

    @Override
    public boolean isWhole() {
        return true;
    }

    /** It is read already. */
    @Override
    public void preload() {
    }
}
