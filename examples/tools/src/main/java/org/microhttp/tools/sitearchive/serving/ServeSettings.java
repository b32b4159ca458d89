package org.microhttp.tools.sitearchive.serving;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.microhttp.Header;
import org.microhttp.tools.sitearchive.format.ArchiveBytes;

/**
 * What is served, and how.
 *
 * @param archive       the archive; null if there is one for each host
 * @param archives      a folder with an archive for each host, as {@code example.org.cdb}, and maybe
 *                      {@code _default.cdb} for all others; null if there is but one archive
 * @param preload       whether an archive is read through once before its first request
 * @param indexPaths    whether what paths lead to is kept in memory
 * @param indexMetadata whether fields are kept in memory
 * @param indexContents whether the places of contents are kept in memory
 * @param added         fields of every answer, but where the archive has one of that name
 * @param watch         whether a new archive is noticed and takes the place of the one that is served
 * @param keepPrevious  how long what only the archive before has stays reachable; zero for not at all
 * @param cutAfter      how long clients may still be sent what was begun of an archive that was replaced;
 *                      then their connections are closed. Of archives in memory one that was replaced is
 *                      kept at most: what is sent of an older one is cut at once
 */
public record ServeSettings(
        Path archive, Path archives, ArchiveBytes.Kind kind, boolean preload,
        boolean indexPaths, boolean indexMetadata, boolean indexContents,
        List<Header> added, boolean watch, Duration keepPrevious, Duration cutAfter) {

    /** @throws IllegalArgumentException if there is not one of archive and archives */
    public ServeSettings {
        if ((archive == null) == (archives == null)) {
            throw new IllegalArgumentException(
                    "an archive and archives, or neither; allowed: one of the two");
        }
        added = List.copyOf(added);
    }
}
