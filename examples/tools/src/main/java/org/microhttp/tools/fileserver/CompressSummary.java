package org.microhttp.tools.fileserver;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.microhttp.extras.filesystem.FoundFile;
import org.microhttp.extras.filesystem.VariantCache;
import org.microhttp.extras.representation.Coding;

/** What the cache has for the files of a site. */
final class CompressSummary {

    private CompressSummary() {
    }

    /** A table: for each coding the files that have a variant, and their bytes without it and with it. */
    static String table(VariantCache cache, List<FoundFile> files) throws IOException {
        var table = new StringBuilder();
        append(table, "", "files", "not worth it", "bytes before", "bytes after", "");
        for (Coding coding : VariantCache.CODINGS) {
            append(table, coding, cache, files);
        }
        return table.toString();
    }

    private static void append(StringBuilder table, Coding coding, VariantCache cache,
            List<FoundFile> files) throws IOException {
        long kept = 0;
        long worthless = 0;
        long before = 0;
        long after = 0;
        for (FoundFile file : files) {
            long length = cache.length(file, coding);
            if (length > 0) {
                kept++;
                before += file.version().size();
                after += length;
            } else if (length == 0) {
                worthless++;
            }
        }
        String rest = before == 0 ? "" : String.format(Locale.ROOT, "%.1f %%", 100.0 * after / before);
        append(table, coding.name().toLowerCase(Locale.ROOT), "" + kept, "" + worthless, "" + before,
                "" + after, rest);
    }

    private static void append(StringBuilder table, String... cells) {
        String line = String.format("%-6s %8s %13s %15s %15s %8s", (Object[]) cells);
        table.append(line.stripTrailing()).append('\n');
    }
}
