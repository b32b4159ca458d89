package org.microhttp.compare;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
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
        try (FileChannel file = FileChannel.open(archive)) {
            ByteBuffer bytes = file.map(FileChannel.MapMode.READ_ONLY, 0, file.size())
                    .order(ByteOrder.LITTLE_ENDIAN);
            int end = Integer.MAX_VALUE, records = 0;
            for (int at = 0; at < HEADER; at += 8) end = Math.min(end, bytes.getInt(at));
            for (int at = HEADER; at < end; records++) at += 8 + bytes.getInt(at) + bytes.getInt(at + 4);
            return records;
        }
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
