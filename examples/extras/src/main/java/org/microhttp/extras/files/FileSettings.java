package org.microhttp.extras.files;

import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;
import org.microhttp.extras.representation.MediaTypes;

/**
 * The settings of a {@link FileHandlerBuilder}.
 *
 * @param variants the real path of the folder of compressed variants; null for none
 * @param memory   bytes of memory for content
 * @param indexes  names of index files, the preferred first
 * @param types    the media type of each file name
 * @param rules    the Cache-Control of each path
 * @param fallback the page for paths without a file; null for none
 * @param failures receives the path and the cause of a failure
 */
record FileSettings(Path variants, long memory, List<String> indexes, MediaTypes types, CacheRules rules,
        Fallback fallback, BiConsumer<String, Exception> failures) {
}
