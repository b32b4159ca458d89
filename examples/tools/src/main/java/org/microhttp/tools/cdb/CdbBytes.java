package org.microhttp.tools.cdb;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The bytes of a file, wherever they are. For any thread. */
public interface CdbBytes {

    long length();

    /**
     * Reads as many bytes as the target has room for.
     *
     * @throws EOFException if there are not so many
     */
    void read(long at, ByteBuffer target) throws IOException;
}
