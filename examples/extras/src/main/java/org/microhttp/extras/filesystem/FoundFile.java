package org.microhttp.extras.filesystem;

import java.nio.file.Path;

/**
 * A file or a folder as it was found.
 *
 * @param path    from the root on, without links; empty for the root itself
 * @param version what it was when it was looked at
 */
public record FoundFile(Path path, FileVersion version) {

    /** {@return the folder that it is in, from the root on; null for the root} */
    public Path folder() {
        return path.getParent();
    }
}
