package org.microhttp.tools.sitearchive.format;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;

/**
 * An archive that is mapped: bodies are sent from there, and only the kernel reads them, which notices if the
 * file was cut. A read by the JVM would get garbage then, and an {@code InternalError} at any time later, in
 * whatever that thread does; so what is searched is read.
 */
final class MappedBytes extends RegionBytes {

    /** @param largest how many bytes a mapping may have */
    MappedBytes(FileChannel file, int largest) throws IOException {
        super(file, largest, (position, length) -> map(file, position, length));
    }

    private static ByteBuffer map(FileChannel file, long position, int length) throws IOException {
        try {
            return file.map(MapMode.READ_ONLY, position, length);
        } catch (IOException | OutOfMemoryError e) {
            throw new IOException("the " + length + " bytes of the archive from position " + position
                    + " on cannot be mapped: " + e.getMessage(), e);
        }
    }
}
