package org.microhttp.extras.files;

import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;
import org.microhttp.extras.representation.MediaTypes;

/**
 * What is served, and how, as a {@link FileHandlerBuilder} was told.
 *
 * @param variants the real path of the folder of compressed variants; null for none
 * @param memory   bytes for content
 * @param indexes  names of files that a folder is answered with
 * @param types    the media type of each file name
 * @param rules    which Cache-Control files have
 * @param fallback for paths without a file; null for none
 * @param failures is told why something cannot be answered
 */
record FileSettings(Path variants, long memory, List<String> indexes, MediaTypes types, CacheRules rules,
        Fallback fallback, BiConsumer<String, Exception> failures) {
}
