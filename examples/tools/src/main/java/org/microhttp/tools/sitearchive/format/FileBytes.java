package org.microhttp.tools.sitearchive.format;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;

/** An archive that stays in its file. */
final class FileBytes extends ArchiveBytes {

    private final FileChannel file;

    FileBytes(FileChannel file) throws IOException {
        super(file);
        this.file = file;
    }

    @Override
    void requireBody(long position, long length) {
        // a file is one piece
    }

    @Override
    long transfer(long position, int count, WritableByteChannel target) throws IOException {
        return file.transferTo(position, count, target);
    }
}
