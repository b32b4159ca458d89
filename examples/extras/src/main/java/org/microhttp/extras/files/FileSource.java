package org.microhttp.extras.files;

import java.io.IOException;
import org.microhttp.extras.filesystem.FileVersion.Kind;
import org.microhttp.extras.representation.Outcome;
import org.microhttp.extras.representation.TargetPath;

/** Where files are found: in a folder, which may change, or among resources, which do not. For any thread. */
interface FileSource {

    /** {@return the file of a key as it was when last looked at, at once; null if that is not known} */
    ServedFile known(String key);

    /** {@return the file of a path, or the index file of a folder; null if there is none; may block} */
    ServedFile find(TargetPath path) throws IOException;

    /**
     * {@return what has a name; null for nothing; may block}
     *
     * @param name from the root on, as {@code css/main.css}; empty for the root
     */
    Kind kind(String name) throws IOException;

    /** Opens what is sent and not in memory, unless it is open, and takes it; null if it has changed. */
    OpenFile open(String key, ServedFile file, Outcome outcome) throws IOException;

    /** Has a file looked at when it is next asked for. */
    void forget(String key);

    /** Closes all that is kept open, for others that need descriptors. */
    void closeAll();

    /** {@return bytes of memory that content takes} */
    long memory();

    /** {@return how many files are kept open} */
    int openFiles();
}
