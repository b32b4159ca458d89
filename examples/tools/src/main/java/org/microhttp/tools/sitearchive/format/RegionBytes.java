package org.microhttp.tools.sitearchive.format;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;

/** An archive in buffers, from which bodies are sent. */
abstract class RegionBytes extends ArchiveBytes {

    /** Null when it was cut, so that the memory is given back although bodies of it may wait for clients. */
    private volatile Regions regions;

    RegionBytes(FileChannel file, int largest, Regions.Source source) throws IOException {
        super(file);
        regions = new Regions(new FileBytes(file), largest, source);
    }

    final Regions regions() throws ClosedChannelException {
        Regions now = regions;
        if (now == null) {
            throw new ClosedChannelException();
        }
        return now;
    }

    @Override
    final void requireBody(long position, long length) throws IOException {
        regions().slice(position, length);
    }

    @Override
    final long transfer(long position, int count, WritableByteChannel target) throws IOException {
        return target.write(regions().slice(position, count));
    }

    @Override
    public final void cut() {
        regions = null;
        super.cut();
    }
}
