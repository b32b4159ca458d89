package org.microhttp.tools.sitearchive.format;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.microhttp.tools.cdb.CdbBytes;

/** An archive in buffers. A buffer ends at 2 GiB, so there may be several; each record is in one of them. */
final class Regions {

    /** Makes a buffer of a part of the archive. */
    interface Source {

        ByteBuffer region(long position, int length) throws IOException;
    }

    private final ByteBuffer[] regions;

    /** Where each of them begins, and the last ends. */
    private final long[] cuts;

    /** @param largest how many bytes a buffer may have */
    Regions(CdbBytes bytes, int largest, Source source) throws IOException {
        cuts = RegionCuts.of(bytes, largest);
        regions = new ByteBuffer[cuts.length - 1];
        for (int i = 0; i < regions.length; i++) {
            regions[i] = source.region(cuts[i], (int) (cuts[i + 1] - cuts[i]));
        }
    }

    /** Fills the target with what is there, wherever it is cut. */
    void read(long at, ByteBuffer target) {
        int region = index(at);
        int from = (int) (at - cuts[region]);
        while (target.hasRemaining()) {
            ByteBuffer source = regions[region++];
            int count = Math.min(source.limit() - from, target.remaining());
            target.put(target.position(), source, from, count).position(target.position() + count);
            from = 0;
        }
    }

    /** {@return a part of one record} */
    ByteBuffer slice(long position, long length) throws IOException {
        int region = index(position);
        if (length > cuts[region + 1] - position) {
            throw new IOException("the " + length + " bytes from position " + position
                    + " on are not of one record");
        }
        return regions[region].slice((int) (position - cuts[region]), (int) length);
    }

    /** There are few. */
    private int index(long position) {
        int index = 0;
        while (index < regions.length - 1 && position >= cuts[index + 1]) {
            index++;
        }
        return index;
    }
}
