package org.microhttp.tools.sitearchive.serving;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.microhttp.tools.sitearchive.format.PathRecord;

/** The pages of one kind of records, by their paths or folders. For any thread. */
final class PageIndex {

    private final ArchiveRecords archive;
    private final char kind;

    /** Null if they are looked up in the archive. */
    private final Map<String, PathRecord> records;

    /** Those that were asked for, all or the last of them; one of the two is null. */
    private final Map<String, SitePage> pages;
    private final RecentPages recent;

    /**
     * @param records all of them; null if they are looked up in the archive
     */
    PageIndex(ArchiveRecords archive, char kind, Map<String, PathRecord> records) {
        this.archive = archive;
        this.kind = kind;
        this.records = records;
        pages = archive.isIndexed() ? new ConcurrentHashMap<>() : null;
        recent = pages == null ? new RecentPages(archive.recentPages()) : null;
    }

    /** {@return null if there is none} */
    SitePage find(String name) throws IOException {
        SitePage known = pages == null ? recent.get(name) : pages.get(name);
        if (known != null) {
            return known;
        }
        PathRecord record = records == null ? archive.path(kind, name) : records.get(name);
        if (record == null) {
            return null;
        }
        var page = new SitePage(archive, record);
        if (pages == null) {
            recent.put(name, page);
        } else {
            pages.put(name, page);
        }
        return page;
    }
}
