package org.microhttp.tools.sitearchive.making;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.microhttp.extras.representation.Coding;
import org.microhttp.tools.sitearchive.format.ArchiveFormat;
import org.microhttp.tools.sitearchive.format.Metadata;
import org.microhttp.tools.sitearchive.format.PathRecord;

/** The records of an archive in their order, contents by their ids alone. */
final class SiteRecords {

    /** Lengths by ids. */
    final SortedMap<String, Long> contents = new TreeMap<>();

    /** Values by ids. */
    final SortedMap<String, byte[]> metadata = new TreeMap<>();

    /** Values by paths. */
    final SortedMap<String, PathRecord> paths = new TreeMap<>(SitePaths.ORDER);

    /** Values by folders. */
    final SortedMap<String, PathRecord> wildcards = new TreeMap<>(SitePaths.ORDER);
    final SortedMap<String, PathRecord> missing = new TreeMap<>(SitePaths.ORDER);

    /** Listings; null if there is none. */
    final Collection<String> fileListing;
    final Collection<String> folderListing;

    private final SourceContents sources;
    private final AnswerFields fields;

    /** A file answers for several paths with the same. */
    private final Map<SourceFile, PathRecord> byFile = new HashMap<>();

    SiteRecords(ArchiveSettings settings, SourceContents sources, SitePaths site,
            Collection<String> folders) throws IOException {
        this.sources = sources;
        fileListing = settings.fileListing() ? site.own : null;
        folderListing = settings.folderListing() ? folders : null;
        fields = new AnswerFields(settings);
        for (Map.Entry<String, SourceFile> file : site.files.entrySet()) {
            paths.put(file.getKey(), byFile.computeIfAbsent(file.getValue(), key -> of(key, Metadata.OK)));
        }
        site.wildcards.forEach((folder, file) -> wildcards.put(folder, of(file, Metadata.OK)));
        site.missing.forEach((folder, file) -> missing.put(folder, of(file, Metadata.MISSING)));
        for (Redirect redirect : site.redirects.values()) {
            StoredPiece empty = sources.empty();
            var entry = entry(Coding.IDENTITY, fields.of(redirect), empty);
            paths.put(redirect.name(), new PathRecord(List.of(entry)));
        }
    }

    private PathRecord of(SourceFile file, int status) {
        Map<Coding, StoredPiece> variants = sources.variants(file);
        boolean varies = variants.size() > 1 || !variants.containsKey(Coding.IDENTITY);
        List<PathRecord.Entry> entries = new ArrayList<>();
        variants.forEach((coding, piece) -> entries.add(
                entry(coding, fields.of(file, status, coding, varies, piece.id()), piece)));
        return new PathRecord(entries);
    }

    private PathRecord.Entry entry(Coding coding, Metadata answer, StoredPiece piece) {
        byte[] bytes = answer.bytes();
        if (bytes.length > ArchiveFormat.LONGEST_VALUE) {
            throw new IllegalArgumentException(ArchiveFlags.HEADERS
                    + " has fields for one answer that are too long: with them all have " + bytes.length
                    + " bytes; allowed: " + ArchiveFormat.LONGEST_VALUE);
        }
        String id = ArchiveFormat.idOf(bytes);
        metadata.put(id, bytes);
        contents.put(piece.id(), piece.length());
        return new PathRecord.Entry(coding, id, piece.id());
    }
}
