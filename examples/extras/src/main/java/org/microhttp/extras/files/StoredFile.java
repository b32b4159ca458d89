package org.microhttp.extras.files;

import java.util.Map;
import org.microhttp.extras.filesystem.FileVersion;
import org.microhttp.extras.filesystem.FoundFile;
import org.microhttp.extras.representation.Coding;

/**
 * Where one version of a file is, and its variants.
 *
 * @param name     by which it was asked for, as {@code css/main.css}: type and cache rule are of this
 * @param file     under the name that it has without links
 * @param variants those that may be sent, without the file itself
 */
record StoredFile(String name, FoundFile file, Map<Coding, FileVersion> variants) {

    /** {@return the length of a variant, or of the file itself} */
    long length(Coding coding) {
        return coding == Coding.IDENTITY ? file.version().size() : variants.get(coding).size();
    }
}
