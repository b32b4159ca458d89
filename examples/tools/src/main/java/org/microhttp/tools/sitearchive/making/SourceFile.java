package org.microhttp.tools.sitearchive.making;

import java.nio.file.Path;
import org.microhttp.tools.sitearchive.format.ArchiveFormat;

/**
 * A file of the site.
 *
 * @param host null if there are no hosts
 * @param path from the root of its site on, decoded: {@code /css/main.css}
 * @param file where it is without links
 * @param key  tells files apart, whatever links lead to them
 */
record SourceFile(String host, String path, Path file, Object key, long size) {

    /** The path as it is in keys. */
    String name() {
        return ArchiveFormat.path(host, path);
    }

    /** The name of its folder, with a slash at the end. */
    String folder() {
        String name = name();
        return name.substring(0, name.lastIndexOf('/') + 1);
    }

    /** The name in its folder. */
    String simpleName() {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
