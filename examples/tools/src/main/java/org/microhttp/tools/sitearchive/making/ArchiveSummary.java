package org.microhttp.tools.sitearchive.making;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.microhttp.extras.representation.Coding;

/** What is said of an archive that was made. */
final class ArchiveSummary {

    private static final double NANOS = 1e9;

    private ArchiveSummary() {
    }

    /** A line for each file: its length, and what is stored of it. */
    static String files(List<SourceFile> files, SourceContents contents) {
        var lines = new StringBuilder();
        files.stream().sorted(Comparator.comparing(SourceFile::name, SitePaths.ORDER)).forEach(file -> {
            long length = contents.plain(file).length();
            lines.append(file.name()).append(": ").append(length);
            for (Map.Entry<Coding, StoredPiece> variant : contents.variants(file).entrySet()) {
                long stored = variant.getValue().length();
                lines.append(", ").append(variant.getKey().token()).append(' ').append(stored);
                lines.append(ratio(stored, length));
            }
            lines.append('\n');
        });
        return lines.toString();
    }

    private static String ratio(long stored, long length) {
        return length == 0 ? "" : String.format(Locale.ROOT, " (%.1f %%)", 100.0 * stored / length);
    }

    /** Lines of what is in it, and how large it is. */
    static String of(SiteRecords records, List<SourceFile> files, long length) {
        long before = files.stream().mapToLong(SourceFile::size).sum();
        long after = records.contents.values().stream().mapToLong(Long::longValue).sum();
        int folders = records.wildcards.size() + records.missing.size();
        return String.format(Locale.ROOT, """
                records: %d of paths, %d of wildcards and 404s, %d of metadata, %d of contents
                bytes: %d in files, %d in contents%s, %d in the archive%s
                """, records.paths.size(), folders, records.metadata.size(), records.contents.size(),
                before, after, ratio(after, before), length, ratio(length, before));
    }

    static String time(long nanos) {
        return String.format(Locale.ROOT, "time: %.1f s\n", nanos / NANOS);
    }
}
