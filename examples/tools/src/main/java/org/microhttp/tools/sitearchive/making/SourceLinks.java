package org.microhttp.tools.sitearchive.making;

import java.nio.file.Path;

/**
 * Which links of a site are followed. A link is judged by its target, whatever its own name is: the target
 * must be what would be archived under its own name. One out of the sources needs a flag. There, links to
 * folders are not followed, so that no scan goes round the whole system.
 */
final class SourceLinks {

    private final Path sources;
    private final boolean outside;

    SourceLinks(ArchiveSettings settings) {
        sources = settings.sources();
        outside = settings.followOutside();
    }

    /**
     * Says why a link is not followed; null if it is. All paths are real ones.
     *
     * @param folder   where the link is
     * @param target   what it leads to in the end
     * @param isFolder whether that is a folder
     */
    String refusal(Path folder, Path target, boolean isFolder) {
        if (folder.startsWith(target)) {
            return SourceScan.LOOP;
        }
        if (isOutside(target) && !outside) {
            return "it leads out of the sources, to " + target + "; " + ArchiveFlags.FOLLOW_OUTSIDE
                    + " has such links followed";
        }
        // of a path out of the sources, what it has in common with theirs says nothing of it
        Path way = sources.relativize(target);
        for (Path name : way) {
            if (!name.toString().equals("..") && SourceNames.isLeftOut(name.toString())) {
                return "it leads to " + (isOutside(target) ? target : way) + ", and " + name
                        + " is left out for its name";
            }
        }
        if (isOutside(folder) && isFolder) {
            return "it is out of the sources, and leads to a folder; there only links to files are followed";
        }
        return null;
    }

    boolean isOutside(Path real) {
        return !real.startsWith(sources);
    }
}
