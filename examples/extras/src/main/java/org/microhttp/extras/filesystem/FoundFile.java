package org.microhttp.extras.filesystem;

import java.nio.file.Path;

/**
 * A file or a folder as it was found.
 *
 * @param path    relative to the root, without links; empty for the root itself
 * @param version its version when it was checked
 */
public record FoundFile(Path path, FileVersion version) {

    /** {@return the path of its folder, relative to the root; null if that is the root} */
    public Path folder() {
        return path.getParent();
    }
}
