package org.microhttp.archives;

import java.util.Locale;

/**
 * The tree, or what was made of it: a line of the result file. Records are those that are in the file one
 * after the other, and those that tinycdb counts; addresses those that were asked for, in all codings, of
 * which some were answered in one that is not identity. What does not apply is 0.
 */
public record ArchiveSize(String what, double seconds, long bytes, long files, long records, long tinycdb,
                          long answers, long coded) {

    static final String COLUMNS = String.join("\t", "what", "seconds", "bytes", "files", "records",
            "tinycdb_records", "answers", "coded_answers");

    String line() {
        return String.format(Locale.ROOT, "%s\t%.2f\t%d\t%d\t%d\t%d\t%d\t%d", what, seconds, bytes, files,
                records, tinycdb, answers, coded);
    }

    static ArchiveSize parse(String line) {
        String[] fields = line.split("\t");
        if (fields.length != 8) throw new IllegalArgumentException("not eight columns: " + line);
        long[] counts = new long[fields.length];
        for (int i = 2; i < fields.length; i++) counts[i] = Long.parseLong(fields[i]);
        return new ArchiveSize(fields[0], Double.parseDouble(fields[1]), counts[2], counts[3], counts[4],
                counts[5], counts[6], counts[7]);
    }
}
