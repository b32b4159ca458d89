package org.microhttp.tools.sitearchive.serving;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.microhttp.tools.cdb.CdbValue;
import org.microhttp.tools.sitearchive.format.ArchiveFormat;
import org.microhttp.tools.sitearchive.format.Metadata;
import org.microhttp.tools.sitearchive.format.PathRecord;

/**
 * What is kept in memory of an archive's records, filled while it is checked, and not changed afterwards. A
 * map is null where the archive itself is asked; those of folders are always there.
 */
final class ArchiveIndex {

    final Map<String, PathRecord> paths;
    final Map<String, Metadata> metadata;
    final Map<String, CdbValue> contents;
    final Map<String, PathRecord> wildcards = new HashMap<>();
    final Map<String, PathRecord> missing = new HashMap<>();
    final Set<String> hosts = new HashSet<>();

    /** How long the longest folder is that has a wildcard or a page for what is missing. */
    int longestFolder;

    ArchiveIndex(ServeSettings settings) {
        this(settings.indexPaths(), settings.indexMetadata(), settings.indexContents());
    }

    /** Has folders alone. */
    ArchiveIndex() {
        this(false, false, false);
    }

    private ArchiveIndex(boolean ofPaths, boolean ofMetadata, boolean ofContents) {
        paths = ofPaths ? new HashMap<>() : null;
        metadata = ofMetadata ? new HashMap<>() : null;
        contents = ofContents ? new HashMap<>() : null;
    }

    /** Whether nothing of a page has to be looked up. */
    boolean isComplete() {
        return paths != null && metadata != null && contents != null;
    }

    void addContent(String id, CdbValue place) {
        if (contents != null) {
            contents.put(id, place);
        }
    }

    void addMetadata(String id, Metadata parsed) {
        if (metadata != null) {
            metadata.put(id, parsed);
        }
    }

    void addPath(char kind, String path, PathRecord record) {
        if (kind == ArchiveFormat.PATH) {
            if (paths != null) {
                paths.put(path, record);
            }
            return;
        }
        (kind == ArchiveFormat.WILDCARD ? wildcards : missing).put(path, record);
        longestFolder = Math.max(longestFolder, path.length());
    }
}
