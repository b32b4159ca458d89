package org.microhttp.extras.files;

import java.io.IOException;
import org.microhttp.extras.filesystem.FileVersion.Kind;
import org.microhttp.extras.representation.Outcome;
import org.microhttp.extras.representation.TargetPath;

/** Where files are found: in a folder, which may change, or among resources, which do not. For any thread. */
interface FileSource {

    /** {@return the file of a key, as last checked; null if it is not cached; never blocks} */
    ServedFile known(String key);

    /** {@return the file of a path, or the index file of a folder; null if there is none; may block} */
    ServedFile find(TargetPath path) throws IOException;

    /**
     * {@return the kind of file that has a name; null if there is none; may block}
     *
     * @param name relative to the root, such as {@code css/main.css}; empty for the root
     */
    Kind kind(String name) throws IOException;

    /** {@return the open file of an outcome, taken for the caller; null if it has changed; may block} */
    OpenFile open(String key, ServedFile file, Outcome outcome) throws IOException;

    /** Removes a file from the cache, so that the next request checks it. */
    void forget(String key);

    /** Closes all cached open files, so that their descriptors are free. */
    void closeAll();

    /** {@return bytes of memory that content takes} */
    long memory();

    /** {@return how many files are kept open} */
    int openFiles();
}
