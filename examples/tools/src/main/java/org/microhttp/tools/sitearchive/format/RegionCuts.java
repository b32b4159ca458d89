package org.microhttp.tools.sitearchive.format;

import java.io.IOException;
import java.util.stream.LongStream;
import org.microhttp.tools.cdb.CdbBytes;
import org.microhttp.tools.cdb.CdbReader;
import org.microhttp.tools.cdb.CdbValue;

/** Cuts an archive into regions, so that each record is in one of them. */
final class RegionCuts implements CdbReader.Visitor {

    private final long largest;
    private final LongStream.Builder cuts = LongStream.builder();

    /** Where the region begins that is not ended yet. */
    private long begin;

    /** Up to where it may go. */
    private long end;

    private RegionCuts(long largest) {
        this.largest = largest;
    }

    /**
     * {@return where each region begins, and the last ends} Only if there are several the records are read.
     *
     * @param largest how many bytes are in a region at most
     */
    static long[] of(CdbBytes bytes, int largest) throws IOException {
        var cuts = new RegionCuts(largest);
        cuts.cut(0);
        if (bytes.length() > largest) {
            new CdbReader(bytes).forEach(cuts);
        }
        cuts.cutTables(bytes.length());
        cuts.cut(bytes.length());
        return cuts.cuts.build().toArray();
    }

    private void cut(long position) {
        cuts.add(position);
        begin = position;
        end = position;
    }

    @Override
    public void visit(byte[] key, CdbValue value) throws IOException {
        long next = value.position() + value.length();
        if (next - begin > largest && end > begin) {
            cut(end);
        }
        if (next - begin > largest) {
            throw new IOException("a record of the archive ends at position " + next + " and is longer than "
                    + largest + " bytes, which are the most that is taken into memory, or mapped, at once");
        }
        end = next;
    }

    /** No body is of the tables, so they are cut anywhere. */
    private void cutTables(long length) {
        if (length - begin > largest && end > begin) {
            cut(end);
        }
        while (length - begin > largest) {
            cut(begin + largest);
        }
    }
}
