package org.microhttp.tools.sitearchive.serving;

import java.io.IOException;
import java.util.Locale;
import org.microhttp.extras.representation.Coding;
import org.microhttp.tools.cdb.CdbReader;
import org.microhttp.tools.cdb.CdbValue;
import org.microhttp.tools.reporting.Report;
import org.microhttp.tools.sitearchive.format.ArchiveFormat;
import org.microhttp.tools.sitearchive.format.Metadata;
import org.microhttp.tools.sitearchive.format.PathRecord;

/** Looks at the records of paths and folders: their names, and what they refer to. For one thread. */
final class PathCheck {

    /** Reads what is not long. */
    @FunctionalInterface
    interface ValueReader {

        byte[] read(CdbValue value) throws IOException;
    }

    private final CdbReader reader;
    private final ValueReader values;
    private final ArchiveIndex index;
    private boolean hosts;

    PathCheck(CdbReader reader, ValueReader values, ArchiveIndex index) {
        this.reader = reader;
        this.values = values;
        this.index = index;
    }

    void setHosts(boolean inPaths) {
        hosts = inPaths;
    }

    /** @param letter that of the key, in front of the path */
    void look(char letter, String path, PathRecord record) throws IOException {
        String shown = "the record " + letter + Report.oneLine(path);
        String rest = hosts ? withoutHost(shown, path) : path;
        // two slashes in front are of hosts alone
        boolean named = rest.startsWith("/") && !rest.startsWith("//");
        boolean ofItsKind = letter == ArchiveFormat.PATH || rest.endsWith("/");
        check(named && ofItsKind, shown, "is of no path, or no folder");
        int status = 0;
        for (PathRecord.Entry entry : record.variants()) {
            Metadata metadata = metadata(shown, entry.metadata());
            boolean same = status == 0 || status == metadata.status();
            check(same && isOf(letter, metadata.status()), shown, "has a status that it cannot have");
            status = metadata.status();
            boolean told = isTold(metadata, entry, record.variants().size() > 1);
            check(told, shown, "has fields that are not of its variants");
            CdbValue content = find(shown, ArchiveFormat.CONTENT, entry.content());
            boolean page = status == Metadata.OK || status == Metadata.MISSING;
            check(page || content.length() == 0, shown, "has a content, which is never sent");
        }
        index.addPath(letter, path, record);
    }

    private String withoutHost(String shown, String path) throws IOException {
        int end = path.indexOf('/', 2);
        boolean valid = path.startsWith("//") && end > 0 && ArchiveFormat.isHost(path.substring(2, end));
        check(valid, shown, "has no host");
        index.hosts.add(path.substring(2, end));
        return path.substring(end);
    }

    private static boolean isOf(char letter, int status) {
        return switch (letter) {
            case ArchiveFormat.WILDCARD -> status == Metadata.OK;
            case ArchiveFormat.MISSING -> status == Metadata.MISSING;
            default -> status != Metadata.MISSING;
        };
    }

    /** Whether fields say of a variant what is so. */
    private static boolean isTold(Metadata metadata, PathRecord.Entry entry, boolean several) {
        String coding = metadata.value("Content-Encoding");
        String vary = metadata.value("Vary");
        String tag = metadata.value("ETag");
        boolean coded = entry.coding() != Coding.IDENTITY;
        boolean negotiated = vary != null && vary.toLowerCase(Locale.ROOT).contains("accept-encoding");
        return (coded ? entry.coding().token().equals(coding) : coding == null)
                && (negotiated || !coded && !several)
                && (tag == null || tag.equals("\"" + entry.content() + "\""));
    }

    private Metadata metadata(String shown, String id) throws IOException {
        Metadata known = index.metadata == null ? null : index.metadata.get(id);
        return known == null ? Metadata.of(values.read(find(shown, ArchiveFormat.METADATA, id))) : known;
    }

    private CdbValue find(String shown, char letter, String id) throws IOException {
        CdbValue value = reader.find(ArchiveFormat.key(letter, id));
        check(value != null, shown, "refers to " + letter + id + ", which is not there");
        return value;
    }

    private static void check(boolean valid, String shown, String what) throws IOException {
        if (!valid) {
            throw new IOException(shown + " " + what);
        }
    }
}
