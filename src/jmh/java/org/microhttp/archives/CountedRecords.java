package org.microhttp.archives;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.microhttp.measure.Children;

/**
 * How many records an archive has: as they lie in the file one after the other, and as tinycdb has them, as
 * many; 0 where there is no tinycdb.
 */
record CountedRecords(long ours, long tinycdb) {

    private static final Pattern STATISTICS = Pattern.compile("number of records: (\\d+)");

    /** The header of such a file: where each of 256 tables begins, and how many places it has. */
    private static final int HEADER = 2048;

    private static final double SECONDS_AT_MOST = 60;

    static CountedRecords of(Path archive, boolean installed) throws IOException {
        long ours = walk(archive), tinycdb = installed ? ask(archive) : 0;
        boolean differ = tinycdb > 0 && tinycdb != ours;
        if (differ) throw new IOException(ours + " records, of tinycdb " + tinycdb);
        return new CountedRecords(ours, tinycdb);
    }

    private static long walk(Path archive) throws IOException {
        try (InputStream file = new BufferedInputStream(Files.newInputStream(archive));
                DataInputStream in = new DataInputStream(file)) {
            ByteBuffer header = ByteBuffer.wrap(in.readNBytes(HEADER)).order(ByteOrder.LITTLE_ENDIAN);
            long end = Long.MAX_VALUE, records = 0;
            for (int at = 0; at < HEADER; at += 8) end = Math.min(end, header.getInt(at) & 0xffffffffL);
            for (long at = HEADER; at < end; records++) {
                long length = length(in) + length(in);
                in.skipNBytes(length);
                at += 8 + length;
            }
            return records;
        }
    }

    private static long length(DataInputStream in) throws IOException {
        return Integer.reverseBytes(in.readInt()) & 0xffffffffL;
    }

    /** Its statistics and its list of keys have to be of as many. */
    private static long ask(Path archive) throws IOException {
        String told = Children.succeed(List.of("cdb", "-s", "" + archive), SECONDS_AT_MOST);
        Matcher counted = STATISTICS.matcher(told);
        if (!counted.find()) throw new IOException("no statistics: " + told);
        long records = Long.parseLong(counted.group(1));
        String keys = Children.succeed(List.of("cdb", "-l", "" + archive), SECONDS_AT_MOST);
        long listed = keys.lines().filter(line -> line.matches("[+]\\d+:.*")).count();
        if (listed != records) throw new IOException(listed + " keys, and " + records + " records");
        return records;
    }
}
