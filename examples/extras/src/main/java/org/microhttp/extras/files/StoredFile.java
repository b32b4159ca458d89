package org.microhttp.extras.files;

import java.util.Map;
import org.microhttp.extras.filesystem.FileVersion;
import org.microhttp.extras.filesystem.FoundFile;
import org.microhttp.extras.representation.Coding;

/**
 * Where one version of a file is, and its variants.
 *
 * @param name     the requested name, such as {@code css/main.css}, which decides type and cache rule
 * @param file     the file, by its path without links
 * @param variants the compressed variants that may be sent
 */
record StoredFile(String name, FoundFile file, Map<Coding, FileVersion> variants) {

    /** {@return the length of a variant, or of the file itself} */
    long length(Coding coding) {
        return coding == Coding.IDENTITY ? file.version().size() : variants.get(coding).size();
    }
}
