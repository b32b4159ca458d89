package org.microhttp.extras.filesystem;

import java.nio.file.Path;

/**
 * A file or a folder as it was found.
 *
 * @param path    from the root on, without links; empty for the root itself
 * @param version its version when it was checked
 */
public record FoundFile(Path path, FileVersion version) {

    /** {@return the path of its folder, from the root on; null if that is the root} */
    public Path folder() {
        return path.getParent();
    }
}
